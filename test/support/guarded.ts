import type { Adapter } from '../../src/contract/index.js';
import { guardAdapter } from '../../src/core/adapters/guarded-adapter.js';
import { HookRunner } from '../../src/core/adapters/hook-runner.js';
import { Redactor } from '../../src/core/adapters/redactor.js';
import { ScriptedPlatform, scriptedCapabilities } from './scripted-platform.js';

export const GUARDED_SECRET = 's3cret-token-of-alpha';

/** A scripted adapter with other hooks, as the bridge calls it. What is reported of its hooks is added to `reports`. */
export function guarded(over: Partial<Adapter>, reports: string[]): Adapter {
  const redactor = new Redactor({ secrets: [GUARDED_SECRET], names: [] });
  const observer = {
    trouble: (hook: string, message: string) => void reports.push(`${hook}: ${message}`),
    fine: (hook: string) => void reports.push(`${hook} fine`),
  };
  const runner = new HookRunner({ adapter: 'alpha', connectionId: 'c1', redactor, observer });
  const adapter = { ...new ScriptedPlatform().adapter(), ...over };
  return guardAdapter(adapter, runner, redactor, scriptedCapabilities);
}
