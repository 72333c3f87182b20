import type { Config } from '../../config.js';
import { askReadiness, readinessOf, unreadiness } from '../readiness.js';
import { type Finding, ok, problem, warning } from './finding.js';

const NAME = 'Service';

/** Checks whether a process of the service runs on this machine and accepts requests. */
export async function checkService(config: Config): Promise<Finding[]> {
  const answer = await askReadiness(config);
  const fault = unreadiness(answer, config);
  if (fault?.answers) return [problem(NAME, fault.found, fault.fix)];
  const recorded = 'The state of connections and queue is the last recorded one.';
  if (fault !== undefined) return [warning(NAME, `${fault.found} ${recorded}`, fault.fix)];
  const { message, paused } = readinessOf(answer);
  if (paused)
    return [
      warning(
        NAME,
        `It is paused and sends nothing: ${message}`,
        'When this database is the real one, run "trunkline resume", or remove TRUNKLINE_PAUSED and --paused.',
      ),
    ];
  return [ok(NAME, `It runs at ${config.host}:${config.port} and is ready.`)];
}
