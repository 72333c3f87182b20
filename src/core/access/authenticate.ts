import type { Caller } from './caller.js';

/** What a request brought along to prove who it is. */
export interface Credentials {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  readonly address: string;
  readonly method: string;
  /** Any other header, by lower-case name. */
  readonly header: (name: string) => string | undefined;
}

/** Turns credentials into a caller; undefined refuses, an AppError answers otherwise. One per mount of the interface. */
export type Authenticate = (credentials: Credentials) => Promise<Caller | undefined>;

/** Turns an OAuth access token into a caller with `oauthScopes`. */
export type AuthenticateToken = (token: string) => Promise<Caller | undefined>;

const BEARER = /^bearer +(\S+)$/i;

/** The API's rule: a key, a bearer token, or both of one workspace; anything invalid refuses the request. */
export function authenticateClient(
  authenticateKey: (key: string, address: string) => Promise<Caller | undefined>,
  authenticateToken: AuthenticateToken = async () => undefined,
): Authenticate {
  return async ({ apiKey, authorization, address }) => {
    if (authorization === undefined)
      return apiKey === undefined ? undefined : authenticateKey(apiKey, address);
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) return undefined;
    if (apiKey === undefined) return authenticateToken(token);
    const [keyCaller, tokenCaller] = await Promise.all([
      authenticateKey(apiKey, address),
      authenticateToken(token),
    ]);
    return keyCaller && tokenCaller && together(keyCaller, tokenCaller);
  };
}

/** The token's user acts, within what both allow; the key is the credential that is counted. */
function together(key: Caller, token: Caller): Caller | undefined {
  if (key.workspaceId !== token.workspaceId) return undefined;
  return {
    ...key,
    userId: token.userId,
    tokenId: token.credential.id,
    oauthScopes: token.oauthScopes ?? new Set(),
    onlyOwnConversations: true,
  };
}
