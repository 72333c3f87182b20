import { type OAuthScope, oauthScopes } from '../access/scopes.js';
import { codePointLength } from '../schema/scalars.js';

/** Parameters in the order in which they were sent. A name may occur twice. */
export type Parameters = readonly (readonly [name: string, value: string])[];

/** Errors that the redirect reports to the app. */
type AuthorizationError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'unauthorized_client'
  | 'invalid_scope'
  | 'access_denied'
  | 'server_error';

export interface AuthorizationRequest {
  readonly scopes: readonly OAuthScope[];
  readonly state: string;
  readonly codeChallenge: string;
}

export interface RequestProblem {
  readonly error: AuthorizationError;
  readonly description: string;
}

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;
const MAX_STATE = 512;
const ONCE = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/** The only value of a parameter. Undefined if it is empty or sent more than once. */
export function single(parameters: Parameters, name: string): string | undefined {
  const values = parameters.filter(([sent]) => sent === name);
  return values.length === 1 && values[0]?.[1] !== '' ? values[0]?.[1] : undefined;
}

/** Checks the parameters of an app except its id and redirect URI. `allowed`: the scopes that the app may request. */
export function readAuthorizationRequest(
  parameters: Parameters,
  allowed: readonly OAuthScope[],
): AuthorizationRequest | RequestProblem {
  const twice = ONCE.find((name) => parameters.filter(([sent]) => sent === name).length > 1);
  if (twice !== undefined) return invalid(`${twice} must be sent once`);
  const responseType = single(parameters, 'response_type');
  if (responseType === undefined) return invalid('response_type is required and must be code');
  if (responseType !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' };
  }
  const state = single(parameters, 'state');
  if (state === undefined || codePointLength(state) > MAX_STATE) {
    return invalid('state is required and has 1 to 512 characters');
  }
  const codeChallenge = single(parameters, 'code_challenge');
  if (codeChallenge === undefined || !CHALLENGE.test(codeChallenge)) {
    return invalid('code_challenge is required: 43 to 128 characters of RFC 7636');
  }
  if (single(parameters, 'code_challenge_method') !== 'S256') {
    return invalid('code_challenge_method is required and must be S256');
  }
  const scopes = readScopes(single(parameters, 'scope'), allowed);
  return 'error' in scopes ? scopes : { scopes: scopes.known, state, codeChallenge };
}

function readScopes(
  sent: string | undefined,
  allowed: readonly OAuthScope[],
): { readonly known: OAuthScope[] } | RequestProblem {
  if (sent === undefined) return invalid('scope is required');
  const names = new Set(sent.split(' ').filter((name) => name !== ''));
  const known = oauthScopes.filter((scope) => names.has(scope) && allowed.includes(scope));
  if (known.length === 0 || known.length < names.size) {
    return { error: 'invalid_scope', description: `scope must name scopes of the app: ${allowed.join(' ')}` };
  }
  return { known };
}

function invalid(description: string): RequestProblem {
  return { error: 'invalid_request', description };
}

/** The URL of the response: the registered redirect URI with these parameters added to its query. */
export function authorizationResponse(
  redirectUri: string,
  answer: Readonly<Record<string, string | undefined>>,
): string {
  const sent = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(sent).toString();
  const joint = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${/[?&]$/.test(redirectUri) ? '' : joint}${query}`;
}
