import type { Role } from './session-identity.js';

/** The data of an API key: enough to decide whether a request is allowed. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly ipAllowlist: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly userStatus: string;
  /** Null if the user has no role, so that only the scopes of the key count. */
  readonly userRole: Role | null;
  /**
   * Version of the key's view; changes with the grant and with the members of the user's teams. Null unless the key has
   * a grant or the user sees only the conversations of their teams.
   */
  readonly view: string | null;
  /** Whether the key sees only the conversations of its grant. */
  readonly isGranted: boolean;
}

/** Looks up API keys by the SHA-256 of the full key. */
export interface ApiKeyLookup {
  findByHash(hash: Buffer): Promise<ApiKeyRecord | undefined>;
  /** Records when keys were last used. The latest time wins. */
  markUsed(uses: ReadonlyMap<string, Date>): Promise<void>;
}
