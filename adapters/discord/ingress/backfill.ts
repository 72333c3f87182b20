import { setTimeout as delay } from 'node:timers/promises';
import type { APIMessage, GatewayDispatchPayload } from 'discord-api-types/v10';
import { z } from 'zod';
import { type AdapterHost, PlatformError, savedJson } from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';
import { LruMap } from '../directory/lru.js';
import { snowflakeAt, snowflakeTime } from '../snowflake.js';
import { unfetchedEnvelope } from './dispatch.js';
import type { Intake } from './intake.js';
import type { Session } from './session.js';

const PAGE = 100;
/** Limit of pages of one channel that are fetched for a gap. */
const MAX_PAGES = 50;
/** Number of channels of a server that are fetched concurrently, each in its order. */
const CHANNELS_AT_ONCE = 8;
/** Tolerated difference between the clocks of the bridge and of Discord. */
const SKEW_MS = 60_000;
const STATE = 'direct-channels';
/** Number of ids that fit into one stored state. */
const MAX_DIRECT = 150;

const channels = z.array(z.object({ id: z.string(), last_message_id: z.string().nullish() })).catch([]);
const guildSchema = z.object({ id: z.string(), channels, threads: channels });

/**
 * Fetches the messages that were sent while no session was open. At login Discord sends the last message id of each
 * channel of a server. Discord does not list direct chats, so the most recently active ones are remembered.
 */
export class Backfill {
  readonly #rest: DiscordRest;
  readonly #host: AdapterHost;
  readonly #intake: Intake;
  readonly #maxPages: number;
  readonly #direct = new LruMap<true>(MAX_DIRECT);
  #loading: Promise<void> | undefined;
  /** The stored list is damaged. It does not say which direct chats there are. */
  #isDamaged = false;
  /** The next write. It stores everything that is known when it begins. */
  #upcoming: Promise<void> | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(rest: DiscordRest, host: AdapterHost, intake: Intake, maxPages = MAX_PAGES) {
    this.#rest = rest;
    this.#host = host;
    this.#intake = intake;
    this.#maxPages = maxPages;
  }

  /** Remembers the chat of a direct message. */
  async notice({ t, d }: GatewayDispatchPayload): Promise<void> {
    const { guild_id, channel_id } = d as unknown as Readonly<Record<string, unknown>>;
    if (t !== 'MESSAGE_CREATE' || guild_id !== undefined || typeof channel_id !== 'string') return;
    await this.#load();
    if (this.#direct.get(channel_id)) return;
    this.#direct.set(channel_id, true);
    try {
      await this.#save();
    } catch (error) {
      this.#direct.delete(channel_id);
      throw error;
    }
  }

  /** Writes are sequential. Calls during a write share the next write. */
  #save(): Promise<void> {
    this.#upcoming ??= this.#saving
      .catch(() => undefined)
      .then(() => {
        this.#saving = this.#write();
        this.#upcoming = undefined;
        return this.#saving;
      });
    return this.#upcoming;
  }

  #write(): Promise<void> {
    return this.#host.state.save(STATE, JSON.stringify(this.#direct.entries().map(([id]) => id)));
  }

  /** Fetches messages of the direct chats since a time. */
  async directChats(since: string, session: Session, signal: AbortSignal): Promise<void> {
    await this.#load();
    for (const [id] of this.#direct.entries()) await this.#fetch(id, undefined, since, session, signal);
    if (!this.#isDamaged) return;
    const reason = 'The list of direct chats is damaged, so their missed messages are not all fetched.';
    await this.#host.receive(unfetchedEnvelope(since, 'direct-list', session, reason));
  }

  /** Fetches messages of a server since a time, from the channels that have any. */
  async server(guild: unknown, since: string, session: Session, signal: AbortSignal): Promise<void> {
    const { data } = guildSchema.safeParse(guild);
    if (data === undefined) return;
    const from = BigInt(startOf(since));
    const newer = [...data.channels, ...data.threads].filter(
      ({ last_message_id: last }) => last && /^\d+$/.test(last) && BigInt(last) > from,
    );
    const fetchNext = async () => {
      for (let next = newer.pop(); next !== undefined; next = newer.pop())
        await this.#fetch(next.id, data.id, since, session, signal);
    };
    const results = await Promise.allSettled(Array.from({ length: CHANNELS_AT_ONCE }, fetchNext));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #fetch(
    channel: string,
    guild: string | undefined,
    since: string,
    session: Session,
    signal: AbortSignal,
  ): Promise<void> {
    let after = startOf(since);
    for (let page = 0; page < this.#maxPages; page += 1) {
      const messages = await this.#page(channel, after, signal);
      for (const message of messages.toSorted(byId)) await this.#store(message, guild, session);
      after = messages.map(({ id }) => id).reduce((a, b) => (BigInt(a) > BigInt(b) ? a : b), after);
      if (messages.length < PAGE) return;
    }
    const last = new Date(snowflakeTime(after)).toISOString();
    const reason = `The channel ${channel} has more messages than are fetched.`;
    await this.#host.receive(unfetchedEnvelope(last, channel, session, reason));
  }

  /** Waits as long as Discord requires. A channel that the bot may not read yields no messages. */
  async #page(channel: string, after: string, signal: AbortSignal): Promise<APIMessage[]> {
    const route = `/channels/${channel}/messages` as const;
    const query = { after, limit: String(PAGE) };
    for (;;) {
      try {
        return await this.#rest.call<APIMessage[]>({ method: 'GET', route, query, signal, write: false });
      } catch (error) {
        const problem = error instanceof PlatformError ? error.problem : undefined;
        if (problem?.kind === 'rejected') return [];
        if (problem?.kind !== 'rate_limited') throw error;
        await delay(problem.retryAfterMs, undefined, { signal });
      }
    }
  }

  /** Builds the event that the gateway would have sent, so that a message that also arrived is not stored twice. */
  async #store(message: APIMessage, guild: string | undefined, session: Session): Promise<void> {
    const d = { ...message, ...(guild === undefined ? {} : { guild_id: guild }) };
    const dispatch = { op: 0, t: 'MESSAGE_CREATE', s: 0, d } as unknown as GatewayDispatchPayload;
    await this.#intake.take(dispatch, session)?.();
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #read(): Promise<void> {
    const stored = await this.#host.state.load(STATE);
    const { data } = z.array(z.string()).safeParse(savedJson(stored));
    this.#isDamaged = stored !== undefined && data === undefined;
    for (const id of (data ?? []).slice(-MAX_DIRECT)) this.#direct.set(id, true);
  }
}

const startOf = (since: string): string => snowflakeAt(Date.parse(since) - SKEW_MS);
const byId = (a: APIMessage, b: APIMessage): number => (BigInt(a.id) < BigInt(b.id) ? -1 : 1);
