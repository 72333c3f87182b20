import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import {
  clock,
  type LookupQuery,
  type LookupResult,
  PlatformError,
  remoteMessageId,
} from '../../../src/contract/index.js';
import type { SlackClient } from '../client/transport.js';
import type { ThreadHint, Threads } from '../directory/threads.js';
import type { OwnIds } from '../ingress/intake.js';
import { METADATA_EVENT } from './writer.js';

const PAGE_SIZE = 200;
const MAX_PAGES = 10;
/** Slack's clock may lag behind ours. */
const CLOCK_SLACK_S = 120;
const SHARED_AFTER_MS = 10_000;
/** Delay before the channel is read again if several messages match. Some of them may be identified by then. */
const ALIKE_MS = 60_000;

interface Message {
  readonly ts?: string;
  readonly user?: string;
  readonly bot_id?: string;
  readonly files?: readonly { readonly size?: number }[];
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: unknown };
}

interface Page {
  readonly messages?: readonly Message[];
  readonly response_metadata?: { readonly next_cursor?: string };
}

/**
 * Searches for a lost write by the key in its metadata. Slack documents no time after which a request can no longer
 * take effect, so a missing message is never reported as finally absent.
 */
export async function lookUp(
  query: LookupQuery,
  client: SlackClient,
  threads: Threads,
  own: OwnIds,
): Promise<LookupResult> {
  // Repeating an edit or a deletion does no harm, so these are simply repeated.
  if (query.step.action !== 'create') return { outcome: 'absent', resend: 'recognised' };
  const { step, key } = query;
  try {
    const { threadTs } = await threads.place(query.to.chatId, step.payload as ThreadHint);
    const page = (cursor: string | undefined) => readPage(query, threadTs, cursor, client);
    if (step.kind !== 'media') return await search(page, (message) => keyIn(message) === key);
    return await searchFiles(query, page, own);
  } catch (error) {
    if (error instanceof PlatformError && isHopeless(error)) return { outcome: 'undecidable' };
    throw error;
  }
}

type ReadPage = (cursor: string | undefined) => Promise<Page>;

async function search(page: ReadPage, isIt: (message: Message) => boolean): Promise<LookupResult> {
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const { messages = [], response_metadata } = await page(cursor);
    const hit = messages.find(isIt);
    if (hit?.ts !== undefined) return { outcome: 'found', remoteId: remoteMessageId(hit.ts) };
    cursor = response_metadata?.next_cursor;
    if (cursor === undefined || cursor === '') return { outcome: 'absent' };
  }
  return { outcome: 'undecidable' };
}

/**
 * A message with uploaded files has no key. It is identified as the only message of the bridge since the write whose
 * files have these sizes and that belongs to no other write. Slack shares files some moments after their upload.
 */
async function searchFiles(
  { step, startedAt, lastStartedAt = startedAt, knownIds = [] }: LookupQuery,
  page: ReadPage,
  own: OwnIds,
): Promise<LookupResult> {
  const sizes = sizesOf(filesIn.parse(step.payload.files).map(({ sizeBytes }) => sizeBytes));
  const known = new Set<string | undefined>(knownIds);
  const alike: (string | undefined)[] = [];
  const all = await search(page, (message) => {
    const isOwn =
      (message.user !== undefined && message.user === own.selfUserId) ||
      (message.bot_id !== undefined && message.bot_id === own.selfBotId);
    const same = sizesOf((message.files ?? []).map(({ size }) => size)) === sizes;
    if (isOwn && same && !known.has(message.ts)) alike.push(message.ts);
    return false;
  });
  const [only, ...others] = alike;
  if (all.outcome !== 'absent') return { outcome: 'undecidable' };
  if (others.length > 0) return { outcome: 'undecidable', askAgainAfterMs: ALIKE_MS };
  if (only !== undefined) return { outcome: 'found', remoteId: remoteMessageId(only) };
  const leftMs = Date.parse(lastStartedAt) + SHARED_AFTER_MS - clock.now();
  return leftMs < 0 ? { outcome: 'absent' } : { outcome: 'undecidable', askAgainAfterMs: leftMs + 1 };
}

const filesIn = z.array(z.object({ sizeBytes: z.number() })).catch([]);

function sizesOf(sizes: readonly (number | undefined)[]): string {
  return [...sizes].sort().join();
}

function keyIn({ metadata }: Message): unknown {
  if (metadata?.event_type !== METADATA_EVENT) return undefined;
  const { event_payload } = metadata;
  return typeof event_payload === 'object' && event_payload !== null && 'key' in event_payload
    ? event_payload.key
    : undefined;
}

function readPage(
  { to, startedAt }: LookupQuery,
  threadTs: string | undefined,
  cursor: string | undefined,
  client: SlackClient,
): Promise<Page> {
  const range = {
    channel: to.chatId,
    oldest: String(Date.parse(startedAt) / 1000 - CLOCK_SLACK_S),
    limit: PAGE_SIZE,
    include_all_metadata: true,
    ...(cursor === undefined ? {} : { cursor }),
  };
  const page = async (web: WebClient): Promise<Page> => {
    if (threadTs === undefined) return (await web.conversations.history(range)) as Page;
    return (await web.conversations.replies({ ...range, ts: threadTs })) as Page;
  };
  return client.read(page, undefined, 'chat');
}

/** Permanent refusals. Without history scopes or membership the channel cannot be read. */
function isHopeless({ problem }: PlatformError): boolean {
  return problem.kind === 'rejected' || problem.kind === 'misconfigured';
}
