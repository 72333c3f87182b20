import { z } from 'zod';
import { actAs } from '../../core/access/acting.js';
import { type OAuthRule, requireAccess, type ScopeRule } from '../../core/access/authorize.js';
import type { Caller } from '../../core/access/caller.js';
import { isInGrant } from '../../core/access/grants.js';
import type { AgentSessions, BeginningCall } from '../../core/agents/sessions.js';
import { AppError } from '../../core/common/errors.js';
import type { Log } from '../../core/common/log.js';
import type { EventStreams } from '../../core/events/streams.js';
import type { Proposals } from '../../core/proposals/use-cases.js';
import { errorAnswer, presentError } from '../error-answer.js';
import type { Context, Route } from '../route.js';
import type { CallOutcome, OfferedTool } from './mcp-answer.js';
import { type Inject, postApi, RefusedRequest, readApi } from './rest-api.js';
import { seenIn } from './seen.js';
import { type ReadTool, readTools } from './tools.js';
import { waitForEvents } from './wait-for-events.js';
import { type WriteTool, writeTools } from './write-tools.js';

export interface ToolParts {
  /** The routes of the REST API. A tool needs the scopes of the routes that it uses. */
  readonly routes: readonly Route[];
  readonly inject: Inject;
  readonly streams: Pick<EventStreams, 'prepare'>;
  readonly sessions: AgentSessions;
  readonly proposals: Proposals;
  readonly log: Log;
  readonly now: () => number;
}

const STREAM = '/openapi/events/stream';
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

/** The tools that the credentials of the request may call. Other tools are neither listed nor callable. */
export function offeredTools(parts: ToolParts, context: Context): OfferedTool[] {
  const { caller } = context;
  const read = readApi(parts.inject, context);
  const ask = postApi(parts.inject, context);
  const reading = readTools
    .filter((tool) => mayRead(parts.routes, caller, tool))
    .map((tool) => offerReading(parts, context, tool, (args) => tool.run(args, read, ask)));
  const writing = writeTools
    .filter((tool) => mayWrite(caller, tool))
    .map((tool) => offerWriting(parts, context, tool));
  const waits = isAllowed(parts.routes, caller, STREAM) ? [waitTool(parts, context)] : [];
  return [...reading, ...waits, ...writing];
}

function waitTool(parts: ToolParts, context: Context): OfferedTool {
  const tool = {
    name: 'wait_for_events',
    title: 'Wait for events',
    description:
      'Waits up to 25 seconds for events such as message.created, and returns them. Pass last_event_id of the result to the next call to miss none.',
    input: waiting,
  };
  return offerReading(parts, context, tool, (args, signal) => {
    const { events, last_event_id: lastEventId, seconds, limit } = args as z.output<typeof waiting>;
    const { caller, address, isStillValid } = context;
    const request = { events, lastEventId, version: '1.0', address, isStillValid } as const;
    return waitForEvents(parts.streams, caller, request, { seconds, events: limit }, signal);
  });
}

/** Records what the result shows before the agent receives it. */
function offerReading(
  parts: ToolParts,
  context: Context,
  tool: Omit<OfferedTool, 'call' | 'writes'>,
  run: (args: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>,
): OfferedTool {
  const call: OfferedTool['call'] = (args, signal) =>
    guarded(parts, context, { tool: tool.name, use: 'read' }, async () => {
      const result = await run(args, signal);
      await parts.sessions.note(context.caller, seenIn(tool.name, result));
      return result;
    });
  return { ...tool, writes: false, call };
}

function offerWriting(parts: ToolParts, context: Context, tool: WriteTool): OfferedTool {
  const { caller } = context;
  const post = postApi(parts.inject, context);
  const call: OfferedTool['call'] = (args) => {
    const { conversation } = args as { conversation?: string };
    const beginning = { tool: tool.name, use: tool.use, target: conversation };
    return guarded(parts, context, beginning, async (allowed) => {
      const result = await tool.run(args, { caller, proposals: parts.proposals, post, allowed });
      await parts.sessions.note(caller, seenIn(tool.name, result));
      return result;
    });
  };
  return { ...tool, writes: true, call };
}

/** Runs a call if the session allows it. The call is written to the audit log before `work` starts. */
function guarded(
  parts: ToolParts,
  context: Context,
  call: BeginningCall,
  work: (allowed: Awaited<ReturnType<AgentSessions['begin']>>) => Promise<unknown>,
): Promise<CallOutcome> {
  const { caller, address } = context;
  return outcome(parts, context, () =>
    actAs(caller, address, async () => work(await parts.sessions.begin(caller, call))),
  );
}

/** Returns a refusal as a result that the model can read. Other errors are logged, and the model gets no details. */
async function outcome(
  parts: ToolParts,
  { requestId }: Context,
  work: () => Promise<unknown>,
): Promise<CallOutcome> {
  try {
    return { value: await work(), refused: false };
  } catch (err) {
    if (err instanceof RefusedRequest) return { value: err.answer, refused: true };
    if (!(err instanceof AppError)) parts.log.error({ err, request_id: requestId }, 'mcp.failed');
    return { value: presentError(errorAnswer(err, requestId, parts.now()).body, '1.0'), refused: true };
  }
}

function mayRead(routes: readonly Route[], caller: Caller, { reads, asks }: ReadTool): boolean {
  const allowed = reads.every((path) => isAllowed(routes, caller, path));
  return allowed && (asks === undefined || isAllowed(routes, caller, asks, 'POST'));
}

function mayWrite(caller: Caller, { scopes, oauth, inTestOnly = false }: WriteTool): boolean {
  return holds(caller, scopes, oauth) && (!inTestOnly || maySimulate(caller));
}

/** Grants do not cover simulated customers, because the agent chooses their addresses. */
function maySimulate({ environment, restriction }: Caller): boolean {
  return environment === 'test' && restriction?.by !== 'grant';
}

function isAllowed(routes: readonly Route[], caller: Caller, path: string, method = 'GET'): boolean {
  const found = routes.find((each) => each.method === method && each.path === path);
  if (found === undefined) throw new Error(`There is no route ${method} ${path}.`);
  const { scopes, oauth, wholeWorkspace = false } = found;
  if ((wholeWorkspace && caller.restriction !== undefined) || !isInGrant(caller, found)) return false;
  return holds(caller, typeof scopes === 'function' ? scopes(caller) : scopes, oauth);
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
