import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashCredential } from '../../core/access/api-key-format.js';
import type { SessionIdentity } from '../../core/access/session-identity.js';
import type { Log } from '../../core/common/log.js';
import { type Parameters, single } from '../../core/oauth/authorization-request.js';
import type { AuthorizeApps, Proposal } from '../../core/oauth/authorize.js';
import type { SessionReader } from '../../core/sessions/ports.js';
import { languageOf } from '../pages/language.js';
import { readTarget } from '../request-target.js';
import type { SessionCookie } from '../session-cookie.js';
import { readFields } from './form.js';
import { consentPage, forgedAnswerPage, type Page, returnPage, unknownRequesterPage } from './pages.js';

export interface AuthorizeServices {
  readonly authorize: AuthorizeApps;
  readonly sessions: SessionReader;
  readonly cookie: SessionCookie;
  readonly publicUrl: () => string;
  readonly log: Log;
}

/** The authorization request, and the session of the user. */
interface Step {
  readonly proposal: Proposal;
  readonly session: SessionIdentity;
}

/** The page where a user authorizes an app, and the endpoint for its form. */
export class AuthorizeEndpoint {
  constructor(private readonly services: AuthorizeServices) {}

  async ask(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const url = request.raw.url ?? '';
    const { query: parameters } = readTarget(url);
    const step = await this.examine(request, reply, parameters, url);
    if (step === undefined) return reply;
    return sendPage(
      reply,
      200,
      consentPage(languageFor(request), step.proposal, parameters, step.session.csrfToken),
    );
  }

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const fields = readFields(request.body, request.headers['content-type']);
    const parameters = fields.filter(([name]) => name !== 'csrf_token' && name !== 'approve');
    const url = `/oauth/authorize?${new URLSearchParams(parameters as [string, string][])}`;
    const step = await this.examine(request, reply, parameters, url);
    if (step === undefined) return reply;
    const sent = single(fields, 'csrf_token') ?? '';
    if (!this.isOwnPage(request) || !isSame(sent, step.session.csrfToken)) {
      return sendPage(reply, 403, forgedAnswerPage(languageFor(request)));
    }
    const approve = single(fields, 'approve') === 'true';
    return redirect(reply, await this.decide(request, step, approve));
  }

  private async decide(
    request: FastifyRequest,
    { proposal, session }: Step,
    approve: boolean,
  ): Promise<string> {
    const { authorize, log } = this.services;
    try {
      return await authorize.decide(proposal, session, approve);
    } catch (err) {
      log.error({ err, request_id: request.id }, 'oauth.failed');
      return authorize.failed(proposal);
    }
  }

  /** The proposal for the user. Undefined when a response was already sent. */
  private async examine(
    request: FastifyRequest,
    reply: FastifyReply,
    parameters: Parameters,
    url: string,
  ): Promise<Step | undefined> {
    const { authorize, sessions, cookie } = this.services;
    const token = cookie.read(request.headers.cookie);
    const session = token === undefined ? undefined : await sessions.find(token);
    const requester = await authorize.identify(parameters, session);
    if ('unknown' in requester) {
      sendPage(reply, 400, unknownRequesterPage(languageFor(request), requester.unknown));
      return undefined;
    }
    if (session === undefined) {
      if (token === undefined && cameFromElsewhere(request))
        sendPage(reply, 200, returnPage(languageFor(request), url));
      else redirect(reply, `/dashboard/login?return_to=${encodeURIComponent(url)}`);
      return undefined;
    }
    const proposal = authorize.propose(requester, parameters, session);
    if (!('redirectTo' in proposal)) return { proposal, session };
    redirect(reply, proposal.redirectTo);
    return undefined;
  }

  private isOwnPage({ headers }: FastifyRequest): boolean {
    const { origin, host } = headers;
    if (origin === undefined) return true;
    return origin === this.services.publicUrl() || (URL.canParse(origin) && new URL(origin).host === host);
  }
}

const languageFor = ({ headers }: FastifyRequest) => languageOf(headers['accept-language']);

function cameFromElsewhere({ headers, method }: FastifyRequest): boolean {
  return method === 'GET' && headers['sec-fetch-site'] === 'cross-site';
}

function isSame(sent: string, wanted: string): boolean {
  return timingSafeEqual(hashCredential(sent), hashCredential(wanted));
}

function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(302).headers(privately()).header('location', location).send();
}

function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  const target = page.formTarget === undefined ? '' : ` ${page.formTarget}`;
  return reply
    .code(status)
    .headers(privately())
    .header('content-type', 'text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'${target}; frame-ancestors 'none'; base-uri 'none'`,
    )
    .header('x-frame-options', 'DENY')
    .send(page.text);
}

/** Headers of a private page: its URL contains data for the app only, and its content is for the user only. */
function privately(): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}
