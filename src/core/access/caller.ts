import type { OAuthScope } from './scopes.js';
import type { SessionIdentity } from './session-identity.js';

/** What a restricted caller sees: the conversations of their teams, or those of the grant of their key. */
interface Restriction {
  readonly by: 'teams' | 'grant';
  /** Id of the member or the key. */
  readonly readerId: string;
  /** Changes when the members of the teams or the grant change. */
  readonly version: string;
}

/**
 * The workspace and user that a request acts for, and its permissions. Derived from the credential only, never from the
 * request.
 */
export interface Caller {
  readonly workspaceId: string;
  readonly userId: string;
  /** `test` callers act in the workspace's test workspace. */
  readonly environment: 'live' | 'test';
  readonly credential: {
    readonly kind: 'api_key' | 'oauth' | 'session' | 'join_token' | 'none';
    readonly id: string;
  };
  /** API-key scopes held (for OAuth: the ones its scopes grant). */
  readonly scopes: ReadonlySet<string>;
  /** Set when an access token was sent: the operation also needs one of these. */
  readonly oauthScopes?: ReadonlySet<OAuthScope>;
  /** The access token that was sent together with a key. The key is the credential in this case. */
  readonly tokenId?: string;
  /** The OAuth app, when its access token is the credential. */
  readonly appId?: string;
  /** Requests per UTC clock hour; 0 means unlimited. */
  readonly rateLimit: number;
  /** UUID under which requests are counted. If absent, they are counted under the credential. */
  readonly rateBucket?: string;
  /** Set for a join token: the only call it is valid for. */
  readonly callId?: string;
  /** Set for OAuth: only conversations in which the user takes part are reachable. */
  readonly onlyOwnConversations: boolean;
  /** Set for a member who sees only the conversations of their teams, and for a key with a grant. */
  readonly restriction?: Restriction;
  /** Set for a person who is signed in to the dashboard. */
  readonly session?: SessionIdentity;
}

/** The caller of a request that needs no credentials. It belongs to no workspace and has no permissions. */
export const anonymous: Caller = {
  workspaceId: '',
  userId: '',
  environment: 'live',
  credential: { kind: 'none', id: '' },
  scopes: new Set(),
  rateLimit: 0,
  onlyOwnConversations: true,
};

/** The restriction of a member, derived from `view` of their credentials. None if `view` is null. */
export function restrictedTo(memberId: string, view: string | null): Pick<Caller, 'restriction'> {
  return view === null ? {} : { restriction: { by: 'teams', readerId: memberId, version: view } };
}

/** The restriction of a key with a grant. */
export function grantedTo(keyId: string, view: string | null): Pick<Caller, 'restriction'> {
  return { restriction: { by: 'grant', readerId: keyId, version: view ?? '' } };
}
