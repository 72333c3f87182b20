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

/** Why credentials were refused. It is logged and never answered. */
export interface Refusal {
  readonly reason: RefusalReason;
  /** Id of the key, where one was found. */
  readonly keyId?: string;
}

/** What a request brought along to prove who it is. */
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

/** Turns credentials into a caller; undefined refuses, an AppError answers otherwise. One per mount of the interface. */
export type Authenticate = (credentials: Credentials) => Promise<Caller | undefined>;

/** Turns an OAuth access token into a caller with `oauthScopes`. */
export type AuthenticateToken = (token: string) => Promise<Caller | undefined>;

const BEARER = /^bearer +(\S+)$/i;

/** The API's rule: a key, a bearer token, or both of one workspace; anything invalid refuses the request. */
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

/** The token's user acts, within what both allow; the key is the credential that is counted. */
function together(key: Caller, token: Caller): Caller | undefined {
  if (key.workspaceId !== token.workspaceId) return undefined;
  const restriction = token.restriction ?? key.restriction;
  // A reader is one member: what two of them see together is not offered.
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
