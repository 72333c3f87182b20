import type { Config } from '../config.js';
import { askReadiness, unreadiness } from './readiness.js';

/** Exit code 0 if the service on this machine is ready. Otherwise prints the reason, with exit code 1. */
export async function healthcheck(config: Config): Promise<number> {
  const fault = unreadiness(await askReadiness(config), config);
  if (fault === undefined) return 0;
  process.stderr.write(`trunkline: ${fault.found} ${fault.fix}\n`);
  return 1;
}
