import type { Container } from 'inversify';
import type { Config } from '../../config.js';
import { hashCredential } from '../../core/access/api-key-format.js';
import type { Log } from '../../core/common/log.js';
import * as ports from '../../core/modules/tokens.js';
import { Bootstrap } from '../../core/workspaces/bootstrap.js';
import { hashPassword } from './passwords.js';

/**
 * Creates the owner that the environment names on the first start. Later starts may keep the variables. A warning is logged for
 * values that are not in the database, because they have no effect.
 */
export async function bootstrapOwner(container: Container, config: Config, log: Log): Promise<void> {
  const { bootstrap } = config;
  if (bootstrap === undefined) return;
  const store = container.get(ports.WorkspaceStore);
  if (await new Bootstrap(store, hashPassword).execute(bootstrap)) return;
  const ignored = await ignoredVariables(container, bootstrap);
  if (ignored.length === 0) return;
  log.warn(
    {
      variables: ignored,
      reason: 'The database has users already, so bootstrap variables have no effect.',
      fix: 'Make a key with "trunkline keys create", or start on another DATA_DIR or DATABASE_URL.',
    },
    'bootstrap.ignored',
  );
}

/** The variables that no user can sign in with, or send requests with. */
async function ignoredVariables(
  container: Container,
  { email, password, apiKey }: NonNullable<Config['bootstrap']>,
): Promise<string[]> {
  const passwords = container.get(ports.Passwords);
  const accounts = await container.get(ports.SessionStore).accounts(email, undefined);
  const matching = await Promise.all(
    accounts.map(({ passwordHash }) => passwords.matches(passwordHash, password)),
  );
  const store = container.get(ports.WorkspaceStore);
  const knowsKey = apiKey === undefined || (await store.hasKey(hashCredential(apiKey)));
  return [
    ...(accounts.length > 0 ? [] : ['TRUNKLINE_BOOTSTRAP_EMAIL']),
    ...(matching.includes(true) ? [] : ['TRUNKLINE_BOOTSTRAP_PASSWORD']),
    ...(knowsKey ? [] : ['TRUNKLINE_BOOTSTRAP_API_KEY']),
  ];
}
