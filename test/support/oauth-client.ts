import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oauth from 'openid-client';
import { type OAuthStage, registerApp } from './oauth.js';

/** A third-party app with a server that people visit with a browser. */
export interface OAuthClient {
  readonly origin: string;
  /** The tokens that it received last. */
  tokens(): Promise<oauth.TokenEndpointResponse>;
  stop(): Promise<void>;
}

/** The state of a visitor who was redirected to the service. */
interface Departure {
  readonly verifier: string;
  readonly state: string;
}

/** Starts it as an app with a secret. It is registered in the service with the address it listens on. */
export async function startOAuthClient(stage: OAuthStage): Promise<OAuthClient> {
  const departures = new Map<string, Departure>();
  let given: oauth.TokenEndpointResponse | undefined;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => show(response, `It failed: ${reasonOf(error)}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirectUri = `${origin}/callback`;
  const app = await registerApp(stage, {
    type: 'confidential',
    redirectUris: [redirectUri],
    name: 'Sam’s reader',
  });
  const config = await oauth.discovery(
    new URL(stage.service.url),
    app.clientId,
    undefined,
    oauth.ClientSecretBasic(String(app.secret)),
    { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] },
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    if (url.pathname === '/start')
      return leave(url.searchParams.get('redirect_uri') ?? redirectUri, response);
    if (url.pathname === '/callback') return comeBack(url, response);
    return show(response, '<a href="/start">Connect</a>');
  }

  async function leave(to: string, response: ServerResponse): Promise<void> {
    const departure = { verifier: oauth.randomPKCECodeVerifier(), state: oauth.randomState() };
    departures.set(departure.state, departure);
    const url = oauth.buildAuthorizationUrl(config, {
      redirect_uri: to,
      scope: 'user.read messages.read',
      state: departure.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(departure.verifier),
      code_challenge_method: 'S256',
    });
    response.writeHead(302, { location: url.href }).end();
  }

  async function comeBack(url: URL, response: ServerResponse): Promise<void> {
    const departure = departures.get(url.searchParams.get('state') ?? '');
    if (departure === undefined) return show(response, 'Nobody left from here.');
    departures.delete(departure.state);
    given = await oauth.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: departure.verifier,
      expectedState: departure.state,
    });
    return show(response, 'It worked.');
  }

  return {
    origin,
    tokens: async () => {
      if (given === undefined) throw new Error('The app was given nothing.');
      return given;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function reasonOf(error: Error): string {
  return error instanceof oauth.AuthorizationResponseError ? error.error : error.message;
}

function show(response: ServerResponse, content: string): void {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><link rel="icon" href="data:,"><title>App</title><p>${content}</p>`);
}
