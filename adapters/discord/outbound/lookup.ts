import type { APIMessage } from 'discord-api-types/v10';
import { z } from 'zod';
import {
  clock,
  type JsonObject,
  type LookupQuery,
  type LookupResult,
  remoteMessageId,
} from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';
import type { Directory } from '../directory/directory.js';
import { snowflakeAt, snowflakeTime } from '../snowflake.js';
import { nonceOf } from './nonce.js';
import { isClosed, threadOfMade } from './threads.js';
import type { Webhooks } from './webhooks.js';

const PAGE = 100;
const MAX_PAGES = 10;
/** Tolerated difference between the clocks of the bridge and of Discord. */
const SKEW_MS = 60_000;
/** The channel is read up to this time after the latest create began. */
const WINDOW_MS = 300_000;
/**
 * Another create with the same nonce is safe for this time after the first one. Discord checks an enforced nonce
 * against "the past few minutes", which start when the first create takes effect
 * (https://docs.discord.com/developers/resources/message#create-message-jsonform-params).
 */
const NONCE_MS = 120_000;

/** The accounts and channels with which the bot may have written, and whether the chat supports nonces. */
interface Writers {
  readonly selfId: string;
  readonly webhooks: Pick<Webhooks, 'idsIn'>;
  readonly isForum: () => Promise<boolean>;
  readonly directory: Pick<Directory, 'isThreadIn'>;
}

/** Searches the thread of the write, and also the chat if the thread refused the message. */
export async function lookup(rest: DiscordRest, writers: Writers, query: LookupQuery): Promise<LookupResult> {
  const [first, ...others] = await channelsOf(writers, query);
  const missing = await lookIn(first, rest, writers, query).catch((error: unknown): LookupResult => {
    if (others.length === 0 || !isClosed(error)) throw error;
    return { outcome: 'undecidable' };
  });
  if (missing.outcome === 'found') return missing;
  for (const channel of others) {
    const result = await lookIn(channel, rest, writers, query);
    if (result.outcome === 'found') return { ...result, ...threadOfMade({ channel_id: channel }, query.to) };
    if (result.outcome === 'undecidable') return result;
  }
  return missing;
}

async function channelsOf(
  { directory }: Writers,
  { to, step: { payload } }: LookupQuery,
): Promise<readonly [string, ...string[]]> {
  const { chatId, threadId, mayLeaveThread } = to;
  if (threadId !== undefined) return mayLeaveThread ? [threadId, chatId] : [threadId];
  const root = payload.thread_of;
  return typeof root === 'string' && (await directory.isThreadIn(root, chatId)) ? [chatId, root] : [chatId];
}

/**
 * Reads the channel from shortly before the write and searches for its message. Discord documents no time after which a
 * request can no longer take effect, so a missing message may be sent again only while its nonce is valid.
 */
async function lookIn(
  channel: string,
  rest: DiscordRest,
  writers: Writers,
  query: LookupQuery,
): Promise<LookupResult> {
  const isOurs = await ours(channel, writers, query);
  const endsAt = Date.parse(query.lastStartedAt ?? query.startedAt) + WINDOW_MS;
  const alike: APIMessage[] = [];
  let after = snowflakeAt(Date.parse(query.startedAt) - SKEW_MS);
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const messages = await rest.call<APIMessage[]>({
      method: 'GET',
      route: `/channels/${channel}/messages`,
      query: { after, limit: String(PAGE) },
      write: false,
    });
    const own = messages.filter(isOurs);
    const marked = own.find((message) => message.nonce === nonceOf(query.key));
    if (marked !== undefined) return { outcome: 'found', remoteId: remoteMessageId(marked.id) };
    alike.push(...own.filter((message) => message.nonce === undefined && isAlike(message, query)));
    after = newest(messages) ?? after;
    if (messages.length < PAGE || snowflakeTime(after) > endsAt)
      return verdict(alike, await isRecognised(writers, query));
  }
  return (await isRecognised(writers, query)) ? recognised : { outcome: 'undecidable' };
}

const recognised: LookupResult = { outcome: 'absent', resend: 'recognised' };

/** Delay before the channel is read again if several messages match. Some of them may be identified by then. */
const ALIKE_MS = 60_000;

/**
 * Discord returns the nonce when a message is created, but not when it is read. So the bot's only message with the same
 * content counts as the lost one. If several match, another create with the nonce decides.
 */
function verdict(alike: readonly APIMessage[], isKnown: boolean): LookupResult {
  const [only, another] = alike;
  if (only !== undefined && another === undefined)
    return { outcome: 'found', remoteId: remoteMessageId(only.id) };
  if (isKnown) return recognised;
  return only === undefined ? { outcome: 'absent' } : { outcome: 'undecidable', askAgainAfterMs: ALIKE_MS };
}

/** Webhooks ignore nonces, and creating a forum post accepts none. */
async function isRecognised({ isForum }: Writers, { step, startedAt }: LookupQuery): Promise<boolean> {
  if (step.payload.persona !== undefined || clock.now() - Date.parse(startedAt) > NONCE_MS) return false;
  return !(await isForum());
}

/**
 * Matches messages of the bot, and of its webhooks if the lost message had a persona. Excludes messages that are known
 * to be other messages.
 */
async function ours(
  channel: string,
  { selfId, webhooks }: Writers,
  query: LookupQuery,
): Promise<(message: APIMessage) => boolean> {
  const known: ReadonlySet<string> = new Set(query.knownIds ?? []);
  const { persona } = query.step.payload;
  const hooks = persona === undefined ? [] : await webhooks.idsIn(channel);
  const name = persona === undefined ? undefined : (persona as JsonObject).name;
  return ({ id, author, webhook_id }) => {
    if (known.has(id)) return false;
    if (webhook_id === undefined) return author.id === selfId;
    return hooks.includes(webhook_id) && author.username === name;
  };
}

/**
 * Discord strips white space around the content. If the bot wrote the message itself, the persona's name precedes the text.
 */
function isAlike(message: APIMessage, { step: { payload } }: LookupQuery): boolean {
  const asBot = message.webhook_id === undefined && typeof payload.attributed === 'string';
  const content = asBot ? payload.attributed : payload.content;
  if (typeof content !== 'string' || message.content.trim() !== content.trim()) return false;
  const sizes = filesIn.parse(payload.files ?? []).map(({ sizeBytes }) => sizeBytes);
  const there = (message.attachments ?? []).map(({ size }) => size);
  return there.length === sizes.length && there.every((size, place) => size === sizes[place]);
}

const filesIn = z.array(z.object({ sizeBytes: z.number() })).catch([]);

function newest(messages: readonly APIMessage[]): string | undefined {
  const ids = messages.map((message) => BigInt(message.id));
  return ids.length === 0 ? undefined : String(ids.reduce((a, b) => (a > b ? a : b)));
}
