import type { SessionIdentity } from '../access/session-identity.js';
import { newId } from '../common/new-id.js';
import {
  type AuthorizationRequest,
  authorizationResponse,
  type Parameters,
  type RequestProblem,
  readAuthorizationRequest,
  single,
} from './authorization-request.js';
import { generateOAuthCredential } from './credentials.js';
import type { OAuthApp, OAuthClients, OAuthGrants } from './ports.js';
import { grantable } from './role-scopes.js';

/** The app and its redirect URI. Nothing is sent to a redirect URI before both are known. */
export interface Requester {
  readonly app: OAuthApp;
  readonly redirectUri: string;
}

/** The parameter that does not match a registered app or one of its redirect URIs. */
export interface UnknownRequester {
  readonly unknown: 'client_id' | 'redirect_uri';
}

/** A valid request to show to the user. */
export interface Proposal extends Requester {
  readonly request: AuthorizationRequest;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Authorization of apps by users. */
export class AuthorizeApps {
  constructor(
    private readonly clients: OAuthClients,
    private readonly grants: OAuthGrants,
    private readonly issuer: () => string,
  ) {}

  /** Identifies the app. Apps exist only in their own workspace. Without a session, the workspace is not known yet. */
  async identify(parameters: Parameters, session?: SessionIdentity): Promise<Requester | UnknownRequester> {
    const clientId = single(parameters, 'client_id');
    const app =
      clientId !== undefined && UUID.test(clientId)
        ? await this.clients.findByClientId(clientId.toLowerCase())
        : undefined;
    if (app === undefined || (session !== undefined && session.workspaceId !== app.workspaceId)) {
      return { unknown: 'client_id' };
    }
    const redirectUri = single(parameters, 'redirect_uri');
    if (redirectUri === undefined || !app.redirectUris.includes(redirectUri)) {
      return { unknown: 'redirect_uri' };
    }
    return { app, redirectUri };
  }

  /** The request to show to the user, or a redirect that reports an error to the app. A viewer can grant only read scopes. */
  propose(
    requester: Requester,
    parameters: Parameters,
    session: SessionIdentity,
  ): Proposal | { readonly redirectTo: string } {
    const request = readAuthorizationRequest(parameters, requester.app.scopes);
    const state = single(parameters, 'state');
    if ('error' in request) return { redirectTo: this.refusal(requester, request, state) };
    const scopes = grantable(request.scopes, session.role);
    if (scopes.length > 0) return { ...requester, request: { ...request, scopes } };
    const problem = {
      error: 'access_denied',
      description: 'The role of the user allows none of this.',
    } as const;
    return { redirectTo: this.refusal(requester, problem, state) };
  }

  /** Executes the user's decision. Resolves with the next URL of the browser. */
  async decide(proposal: Proposal, session: SessionIdentity, approve: boolean): Promise<string> {
    const { app, redirectUri, request } = proposal;
    if (!approve) {
      const problem = { error: 'access_denied', description: 'The user denied the request.' } as const;
      return this.refusal(proposal, problem, request.state);
    }
    const code = generateOAuthCredential('code');
    await this.grants.approve({
      id: newId(),
      workspaceId: app.workspaceId,
      appId: app.id,
      userId: session.userId,
      scopes: request.scopes,
      codeHash: code.hash,
      redirectUri,
      codeChallenge: request.codeChallenge,
    });
    return authorizationResponse(redirectUri, { code: code.text, state: request.state, iss: this.issuer() });
  }

  /** The next URL of the browser if the decision could not be stored. */
  failed(proposal: Proposal): string {
    const problem = { error: 'server_error', description: 'The decision could not be stored.' } as const;
    return this.refusal(proposal, problem, proposal.request.state);
  }

  private refusal(
    { redirectUri }: Requester,
    { error, description }: RequestProblem,
    state?: string,
  ): string {
    const answer = { error, error_description: description, state, iss: this.issuer() };
    return authorizationResponse(redirectUri, answer);
  }
}
