import { hashCredential, readApiKey } from '../access/api-key-format.js';
import { apiKeyScopes } from '../access/scopes.js';
import type { NewApiKey, WorkspaceStore } from './ports.js';

export interface BootstrapValues {
  readonly email: string;
  readonly password: string;
  readonly apiKey?: string;
}

/** A bootstrap value is malformed. */
export class BootstrapError extends Error {
  override readonly name = 'BootstrapError';
}

const USERNAME = /[^a-z0-9_.-]+/g;

/** Creates the first owner at the first start. */
export class Bootstrap {
  constructor(
    private readonly store: WorkspaceStore,
    private readonly hashPassword: (password: string) => Promise<string>,
  ) {}

  /** Resolves with true if the owner was created, and with false if a user already exists. Raises BootstrapError. */
  async execute(values: BootstrapValues): Promise<boolean> {
    const [local = ''] = values.email.split('@');
    const key = values.apiKey === undefined ? undefined : bootstrapKey(values.apiKey);
    return this.store.bootstrap(
      'Default',
      {
        email: values.email,
        passwordHash: await this.hashPassword(values.password),
        username: usernameFrom(local),
        displayName: local,
        operator: true,
      },
      key,
    );
  }
}

function bootstrapKey(key: string): NewApiKey {
  const environment = readApiKey(key);
  if (environment === undefined) {
    throw new BootstrapError(
      'TRUNKLINE_BOOTSTRAP_API_KEY is not a valid key: 57 characters, tl_live_ or tl_test_, with its checksum. Make one with "trunkline keys generate".',
    );
  }
  return {
    userId: '',
    name: 'Bootstrap',
    environment,
    scopes: apiKeyScopes,
    rateLimit: 0,
    hash: hashCredential(key),
    hint: key.slice(-4),
  };
}

/** A username from the local part of an e-mail address. */
export function usernameFrom(local: string): string {
  return local.toLowerCase().replace(USERNAME, '_').slice(0, 64).padEnd(3, '_');
}
