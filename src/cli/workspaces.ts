import type { Config } from '../config.js';
import { loginEmail, text } from '../core/schema/scalars.js';
import { usernameFrom } from '../core/workspaces/bootstrap.js';
import { readPasswordHash } from './password.js';
import { UsageError } from './usage-error.js';
import { withStore } from './with-store.js';

export interface WorkspaceOptions {
  readonly name: string;
  readonly email: string;
}

/**
 * Creates a workspace with a test workspace and an owner. The password is read from standard input. Prints the id of the
 * workspace.
 */
export async function createWorkspace(config: Config, { name, email }: WorkspaceOptions): Promise<number> {
  if (!loginEmail.safeParse(email).success) throw new UsageError('--owner-email must be an e-mail address.');
  if (name.trim() === '' || !text(1, 256).safeParse(name).success)
    throw new UsageError('--name must have 1 to 256 characters.');
  const passwordHash = await readPasswordHash();
  const [local = ''] = email.split('@');
  const owner = { email, passwordHash, username: usernameFrom(local), displayName: local, operator: false };
  return withStore(config, async ({ workspaces }) => {
    const id = await workspaces.create(name, owner);
    process.stdout.write(`${id}\n`);
    return 0;
  });
}
