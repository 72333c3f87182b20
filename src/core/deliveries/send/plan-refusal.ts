import { PlatformError } from '../../../contract/index.js';
import { AdapterDefect } from '../../adapters/hook-runner.js';

/** The error that a delivery would fail with if its plan raised `cause`. */
export function refusalOf(cause: unknown): { code: string; message: string } {
  if (cause instanceof AdapterDefect)
    return { code: 'platform_error', message: 'The adapter failed to plan this message.' };
  if (!(cause instanceof PlatformError)) throw cause;
  const { problem, message, fix } = cause;
  const code = problem.kind === 'rejected' ? problem.reason : 'platform_error';
  return { code, message: fix === undefined ? message : `${message} ${fix}` };
}
