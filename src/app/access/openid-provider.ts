import * as openid from 'openid-client';
import type { OpenIdSettings } from '../../config.js';
import { clock } from '../../contract/clock.js';
import { OutgoingError } from '../../core/common/outgoing.js';
import {
  type Departure,
  type IdentityProvider,
  type ProvenPerson,
  ProviderError,
  type ProviderFault,
} from '../../core/sessions/identity-provider.js';
import type { Guard } from '../../outgoing/guard.js';
import { nameIn, roleIn, textIn } from './openid-claims.js';

const TIMEOUT_S = 10;
/** Maximum size of a response. Keys, claims and metadata of a provider take a few kilobytes. */
const ANSWER_BYTES = 1024 * 1024;
/** The metadata of the provider is fetched again after this time. */
const METADATA_MS = 60 * 60_000;
/**
 * Maximum number of concurrent sign-ins, because each one that waits for the provider holds a connection. Further ones are
 * refused.
 */
const AT_ONCE = 32;

const FAULTS: Readonly<Record<string, ProviderFault>> = {
  access_denied: 'denied',
  server_error: 'unavailable',
  temporarily_unavailable: 'unavailable',
};

interface Discovered {
  readonly at: number;
  readonly configuration: Promise<openid.Configuration>;
}

/** The OpenID Connect provider that the environment configures. Requests go through the guard. */
export class OpenIdProvider implements IdentityProvider {
  readonly label: string;
  private discovered: Discovered | undefined;
  private running = 0;

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly guard: Pick<Guard, 'fetch'>,
  ) {
    this.label = settings.label;
  }

  leave(redirectUri: string): Promise<{ readonly url: string; readonly departure: Departure }> {
    return this.asking(async (configuration) => {
      const departure = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      };
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: this.settings.scopes,
        state: departure.state,
        nonce: departure.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(departure.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, departure };
    });
  }

  arrive(returned: URL, { state, nonce, verifier }: Departure): Promise<ProvenPerson> {
    return this.asking(async (configuration) => {
      const tokens = await openid.authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const proven = tokens.claims();
      if (proven === undefined) throw new ProviderError('rejected', 'no_id_token');
      const more = this.isIncomplete(proven)
        ? await userInfo(configuration, tokens.access_token, proven.sub)
        : {};
      return this.personIn({ ...more, ...proven });
    });
  }

  private isIncomplete(claims: openid.IDToken): boolean {
    const { roles } = this.settings;
    return (
      claims.email === undefined ||
      (roles !== undefined && roleIn(claims, roles.claim, roles.byValue) === null)
    );
  }

  private personIn(claims: Readonly<Record<string, unknown>> & { readonly sub: string }): ProvenPerson {
    const { issuer, clientId, roles } = this.settings;
    // Some providers send the string instead of the boolean.
    const isVerified = claims.email_verified === true || claims.email_verified === 'true';
    return {
      issuer,
      clientId,
      subject: claims.sub,
      email: isVerified ? textIn(claims.email, 254) : undefined,
      name: nameIn(claims),
      role: roles === undefined ? undefined : roleIn(claims, roles.claim, roles.byValue),
    };
  }

  private async asking<Answer>(
    ask: (configuration: openid.Configuration) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.running >= AT_ONCE) throw new ProviderError('unavailable', 'too_many_sign_ins');
    this.running += 1;
    try {
      return await ask(await this.configuration());
    } catch (error) {
      throw error instanceof ProviderError ? error : new ProviderError(faultOf(error), reasonOf(error));
    } finally {
      this.running -= 1;
    }
  }

  /** Returns the cached provider configuration. A failed discovery is not cached. */
  private async configuration(): Promise<openid.Configuration> {
    const now = clock.now();
    if (this.discovered === undefined || this.discovered.at + METADATA_MS <= now)
      this.discovered = { at: now, configuration: this.discover() };
    const { discovered } = this;
    try {
      return await discovered.configuration;
    } catch (error) {
      if (this.discovered === discovered) this.discovered = undefined;
      throw new ProviderError('unavailable', reasonOf(error));
    }
  }

  private discover(): Promise<openid.Configuration> {
    const { issuer, clientId } = this.settings;
    const insecure = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [];
    return openid.discovery(new URL(issuer), clientId, undefined, this.authentication(), {
      timeout: TIMEOUT_S,
      execute: [...insecure, openid.enableNonRepudiationChecks],
      [openid.customFetch]: (url, options) => this.guard.fetch(url, options as RequestInit, ANSWER_BYTES),
    });
  }

  private authentication(): openid.ClientAuth {
    const { clientSecret, clientAuth } = this.settings;
    if (clientSecret === undefined) return openid.None();
    return clientAuth === 'post'
      ? openid.ClientSecretPost(clientSecret)
      : openid.ClientSecretBasic(clientSecret);
  }
}

/** Fetches claims that the provider does not include in the ID token. */
async function userInfo(configuration: openid.Configuration, accessToken: string, subject: string) {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return openid.fetchUserInfo(configuration, accessToken, subject);
}

function faultOf(error: unknown): ProviderFault {
  if (error instanceof openid.AuthorizationResponseError) return FAULTS[error.error] ?? 'rejected';
  if (outgoingIn(error) !== undefined) return 'unavailable';
  const { code } = error as { code?: unknown };
  return code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' ? 'unavailable' : 'rejected';
}

/** An error code for the log. Messages and causes of the library may contain tokens. */
function reasonOf(error: unknown): string {
  const outgoing = outgoingIn(error);
  if (outgoing !== undefined) return outgoing.problem;
  const isAnswer =
    error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError;
  const code = isAnswer ? error.error : (error as { code?: unknown }).code;
  return typeof code === 'string' ? code.slice(0, 64) : 'unknown';
}

function outgoingIn(error: unknown): OutgoingError | undefined {
  if (error instanceof OutgoingError) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof OutgoingError ? cause : undefined;
}
