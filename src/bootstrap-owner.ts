import type { Container } from 'inversify';
import type { Config } from './config.js';
import * as ports from './core/ports/tokens.js';
import { Bootstrap } from './core/workspaces/bootstrap.js';
import { hashPassword } from './passwords.js';

/** Makes the owner that the environment names, at the first start. */
export async function bootstrapOwner(container: Container, config: Config): Promise<void> {
  if (config.bootstrap === undefined) return;
  await new Bootstrap(container.get(ports.WorkspaceStore), hashPassword).execute(config.bootstrap);
}
