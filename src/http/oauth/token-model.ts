import type OAuth2Server from '@node-oauth/oauth2-server';
import type { OAuthScope } from '../../core/access/scopes.js';
import { generateOAuthCredential, readOAuthCredential } from '../../core/oauth/credentials.js';
import type { OAuthApp, OAuthGrants, OAuthTokens, Redeemable } from '../../core/oauth/ports.js';
import { OAuthFault } from './fault.js';

export const grantTypes = ['authorization_code', 'refresh_token'] as const;

/** RFC 7636, 4.1. A value of another form can't match a challenge. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

export interface TokenStores {
  readonly tokens: OAuthTokens;
  readonly grants: OAuthGrants;
}

/** Replaces the code or refresh token of a request by new tokens. Resolves with false when another request was faster. */
type Use = (
  scopes: readonly OAuthScope[],
  issued: { readonly access: Buffer; readonly refresh: Buffer },
) => Promise<boolean>;

/**
 * The model of one token request for the library, which checks the rules of the protocol.
 *
 * Nothing changes before the last call, `saveToken`. It redeems the code or refresh token and issues new tokens in one step.
 */
export class TokenModel {
  private use: Use | undefined;

  constructor(
    private readonly stores: TokenStores,
    private readonly app: OAuthApp,
    private readonly form: Readonly<Record<string, string>>,
  ) {}

  /** The app was authenticated before the library is called. */
  async getClient(): Promise<OAuth2Server.Client> {
    return { id: this.app.clientId, grants: [...grantTypes] };
  }

  async getAuthorizationCode(text: string): Promise<OAuth2Server.AuthorizationCode | undefined> {
    const hash = readOAuthCredential(text, 'code');
    const code = hash && (await this.unused(await this.stores.tokens.findCode(hash)));
    if (hash === undefined || code === undefined) return undefined;
    if (code.redirectUri !== this.form.redirect_uri) {
      throw new OAuthFault('invalid_grant', 'redirect_uri is not the one of the authorization request.');
    }
    if (!VERIFIER.test(this.form.code_verifier ?? '')) {
      throw new OAuthFault('invalid_grant', 'code_verifier does not belong to the code.');
    }
    this.use = (_scopes, issued) => this.stores.tokens.redeemCode(hash, this.app.id, issued);
    return {
      authorizationCode: text,
      expiresAt: code.expiresAt,
      redirectUri: code.redirectUri,
      codeChallenge: code.codeChallenge,
      codeChallengeMethod: 'S256',
      scope: [...code.scopes],
      client: clientOf(code),
      user: { id: code.userId },
    };
  }

  async revokeAuthorizationCode(): Promise<boolean> {
    return this.use !== undefined;
  }

  async getRefreshToken(text: string): Promise<OAuth2Server.RefreshToken | undefined> {
    const hash = readOAuthCredential(text, 'refresh');
    const token = hash && (await this.unused(await this.stores.tokens.findRefreshToken(hash)));
    if (hash === undefined || token === undefined) return undefined;
    this.use = (scopes, issued) => this.stores.tokens.rotate(hash, this.app.id, scopes, issued);
    return {
      refreshToken: text,
      refreshTokenExpiresAt: token.expiresAt,
      scope: [...token.scopes],
      client: clientOf(token),
      user: { id: token.userId },
    };
  }

  async revokeToken(): Promise<boolean> {
    return this.use !== undefined;
  }

  async saveToken(
    wanted: OAuth2Server.Token,
    client: OAuth2Server.Client,
    user: OAuth2Server.User,
  ): Promise<OAuth2Server.Token> {
    const access = generateOAuthCredential('access');
    const refresh = generateOAuthCredential('refresh');
    const scope = wanted.scope ?? [];
    const issued = { access: access.hash, refresh: refresh.hash };
    if (this.use === undefined || !(await this.use(scope as OAuthScope[], issued))) {
      throw new OAuthFault('invalid_grant', 'The code or token is no longer valid.');
    }
    return { accessToken: access.text, refreshToken: refresh.text, scope, client, user };
  }

  /** A code or token that is used twice has been disclosed, so its grant ends. */
  private async unused<T extends Redeemable>(found: T | undefined): Promise<T | undefined> {
    if (found?.used !== true) return found;
    await this.stores.grants.revoke(found.grantId);
    return undefined;
  }
}

function clientOf({ clientId }: Redeemable): OAuth2Server.Client {
  return { id: clientId, grants: [...grantTypes] };
}
