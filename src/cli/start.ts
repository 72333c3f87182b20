import type { App } from '../app/start.js';
import { readConfig } from '../config.js';
import { startService } from './service.js';

export interface StartOptions {
  readonly simulators?: boolean;
  readonly paused?: boolean;
}

/** Runs the service until a signal arrives. */
export async function startCommand({ simulators = false, paused = false }: StartOptions): Promise<number> {
  if (simulators) return (await import('./simulators/start.js')).startWithSimulators();
  const given = readConfig();
  const config = paused ? { ...given, paused } : given;
  const { app, ended } = await startService(config);
  if (config.roles.includes('api')) process.stderr.write(await greeting(app));
  return ended;
}

/** The address to open, for a user at a terminal. Standard output has the log. */
async function greeting({ url, container }: App): Promise<string> {
  const { SetUp } = await import('../core/sessions/use-cases.js');
  const ports = await import('../core/modules/tokens.js');
  if (!(await container.get(SetUp).isPending())) return `\n  Trunkline is ready: ${url}\n\n`;
  const { value } = container.get(ports.SetupToken);
  const token = value === undefined ? '' : `\n  Setup token: ${value}`;
  return `\n  Trunkline is ready and has no users yet. Create the owner at ${url}/dashboard/setup${token}\n\n`;
}
