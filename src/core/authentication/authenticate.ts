import type { Caller } from '../access/caller.js';

export type RefusalReason =
  | 'missing'
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'user_inactive'
  | 'address_not_allowed'
  | 'invalid_token'
  | 'different_workspaces';

/** Why credentials were refused. The reason is logged and never returned to the client. */
export interface Refusal {
  readonly reason: RefusalReason;
  /** Id of the key, if one was found. */
  readonly keyId?: string;
}

/** The credentials of a request. */
export interface Credentials {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  readonly address: string;
  readonly method: string;
  /** Any other header, by lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Called with the reason before the credentials are refused. */
  readonly onRefused?: (refusal: Refusal) => void;
}

/** Resolves credentials to a caller. Undefined refuses them; an AppError is returned instead. Each mount of the API has one. */
export type Authenticate = (credentials: Credentials) => Promise<Caller | undefined>;

/** Turns an OAuth access token into a caller with `oauthScopes`. */
export type AuthenticateToken = (token: string) => Promise<Caller | undefined>;

const BEARER = /^bearer +(\S+)$/i;

/** Authenticates the API: a key, a bearer token, or both of the same workspace. Any invalid credential refuses the request. */
export function authenticateClient(
  authenticateKey: (
    key: string,
    address: string,
    onRefused?: Credentials['onRefused'],
  ) => Promise<Caller | undefined>,
  authenticateToken: AuthenticateToken = async () => undefined,
): Authenticate {
  return async ({ apiKey, authorization, address, onRefused }) => {
    if (authorization === undefined) {
      if (apiKey !== undefined) return authenticateKey(apiKey, address, onRefused);
      onRefused?.({ reason: 'missing' });
      return undefined;
    }
    const token = BEARER.exec(authorization)?.[1];
    const [keyCaller, tokenCaller] = await Promise.all([
      apiKey === undefined ? undefined : authenticateKey(apiKey, address, onRefused),
      token === undefined ? undefined : authenticateToken(token),
    ]);
    if (tokenCaller === undefined) onRefused?.({ reason: 'invalid_token' });
    if (apiKey === undefined || tokenCaller === undefined) return tokenCaller;
    if (keyCaller === undefined) return undefined;
    const caller = together(keyCaller, tokenCaller);
    if (caller === undefined) onRefused?.({ reason: 'different_workspaces', keyId: keyCaller.credential.id });
    return caller;
  };
}

/** The user of the token acts, limited to the permissions of both credentials. Requests are counted for the key. */
function together(key: Caller, token: Caller): Caller | undefined {
  if (key.workspaceId !== token.workspaceId) return undefined;
  const restriction = token.restriction ?? key.restriction;
  // A restriction has a single reader. The intersection of what two readers see is not supported.
  if (key.restriction !== undefined && key.restriction.readerId !== restriction?.readerId) return undefined;
  return {
    ...key,
    ...(restriction && { restriction }),
    userId: token.userId,
    tokenId: token.credential.id,
    oauthScopes: token.oauthScopes ?? new Set(),
    onlyOwnConversations: true,
  };
}
