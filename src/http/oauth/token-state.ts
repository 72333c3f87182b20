import { readOAuthCredential } from '../../core/oauth/credentials.js';
import { authenticateApp } from './client-authentication.js';
import { OAuthFault } from './fault.js';
import { required } from './form.js';
import type { TokenServices } from './token-endpoint.js';

/**
 * Revokes a token of the app that sends the request. An unknown token, or one of another app, is not an error (RFC 7009).
 * Raises OAuthFault.
 */
export async function revokeToken(
  { clients, tokens }: TokenServices,
  form: Readonly<Record<string, string>>,
  authorization: string | undefined,
): Promise<void> {
  const app = await authenticateApp(clients, form, authorization);
  const hash = readOAuthCredential(required(form, 'token'), 'access', 'refresh');
  if (hash !== undefined) await tokens.revoke(hash, app.id);
}

/** Describes a confidential app's own token (RFC 7662). Raises OAuthFault. */
export async function introspectToken(
  { clients, tokens }: TokenServices,
  form: Readonly<Record<string, string>>,
  authorization: string | undefined,
): Promise<object> {
  const app = await authenticateApp(clients, form, authorization);
  if (app.type === 'public') throw new OAuthFault('invalid_client', 'Only confidential clients may ask.');
  const hash = readOAuthCredential(required(form, 'token'), 'access', 'refresh');
  const token = hash && (await tokens.describe(hash, app.id));
  if (token === undefined) return { active: false };
  return {
    active: true,
    scope: token.scopes.join(' '),
    client_id: app.clientId,
    sub: token.userId,
    exp: Math.floor(token.expiresAt.getTime() / 1_000),
    iat: Math.floor(token.issuedAt.getTime() / 1_000),
    token_type: token.kind === 'access' ? 'Bearer' : 'refresh_token',
  };
}
