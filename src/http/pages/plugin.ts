import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionReader } from '../../core/sessions/ports.js';
import type { ProviderSignIn } from '../../core/sessions/provider-sign-in.js';
import type { AcceptInvitation, OpenSessions, SetUp } from '../../core/sessions/use-cases.js';
import {
  closedInvitationPage,
  invitationPage,
  leadOnPage,
  setupPage,
  signedInPage,
  signInPage,
} from './documents.js';
import { languageOf } from './language.js';
import type { ProviderButton } from './parts.js';
import {
  PROVIDER_CALLBACK,
  PROVIDER_START,
  type ProviderAnswers,
  type ProviderPagesOptions,
  returnFromProvider,
  startAtProvider,
} from './provider-pages.js';
import { returnPath } from './return-path.js';
import { TEXTS } from './texts/index.js';

export interface PagesOptions extends ProviderPagesOptions {
  readonly reader: SessionReader;
  readonly sessions: OpenSessions;
  readonly setUp: SetUp;
  readonly invitations: AcceptInvitation;
}

const LOGIN = '/dashboard/login';
/** The page after a sign-in that no other page requested. */
const HOME = '/dashboard';
const FIRST_STEPS = '/dashboard/welcome';
const SETUP = '/dashboard/setup';

/** The pages load and request nothing from other origins, can't be framed, and send forms only through the script. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

type Get = (
  url: string,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) => void;

/** The pages before the dashboard: sign-in, first run and invitations. */
export function pagesPlugin(options: PagesOptions): FastifyPluginAsync {
  return async (server) => {
    const get: Get = (url, answer) => server.route({ method: ['GET', 'HEAD'], url, handler: answer });
    get(LOGIN, (request, reply) => login(options, request, reply));
    get(SETUP, (request, reply) => setup(options, request, reply));
    get('/dashboard/invitations/:token', (request, reply) => invitation(options, request, reply));
    bindProvider(options, get);
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

/** Registers the pages of the sign-in provider, if there is one. */
function bindProvider(options: PagesOptions, get: Get): void {
  const { provider } = options;
  if (provider.label === undefined) return;
  const answers: ProviderAnswers = {
    go: (reply, url) => reply.headers(HEADERS).redirect(url),
    signedIn: (reply, returnTo) => send(reply, leadOnPage(languageFor(reply.request), returnTo ?? HOME)),
    refused: (reply, { reason, returnTo }) => {
      const language = languageFor(reply.request);
      const options = {
        button: buttonOf(provider, returnTo, {}),
        problem: TEXTS[language].providerProblems[reason],
      };
      return send(reply, signInPage(language, returnTo ?? HOME, options));
    },
  };
  get(PROVIDER_START, (request, reply) => startAtProvider(options, answers, request, reply));
  get(PROVIDER_CALLBACK, (request, reply) => returnFromProvider(options, answers, request, reply));
}

function buttonOf(
  { label }: ProviderSignIn,
  returnTo: string | undefined,
  query: unknown,
): ProviderButton | undefined {
  if (label === undefined) return undefined;
  const { workspace_id: workspaceId } = query as Record<string, unknown>;
  const parameters = new URLSearchParams();
  if (returnTo !== undefined) parameters.set('return_to', returnTo);
  if (typeof workspaceId === 'string') parameters.set('workspace_id', workspaceId);
  return { label, href: `${PROVIDER_START}?${parameters}` };
}

async function login(
  { setUp, reader, cookie, sessions, provider }: PagesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const returnTo = returnPath((request.query as Record<string, unknown>).return_to);
  if (await setUp.isPending()) return reply.redirect(withReturn(SETUP, returnTo));
  const token = cookie.read(request.headers.cookie);
  const session = token === undefined ? undefined : await reader.find(token);
  if (session === undefined) {
    const button = buttonOf(provider, returnTo, request.query);
    const options = { isCookieHidden: mayHideCookie(request), button };
    return send(reply, signInPage(languageFor(request), returnTo ?? HOME, options));
  }
  if (returnTo !== undefined) return reply.headers(HEADERS).redirect(returnTo);
  const { user, workspace } = await sessions.describe(session);
  return send(reply, signedInPage(languageFor(request), user.display_name, workspace.name));
}

/**
 * Whether another site led to this page, so that the browser did not send the strict cookie. Old browsers send no such header.
 */
function mayHideCookie({ headers }: FastifyRequest): boolean {
  return (headers['sec-fetch-site'] ?? 'cross-site') === 'cross-site';
}

async function setup({ setUp }: PagesOptions, request: FastifyRequest, reply: FastifyReply) {
  const returnTo = returnPath((request.query as Record<string, unknown>).return_to);
  if (!(await setUp.isPending())) return reply.redirect(withReturn(LOGIN, returnTo));
  return send(reply, setupPage(languageFor(request), returnTo ?? FIRST_STEPS, setUp.asksForToken));
}

async function invitation(
  { invitations, provider }: PagesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { token } = request.params as { token: string };
  const language = languageFor(request);
  if (await invitations.isOpen(token))
    return send(reply, invitationPage(language, token, HOME, buttonOf(provider, undefined, {})));
  return send(reply.code(404), closedInvitationPage(language));
}

const languageFor = ({ headers }: FastifyRequest) => languageOf(headers['accept-language']);

function withReturn(page: string, returnTo: string | undefined): string {
  return returnTo === undefined ? page : `${page}?return_to=${encodeURIComponent(returnTo)}`;
}

async function send(reply: FastifyReply, text: string, type = 'text/html'): Promise<FastifyReply> {
  return reply.headers(HEADERS).type(`${type}; charset=utf-8`).send(text);
}
