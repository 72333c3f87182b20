import { v5 as uuidv5 } from 'uuid';
import type { AccessTokenLookup, AccessTokenRecord } from '../access/access-token-lookup.js';
import { type Caller, restrictedTo } from '../access/caller.js';
import { CredentialMemory, type CredentialMemoryOptions } from '../access/credential-memory.js';
import { grantedScopes } from '../access/scopes.js';
import { timeNow } from '../common/time.js';
import { readOAuthCredential } from '../oauth/credentials.js';
import { grantable } from '../oauth/role-scopes.js';

/** Requests per hour of one app for one user. */
const RATE_LIMIT = 100;

interface Known {
  readonly record: AccessTokenRecord;
  readonly caller: Caller;
}

/** Resolves an OAuth access token to its caller. Cached tokens are evicted like those of API keys. */
export class AccessTokenAuthenticator {
  private readonly memory: CredentialMemory<Known>;
  private readonly now: () => number;

  constructor(tokens: AccessTokenLookup, options: CredentialMemoryOptions = {}) {
    this.now = options.now ?? timeNow;
    this.memory = new CredentialMemory<Known>(
      async (hash) => {
        const record = await tokens.findByHash(hash);
        return record && { record, caller: callerOf(record) };
      },
      ({ record }, id) => record.id === id || record.userId === id,
      options,
    );
  }

  /** The caller, or undefined if the token is refused for any reason. */
  async authenticate(token: string): Promise<Caller | undefined> {
    const hash = readOAuthCredential(token, 'access');
    const known = hash && (await this.memory.find(hash));
    return known && known.record.expiresAt.getTime() > this.now() ? known.caller : undefined;
  }

  /** Removes the token with this id, or all tokens of the user with this id, from the cache. */
  evict(id: string): void {
    this.memory.evict(id);
  }

  evictAll(): void {
    this.memory.evictAll();
  }
}

function callerOf(record: AccessTokenRecord): Caller {
  const scopes = grantable(record.scopes, record.role);
  return {
    workspaceId: record.workspaceId,
    userId: record.userId,
    environment: record.environment,
    credential: { kind: 'oauth', id: record.id },
    scopes: grantedScopes(scopes),
    oauthScopes: new Set(scopes),
    appId: record.appId,
    rateLimit: RATE_LIMIT,
    rateBucket: uuidv5(record.userId, record.appId),
    onlyOwnConversations: true,
    ...restrictedTo(record.userId, record.view),
  };
}
