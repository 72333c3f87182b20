import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { actAs } from '../../core/access/acting.js';
import { type OAuthRule, requireAccess, type ScopeRule } from '../../core/access/authorize.js';
import type { Caller } from '../../core/access/caller.js';
import type { Authenticate, Credentials } from '../../core/authentication/authenticate.js';
import { AppError } from '../../core/common/errors.js';
import type { Log } from '../../core/common/log.js';
import type { EventStreams } from '../../core/events/streams.js';
import type { Proposals } from '../../core/proposals/use-cases.js';
import type { Mount } from '../endpoint.js';
import { errorAnswer, presentError } from '../error-answer.js';
import { type Context, type Route, route, TakeOver } from '../route.js';
import { DRAFTING, draftTool } from './draft-tool.js';
import type { CallOutcome, OfferedTool } from './mcp-answer.js';
import { type Inject, RefusedRead, readApi } from './read-api.js';

import { type ReadTool, readTools } from './tools.js';
import { waitForEvents } from './wait-for-events.js';

export interface McpParts {
  /** The routes of the REST interface: the tools need the scopes of those that they read. */
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  /** Throws for a page of another origin, also one whose name was made to lead here (DNS rebinding). */
  readonly admit: (credentials: Credentials) => void;
  readonly inject: Inject;
  readonly streams: Pick<EventStreams, 'prepare'>;
  readonly proposals: Proposals;
  readonly version: string;
  readonly log: Log;
  readonly now: () => number;
}

const STREAM = '/openapi/events/stream';
const SHARED = { tag: 'Agents', scopes: [], oauth: 'any', success: 200, dashboard: true } as const;
const waiting = z.object({
  events: z.string().min(1).max(1_000).default('*').describe('Comma-separated names, prefixes or categories'),
  last_event_id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Continue after this event; default: events from now on'),
  seconds: z.int().min(1).max(25).default(20).describe('Longest time to wait'),
  limit: z.int().min(1).max(50).default(20),
});

/** The Model Context Protocol over streamable HTTP without sessions: one message per request, one JSON answer. */
export function mcpMount(parts: McpParts): Mount {
  const { authenticate, admit } = parts;
  const nothing = (method: 'GET' | 'DELETE') =>
    route({
      ...SHARED,
      method,
      path: '/mcp',
      summary: 'Not offered: there are no sessions and no stream of the server',
      handler: async () => new TakeOver((response) => response.writeHead(405, { allow: 'POST' }).end()),
    });
  const post = route({
    ...SHARED,
    method: 'POST',
    path: '/mcp',
    summary: 'Take a message of the Model Context Protocol',
    body: z.record(z.string(), z.unknown()),
    handler: async (context) => new TakeOver((response) => void answer(parts, context, response)),
  });
  return {
    prefixes: [''],
    covers: /^\/mcp$/,
    authenticate,
    admit,
    routes: [post, nothing('GET'), nothing('DELETE')],
  };
}

async function answer(parts: McpParts, context: Context, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const { answerMessage } = await import('./mcp-answer.js');
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const name of ['accept', 'mcp-protocol-version']) {
      const value = context.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, signal: gone.signal });
    const answered = await answerMessage(request, context.body, parts.version, toolsOf(parts, context));
    const text = await answered.text();
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(text);
  } catch (err) {
    if (!gone.signal.aborted) parts.log.error({ err, request_id: context.requestId }, 'mcp.failed');
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}

/** What the credentials of the request may call. Others are neither listed nor known. */
function toolsOf(parts: McpParts, context: Context): OfferedTool[] {
  const { caller } = context;
  const read = readApi(parts.inject, context);
  const tools = readTools
    .filter((tool) => tool.reads.every((path) => isAllowed(parts.routes, caller, path)))
    .map(
      (tool: ReadTool): OfferedTool => ({
        ...tool,
        call: (args) => outcome(parts, context, () => tool.run(args, read)),
      }),
    );
  return [
    ...tools,
    ...(isAllowed(parts.routes, caller, STREAM) ? [waitTool(parts, context)] : []),
    ...(holds(caller, DRAFTING.scopes, DRAFTING.oauth) ? [drafting(parts, context)] : []),
  ];
}

function waitTool(parts: McpParts, context: Context): OfferedTool {
  return {
    name: 'wait_for_events',
    title: 'Wait for events',
    description:
      'Waits up to 25 seconds for events such as message.created, and returns them. Pass last_event_id of the result to the next call to miss none.',
    input: waiting,
    call: (args, signal) => {
      const { events, last_event_id: lastEventId, seconds, limit } = args as z.output<typeof waiting>;
      const { caller, address, isStillValid } = context;
      const request = { events, lastEventId, version: '1.0', address, isStillValid } as const;
      const wait = () => waitForEvents(parts.streams, caller, request, { seconds, events: limit }, signal);
      return outcome(parts, context, wait);
    },
  };
}

function drafting(parts: McpParts, context: Context): OfferedTool {
  const { caller, address } = context;
  return {
    ...draftTool,
    writes: true,
    call: (args) =>
      outcome(parts, context, () =>
        actAs(caller, address, () => draftTool.run(args, caller, parts.proposals)),
      ),
  };
}

/** A refusal is a result that the model can read; any other error is logged, and the model learns nothing of it. */
async function outcome(
  parts: McpParts,
  { requestId }: Context,
  work: () => Promise<unknown>,
): Promise<CallOutcome> {
  try {
    return { value: await work(), refused: false };
  } catch (err) {
    if (err instanceof RefusedRead) return { value: err.answer, refused: true };
    if (!(err instanceof AppError)) parts.log.error({ err, request_id: requestId }, 'mcp.failed');
    return { value: presentError(errorAnswer(err, requestId, parts.now()).body, '1.0'), refused: true };
  }
}

function isAllowed(routes: readonly Route[], caller: Caller, path: string): boolean {
  const found = routes.find((each) => each.method === 'GET' && each.path === path);
  if (found === undefined) throw new Error(`There is no route GET ${path}.`);
  return holds(caller, typeof found.scopes === 'function' ? found.scopes(caller) : found.scopes, found.oauth);
}

function holds(caller: Caller, scopes: ScopeRule, oauth: OAuthRule): boolean {
  try {
    requireAccess(caller, scopes, oauth);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'access_denied') return false;
    throw error;
  }
}
