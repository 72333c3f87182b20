import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionReader } from '../../core/ports/sessions.js';
import type { AcceptInvitation, OpenSessions, SetUp } from '../../core/sessions/use-cases.js';
import type { SessionCookie } from '../session-cookie.js';
import { closedInvitationPage, invitationPage, setupPage, signedInPage, signInPage } from './documents.js';
import { returnPath } from './return-path.js';

export interface PagesOptions {
  readonly cookie: SessionCookie;
  readonly reader: SessionReader;
  readonly sessions: OpenSessions;
  readonly setUp: SetUp;
  readonly invitations: AcceptInvitation;
}

const LOGIN = '/dashboard/login';
/** Where people go when no other page sent them. */
const HOME = '/dashboard';
const FIRST_STEPS = '/dashboard/welcome';
const SETUP = '/dashboard/setup';

/** Nothing from elsewhere is loaded or requested, no page may frame this one, and no form leaves without the script. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** The pages by which people get in: sign-in, first run, invitations. */
export function pagesPlugin(options: PagesOptions): FastifyPluginAsync {
  return async (server) => {
    const get = (
      url: string,
      answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
    ) => server.route({ method: ['GET', 'HEAD'], url, handler: answer });
    get(LOGIN, (request, reply) => login(options, request, reply));
    get(SETUP, (request, reply) => setup(options, request, reply));
    get('/dashboard/invitations/:token', (request, reply) => invitation(options, request, reply));
    for (const [name, type] of [
      ['pages.js', 'text/javascript'],
      ['pages.css', 'text/css'],
      ['icon.svg', 'image/svg+xml'],
    ] as const) {
      const text = readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
      get(`/dashboard/pages/${name}`, (_request, reply) => send(reply, text, type));
    }
  };
}

async function login(
  { setUp, reader, cookie, sessions }: PagesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const returnTo = returnPath((request.query as Record<string, unknown>).return_to);
  if (await setUp.isPending()) return reply.redirect(withReturn(SETUP, returnTo));
  const token = cookie.read(request.headers.cookie);
  const session = token === undefined ? undefined : await reader.find(token);
  if (session === undefined) return send(reply, signInPage(returnTo ?? HOME, mayHideCookie(request)));
  if (returnTo !== undefined) return reply.headers(HEADERS).redirect(returnTo);
  const { user, workspace } = await sessions.describe(session);
  return send(reply, signedInPage(user.display_name, workspace.name));
}

/** Whether another site led here: then browsers keep the strict cookie back. Old ones don't say. */
function mayHideCookie({ headers }: FastifyRequest): boolean {
  return (headers['sec-fetch-site'] ?? 'cross-site') === 'cross-site';
}

async function setup({ setUp }: PagesOptions, request: FastifyRequest, reply: FastifyReply) {
  const returnTo = returnPath((request.query as Record<string, unknown>).return_to);
  if (!(await setUp.isPending())) return reply.redirect(withReturn(LOGIN, returnTo));
  return send(reply, setupPage(returnTo ?? FIRST_STEPS, setUp.asksForToken));
}

async function invitation({ invitations }: PagesOptions, request: FastifyRequest, reply: FastifyReply) {
  const { token } = request.params as { token: string };
  if (await invitations.isOpen(token)) return send(reply, invitationPage(token, HOME));
  return send(reply.code(404), closedInvitationPage());
}

function withReturn(page: string, returnTo: string | undefined): string {
  return returnTo === undefined ? page : `${page}?return_to=${encodeURIComponent(returnTo)}`;
}

async function send(reply: FastifyReply, text: string, type = 'text/html'): Promise<FastifyReply> {
  return reply.headers(HEADERS).type(`${type}; charset=utf-8`).send(text);
}
