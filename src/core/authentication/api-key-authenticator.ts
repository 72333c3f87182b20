import { hashCredential, readApiKey } from '../access/api-key-format.js';
import type { ApiKeyLookup, ApiKeyRecord } from '../access/api-key-lookup.js';
import { type Caller, grantedTo, restrictedTo } from '../access/caller.js';
import { isAddressAllowed } from '../access/client-address.js';
import { CredentialMemory, type CredentialMemoryOptions } from '../access/credential-memory.js';
import type { LastUsed } from '../access/last-used.js';
import { scopesOfRole } from '../access/roles.js';
import { timeNow } from '../common/time.js';
import type { Credentials, RefusalReason } from './authenticate.js';

interface Known {
  readonly record: ApiKeyRecord;
  readonly scopes: ReadonlySet<string>;
}

/**
 * Resolves an API key to its caller, without a database call for a recently used key.
 *
 * A revocation must call {@link evict} in every process. `evictAll` must be called after each reconnect of the
 * listener. A malformed key is not looked up.
 */
export class ApiKeyAuthenticator {
  private readonly memory: CredentialMemory<Known>;
  private readonly now: () => number;

  constructor(
    keys: ApiKeyLookup,
    private readonly lastUsed: LastUsed,
    options: CredentialMemoryOptions = {},
  ) {
    this.now = options.now ?? timeNow;
    this.memory = new CredentialMemory<Known>(
      async (hash) => {
        const record = await keys.findByHash(hash);
        return record && { record, scopes: effectiveScopes(record) };
      },
      ({ record }, id) => record.id === id || record.userId === id,
      options,
    );
  }

  /** The caller, or undefined if the key is refused for any reason. `onRefused` receives the reason. */
  async authenticate(
    key: string,
    address: string,
    onRefused?: Credentials['onRefused'],
  ): Promise<Caller | undefined> {
    const known = await this.memory.find(hashCredential(key), () => readApiKey(key) !== undefined);
    if (known === undefined) {
      onRefused?.({ reason: readApiKey(key) === undefined ? 'malformed' : 'unknown' });
      return undefined;
    }
    const reason = this.refusalOf(known.record, address);
    if (reason !== undefined) {
      onRefused?.({ reason, keyId: known.record.id });
      return undefined;
    }
    this.lastUsed.note(known.record.id, this.now());
    return callerOf(known);
  }

  /** Removes the key with this id, or all keys of the user with this id, from the cache. */
  evict(id: string): void {
    this.memory.evict(id);
  }

  evictAll(): void {
    this.memory.evictAll();
  }

  private refusalOf(record: ApiKeyRecord, address: string): RefusalReason | undefined {
    if (record.revokedAt !== null) return 'revoked';
    if (record.expiresAt !== null && record.expiresAt.getTime() <= this.now()) return 'expired';
    if (record.userStatus !== 'active') return 'user_inactive';
    return isAddressAllowed(address, record.ipAllowlist) ? undefined : 'address_not_allowed';
  }
}

/** A key never exceeds the current role of its user, even if the role changed after the key was created. */
function effectiveScopes({ scopes, userRole }: ApiKeyRecord): ReadonlySet<string> {
  if (userRole === null) return new Set(scopes);
  const allowed: ReadonlySet<string> = scopesOfRole(userRole);
  return new Set(scopes.filter((scope) => allowed.has(scope)));
}

function callerOf({ record, scopes }: Known): Caller {
  return {
    workspaceId: record.workspaceId,
    userId: record.userId,
    environment: record.environment,
    credential: { kind: 'api_key', id: record.id },
    scopes,
    rateLimit: record.rateLimit,
    onlyOwnConversations: false,
    ...(record.isGranted ? grantedTo(record.id, record.view) : restrictedTo(record.userId, record.view)),
  };
}
