import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { type JsonObject, PlatformError } from '../../../src/contract/index.js';
import type { SlackClient } from '../client/transport.js';
import { CallBudget } from './call-budget.js';

/**
 * Slack's recommended maximum (docs.slack.dev/reference/methods/conversations.history). Apps with the low limit get 15.
 */
const PAGE_SIZE = 200;
/** Limits of messages per channel and per thread that are fetched for a gap. */
const MAX_MESSAGES = 2_000;
const MAX_REPLIES = 1_000;
/** Number of threads per channel that are searched, those with the latest replies first. */
const MAX_THREADS = 50;
/** Number of messages before the gap that are checked for threads with new replies. They cost at most one more page. */
const ROOTS_BEFORE = 20;
/**
 * Internal and Marketplace apps may make 50 calls per minute and method. Half of the limit is reserved for the calls of
 * sends. The burst covers a channel list of usual length.
 */
const CALL_RATE = { perMinute: 25, burst: 20 };

const message = z.looseObject({
  ts: z.string().regex(/^\d{1,11}\.\d{1,6}$/),
  thread_ts: z.string().optional().catch(undefined),
  subtype: z.string().optional().catch(undefined),
  latest_reply: z.string().optional().catch(undefined),
  edited: z.object({ ts: z.string() }).optional().catch(undefined),
});
export type HistoryMessage = z.infer<typeof message>;

const page = z.looseObject({
  messages: z.array(z.unknown()).catch([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional().catch(undefined),
});

export interface History {
  /** Oldest first: new messages, and older messages that were edited or deleted since. */
  readonly messages: readonly HistoryMessage[];
  /** False if the channel has more messages than are fetched. */
  readonly isWhole: boolean;
}

/** Reads the messages of a channel and its threads since a time, within a share of Slack's limits. */
export class HistoryReader {
  readonly #client: SlackClient;
  readonly #budgets = { history: new CallBudget(CALL_RATE), replies: new CallBudget(CALL_RATE) };

  constructor(client: SlackClient) {
    this.#client = client;
  }

  /** `since` in seconds, like Slack's timestamps. */
  async read(channel: string, since: number, signal: AbortSignal): Promise<History> {
    const found = await this.#channel(channel, since, signal);
    const threads = found.messages
      .filter(({ ts, thread_ts, latest_reply }) => thread_ts === ts && Number(latest_reply ?? 0) > since)
      .sort((a, b) => Number(b.latest_reply) - Number(a.latest_reply));
    let isWhole = found.isWhole && threads.length <= MAX_THREADS;
    const byTs = new Map(found.messages.map((one) => [one.ts, one]));
    for (const { ts } of threads.slice(0, MAX_THREADS)) {
      const thread = await this.#thread(channel, ts, since, signal);
      isWhole &&= thread.isWhole;
      for (const reply of thread.messages) if (!byTs.has(reply.ts)) byTs.set(reply.ts, reply);
    }
    const news = [...byTs.values()].filter((one) => isNews(one, since));
    return { messages: news.sort((a, b) => Number(a.ts) - Number(b.ts)), isWhole };
  }

  /** Slack always lists the newest first, so pages are read until one reaches beyond the gap. */
  async #channel(channel: string, since: number, signal: AbortSignal): Promise<History> {
    const messages: HistoryMessage[] = [];
    let before = 0;
    for (let cursor: string | undefined, pages = 0; ; pages += 1) {
      const listed = await this.#page('history', { channel, cursor }, signal);
      messages.push(...listed.messages);
      before += listed.messages.filter(({ ts }) => Number(ts) <= since).length;
      cursor = listed.cursor;
      if (cursor === undefined || before >= ROOTS_BEFORE) return { messages, isWhole: true };
      if (messages.length >= MAX_MESSAGES || pages >= MAX_MESSAGES) return { messages, isWhole: before > 0 };
    }
  }

  /** Replies are listed oldest first, after the root. */
  async #thread(channel: string, ts: string, since: number, signal: AbortSignal): Promise<History> {
    const messages: HistoryMessage[] = [];
    for (let cursor: string | undefined, pages = 0; ; pages += 1) {
      const oldest = since.toFixed(6);
      const listed = await this.#page('replies', { channel, ts, oldest, cursor }, signal);
      messages.push(...listed.messages.filter((one) => one.ts !== ts));
      cursor = listed.cursor;
      if (cursor === undefined) return { messages, isWhole: true };
      if (messages.length >= MAX_REPLIES || pages >= MAX_REPLIES) return { messages, isWhole: false };
    }
  }

  async #page(
    method: 'history' | 'replies',
    { cursor, ...given }: { channel: string; ts?: string; oldest?: string; cursor: string | undefined },
    signal: AbortSignal,
  ): Promise<{ messages: HistoryMessage[]; cursor: string | undefined }> {
    const query = { ...given, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    const call = (web: WebClient) =>
      method === 'history'
        ? web.conversations.history(query)
        : web.conversations.replies({ ...query, ts: given.ts ?? '' });
    const answer = page.parse(await this.#paced(this.#budgets[method], call, signal));
    const next = answer.response_metadata?.next_cursor;
    return {
      messages: answer.messages.flatMap((one) => message.safeParse(one).data ?? []),
      cursor: next === '' || next === cursor ? undefined : next,
    };
  }

  /** Waits twice the time that Slack asks for: the first call after the wait belongs to sends. */
  async #paced(budget: CallBudget, call: (web: WebClient) => Promise<unknown>, signal: AbortSignal) {
    for (;;) {
      await budget.awaitPermit(signal);
      try {
        return await this.#client.read(call, signal);
      } catch (error) {
        if (!(error instanceof PlatformError) || error.problem.kind !== 'rate_limited') throw error;
        await delay(2 * error.problem.retryAfterMs, undefined, { signal });
      }
    }
  }
}

/** Whether the message was written, edited or deleted since. A deleted root leaves a tombstone. */
function isNews({ ts, edited, subtype }: HistoryMessage, since: number): boolean {
  return Number(ts) > since || Number(edited?.ts ?? 0) > since || subtype === 'tombstone';
}

/** Builds the bodies that the Events API would have sent for a message of the history, each with its key. */
export function bodiesOf(
  { edited, ...rest }: HistoryMessage,
  { channel, type, since, at }: { channel: string; type: string; since: number; at: string },
): readonly { readonly key: string; readonly body: JsonObject }[] {
  const message = rest as unknown as JsonObject;
  const place = { type: 'message', channel, channel_type: type };
  const key = `history:${channel}:${rest.ts}`;
  const callback = (event: JsonObject): JsonObject => ({ type: 'event_callback', event });
  const changed = (event_ts: string): JsonObject =>
    callback({ ...place, subtype: 'message_changed', message, ts: event_ts, event_ts });
  if (rest.subtype === 'tombstone') return [{ key: `${key}:gone`, body: changed(at) }];
  return [
    ...(Number(rest.ts) > since ? [{ key, body: callback({ ...message, ...place }) }] : []),
    ...(Number(edited?.ts ?? 0) > since
      ? [{ key: `${key}:${edited?.ts}`, body: changed(edited?.ts ?? at) }]
      : []),
  ];
}
