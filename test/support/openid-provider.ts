import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

const CLIENT_ID = 'trunkline';
const CLIENT_SECRET = 'a secret of the client';

/** The provider's claims about an account. */
type Claims = Readonly<Record<string, unknown>>;

/** An OpenID Connect provider on a port of this machine. */
export interface OpenIdServer {
  readonly issuer: string;
  /** Accounts by their subject. */
  readonly accounts: Map<string, Claims>;
  /** The account of the next sign-in; undefined: the person denies. */
  person: string | undefined;
  /** Registers a client that returns to `serviceUrl`. */
  admit(serviceUrl: string): void;
  /** While false, every request is answered with 503. */
  isUp: boolean;
  stop(): Promise<void>;
}

/** Starts it without accounts and clients. It shows no pages: `person` is signed in at once. */
export async function startOpenIdProvider(): Promise<OpenIdServer> {
  let answer: ReturnType<Provider['callback']> | undefined;
  const http = createServer((request, response) => {
    if (!server.isUp || answer === undefined) return void response.writeHead(503).end();
    void answer(request, response);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server: OpenIdServer = {
    issuer: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    accounts: new Map(),
    person: undefined,
    isUp: true,
    admit(serviceUrl) {
      answer = providerOf(server, serviceUrl).callback();
    },
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}

function providerOf(server: OpenIdServer, serviceUrl: string): Provider {
  const provider = new Provider(server.issuer, configurationOf(server, serviceUrl));
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    const { person } = server;
    const result =
      person === undefined
        ? { error: 'access_denied', error_description: 'The person said no.' }
        : { login: { accountId: person, remember: false } };
    await provider.interactionFinished(context.req, context.res, result);
    context.respond = false;
  });
  return provider;
}

function configurationOf({ accounts }: OpenIdServer, serviceUrl: string): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${serviceUrl}/dashboard/oidc/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    cookies: { keys: ['of a test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) =>
      accounts.has(id) ? { accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) } : undefined,
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: CLIENT_ID,
        accountId: String(oidc.session?.accountId),
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

/** The settings of a service that uses this provider. */
export function openIdEnvironment({ issuer }: OpenIdServer): Record<string, string> {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_ROLE_CLAIM: 'groups',
    OIDC_ROLE_MAP: JSON.stringify({ crew: 'admin', support: 'member', guests: 'viewer' }),
    OIDC_BUTTON: 'Sign in with Example',
  };
}
