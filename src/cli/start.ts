import { readConfig } from '../config.js';
import { startService } from './service.js';

/** Serves until a signal comes. */
export async function startCommand(flags: ReadonlySet<string>): Promise<number> {
  if (flags.has('simulators')) return (await import('./simulators/start.js')).startWithSimulators();
  const { ended } = await startService(readConfig());
  return ended;
}
