import { z } from 'zod';
import { acceptInvitationBody, setupBody, signInBody } from '../../../core/sessions/bodies.js';
import type { Visitor } from '../../../core/sessions/ports.js';
import { sessionRecord } from '../../../core/sessions/record.js';
import { secondStepBody, secondStepWantedRecord } from '../../../core/sessions/second-step-record.js';
import type {
  AcceptInvitation,
  OpenedSession,
  OpenSessions,
  ProveSignIn,
  SetUp,
  SignIn,
} from '../../../core/sessions/use-cases.js';
import { type Context, type OtherSuccess, type Route, route } from '../../route.js';
import type { SessionCookie } from '../../session-cookie.js';
import { dashboard } from './common.js';

export interface SessionUseCases {
  readonly signIn: SignIn;
  readonly prove: ProveSignIn;
  readonly setUp: SetUp;
  readonly invitations: AcceptInvitation;
  readonly sessions: OpenSessions;
}

const tokenParams = z.object({ token: z.string().min(1).max(128) });

/** Creates and ends sessions. The first four routes require no session. */
export function sessionRoutes(useCases: SessionUseCases, cookie: SessionCookie): Route[] {
  return [
    ...signInRoutes(useCases, cookie),
    ...firstSessionRoutes(useCases, cookie),
    ...currentRoutes(useCases, cookie),
  ];
}

const opening = {
  ...dashboard,
  open: true,
  method: 'POST',
  success: 200,
  response: sessionRecord,
} as const;

/** Reads the data of the browser for a use case, and sets the cookie of a new session. */
function browserOf(cookie: SessionCookie) {
  const visitor = ({ address, header }: Context): Visitor => ({
    address,
    userAgent: header('user-agent') ?? '',
    token: cookie.read(header('cookie')),
  });
  const opened = ({ token, record }: OpenedSession): OtherSuccess => ({
    status: 200,
    record,
    headers: { 'set-cookie': cookie.set(token) },
  });
  return { visitor, opened };
}

function signInRoutes({ signIn, prove }: SessionUseCases, cookie: SessionCookie): Route[] {
  const { visitor, opened } = browserOf(cookie);
  return [
    route({
      ...opening,
      path: '/session',
      summary: 'Sign in',
      body: signInBody,
      response: z.union([sessionRecord, secondStepWantedRecord]),
      handler: async (context) => {
        const answer = await signIn.execute(context.body, visitor(context));
        return 'second_step' in answer ? { status: 202, record: answer } : opened(answer);
      },
    }),
    route({
      ...opening,
      path: '/session/second-step',
      summary: 'Finish a sign-in with a code',
      body: secondStepBody,
      handler: async (context) => opened(await prove.execute(context.body, visitor(context))),
    }),
  ];
}

function firstSessionRoutes({ setUp, invitations }: SessionUseCases, cookie: SessionCookie): Route[] {
  const { visitor, opened } = browserOf(cookie);
  return [
    route({
      ...opening,
      path: '/setup',
      summary: 'Make the first user of the installation',
      body: setupBody,
      handler: async (context) => opened(await setUp.execute(context.body, visitor(context))),
    }),
    route({
      ...opening,
      path: '/invitations/{token}',
      summary: 'Accept an invitation',
      params: tokenParams,
      body: acceptInvitationBody,
      handler: async (context) =>
        opened(await invitations.execute(context.params.token, context.body, visitor(context))),
    }),
  ];
}

function currentRoutes({ sessions }: SessionUseCases, cookie: SessionCookie): Route[] {
  return [
    route({
      ...dashboard,
      method: 'GET',
      path: '/session',
      summary: 'Who is signed in',
      success: 200,
      response: sessionRecord,
      handler: ({ caller }) => sessions.get(caller),
    }),
    route({
      ...dashboard,
      method: 'DELETE',
      path: '/session',
      summary: 'Sign out',
      success: 204,
      handler: async ({ caller }): Promise<OtherSuccess> => {
        await sessions.end(caller);
        return { status: 204, record: undefined, headers: { 'set-cookie': cookie.clear() } };
      },
    }),
  ];
}
