import type { Role } from './session-identity.js';

/** What is known of an API key: enough to decide whether a request may pass. */
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
  /** Null: the user has no role, so only the scopes of the key count. */
  readonly userRole: Role | null;
  /** Null, unless the key has a grant or the user sees only the conversations of their teams. Changes with both. */
  readonly view: string | null;
  /** Whether the key sees only the conversations of its grant. */
  readonly isGranted: boolean;
}

/** Where API keys are looked up, by the SHA-256 of the whole key. */
export interface ApiKeyLookup {
  findByHash(hash: Buffer): Promise<ApiKeyRecord | undefined>;
  /** Writes when keys were last used; later times win. */
  markUsed(uses: ReadonlyMap<string, Date>): Promise<void>;
}
