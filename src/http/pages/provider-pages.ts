import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type ProviderRefusal,
  type ProviderSignIn,
  ProviderSignInRefused,
} from '../../core/sessions/provider-sign-in.js';
import { clientAddress } from '../client-address.js';
import { splitTarget } from '../request-target.js';
import type { DepartureCookie, SessionCookie } from '../session-cookie.js';
import { returnPath } from './return-path.js';

export interface ProviderPagesOptions {
  readonly cookie: SessionCookie;
  readonly departures: DepartureCookie;
  readonly provider: ProviderSignIn;
}

export const PROVIDER_START = '/dashboard/oidc/start';
export const PROVIDER_CALLBACK = '/dashboard/oidc/callback';

const STATUS: Readonly<Record<ProviderRefusal, number>> = {
  unavailable: 503,
  rejected: 502,
  denied: 400,
  expired: 400,
  unverified: 403,
  no_role: 403,
  unknown: 403,
  suspended: 403,
  other_account: 403,
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Responses for the success and the failure of a step at the provider. */
export interface ProviderAnswers {
  readonly go: (reply: FastifyReply, url: string) => FastifyReply | Promise<FastifyReply>;
  readonly signedIn: (
    reply: FastifyReply,
    returnTo: string | undefined,
  ) => FastifyReply | Promise<FastifyReply>;
  readonly refused: (
    reply: FastifyReply,
    refusal: ProviderSignInRefused,
  ) => FastifyReply | Promise<FastifyReply>;
}

/** Redirects the browser to the provider. */
export async function startAtProvider(
  { provider, departures }: ProviderPagesOptions,
  answers: ProviderAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { return_to: to, workspace_id: workspace } = request.query as Record<string, unknown>;
  const workspaceId = typeof workspace === 'string' && UUID.test(workspace) ? workspace : undefined;
  try {
    const { url, note } = await provider.leave({ returnTo: returnPath(to), workspaceId });
    return await answers.go(reply.header('set-cookie', departures.set(note)), url);
  } catch (error) {
    return refuse(answers, reply, error);
  }
}

/** Signs in the user who returns from the provider. The cookie of the departure is valid once. */
export async function returnFromProvider(
  { provider, departures, cookie }: ProviderPagesOptions,
  answers: ProviderAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { cookie: header, 'user-agent': userAgent = '' } = request.headers;
  const visitor = { address: clientAddress(request), userAgent, token: cookie.read(header) };
  const { queryText = '' } = splitTarget(request.raw.url ?? '');
  reply.header('set-cookie', departures.clear());
  try {
    const opened = await provider.arrive(
      queryText === '' ? '' : `?${queryText}`,
      departures.read(header),
      visitor,
    );
    reply.header('set-cookie', cookie.set(opened.token));
    return await answers.signedIn(reply, opened.returnTo);
  } catch (error) {
    return refuse(answers, reply, error);
  }
}

function refuse(answers: ProviderAnswers, reply: FastifyReply, error: unknown) {
  if (!(error instanceof ProviderSignInRefused)) throw error;
  return answers.refused(reply.code(STATUS[error.reason]), error);
}
