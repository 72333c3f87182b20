import OAuth2Server from '@node-oauth/oauth2-server';
import { lifetimes } from '../../core/oauth/credentials.js';
import type { OAuthClients } from '../../core/oauth/ports.js';
import { authenticateApp } from './client-authentication.js';
import { OAuthFault, type TokenError, tokenErrors } from './fault.js';
import { required } from './form.js';
import { grantTypes, TokenModel, type TokenStores } from './token-model.js';

export interface TokenServices extends TokenStores {
  readonly clients: OAuthClients;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  authorization_code: ['code', 'redirect_uri', 'code_verifier'],
  refresh_token: ['refresh_token'],
};

/** The app is authenticated before the library reads the form. */
const AUTHENTICATED = { authorization_code: false, refresh_token: false };

/** Exchanges a code or a refresh token for tokens. Raises OAuthFault. */
export async function issueTokens(
  services: TokenServices,
  form: Readonly<Record<string, string>>,
  authorization: string | undefined,
): Promise<TokenAnswer> {
  const grantType = required(form, 'grant_type');
  const fields = Object.hasOwn(FIELDS, grantType) ? FIELDS[grantType] : undefined;
  if (fields === undefined) {
    throw new OAuthFault('unsupported_grant_type', `grant_type must be one of ${grantTypes.join(', ')}.`);
  }
  const app = await authenticateApp(services.clients, form, authorization);
  for (const field of fields) required(form, field);
  const model = new TokenModel(services, app, form);
  const token = await ask(model, { ...form, client_id: app.clientId });
  return {
    access_token: token.accessToken,
    token_type: 'Bearer',
    expires_in: lifetimes.accessSeconds,
    refresh_token: String(token.refreshToken),
    scope: (token.scope ?? []).join(' '),
  };
}

async function ask(model: TokenModel, body: Record<string, string>): Promise<OAuth2Server.Token> {
  // The types of the library also require methods that check access tokens. They are not used here.
  const server = new OAuth2Server({ model: model as unknown as OAuth2Server.RefreshTokenModel });
  const request = new OAuth2Server.Request({
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(JSON.stringify(body).length),
    },
    method: 'POST',
    query: {},
    body,
  });
  try {
    return await server.token(request, new OAuth2Server.Response(), {
      accessTokenLifetime: lifetimes.accessSeconds,
      refreshTokenLifetime: lifetimes.refreshIdleSeconds,
      requireClientAuthentication: AUTHENTICATED,
    });
  } catch (error) {
    throw faultOf(error);
  }
}

/** Unwraps errors that the library did not create itself, such as a lost database connection. */
function faultOf(error: unknown): unknown {
  if (!(error instanceof OAuth2Server.OAuthError)) return error;
  const { inner } = error as { inner?: unknown };
  if (inner instanceof Error && !(inner instanceof OAuth2Server.OAuthError)) return inner;
  const known = tokenErrors.find((name) => name === error.name) as TokenError | undefined;
  return known === undefined ? error : new OAuthFault(known, error.message);
}
