import { z } from 'zod';
import { type AdapterHost, type JsonValue, PlatformError, savedJson } from '../../../src/contract/index.js';
import type { SlackClient } from '../client/transport.js';
import { changeState } from '../stored-state.js';

const PAGE_SIZE = 200;
const MAX_PAGES = 10;
const STATE = 'history-direct';
/** Number of ids that fit into one stored state. */
const MAX_DIRECT = 150;

/** Types of users.conversations, each with its scope and its name in events. */
const types = [
  ['public_channel', 'channel'],
  ['private_channel', 'group'],
  ['mpim', 'mpim'],
  ['im', 'im'],
] as const;

const answer = z.looseObject({
  channels: z.array(z.looseObject({ id: z.string() })).catch([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional().catch(undefined),
});

export interface KnownChannel {
  readonly id: string;
  /** The value of `channel_type` in events. */
  readonly type: string;
}

export interface ChannelList {
  /** Sorted by id. */
  readonly channels: readonly KnownChannel[];
  readonly isWhole: boolean;
}

/**
 * The channels that the app is a member of. Listing direct chats requires the scopes im:read and mpim:read. Without
 * them the adapter keeps the direct chats from which it received messages, in one list for all processes.
 */
export class Channels {
  readonly #client: SlackClient;
  readonly #host: AdapterHost;
  /** The list as this process last read or wrote it. Other processes may have added chats since. */
  #direct: ReadonlyMap<string, string> | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(client: SlackClient, host: AdapterHost) {
    this.#client = client;
    this.#host = host;
  }

  async list(signal: AbortSignal): Promise<ChannelList> {
    const found = new Map<string, string>(await this.#read());
    let isWhole = true;
    for (const [asked, type] of types) {
      const listed = await this.#ofType(asked, signal);
      isWhole &&= listed.isWhole;
      for (const id of listed.ids) found.set(id, type);
    }
    const channels = [...found].map(([id, type]) => ({ id, type })).sort((a, b) => (a.id < b.id ? -1 : 1));
    return { channels, isWhole };
  }

  /** Remembers the direct chat of an event. Costs one database write per new chat. */
  async notice(event: JsonValue | undefined): Promise<void> {
    const { channel_type: type } = Object(event) as { readonly channel_type?: unknown };
    if (type !== 'im' && type !== 'mpim') return;
    const { data } = direct.safeParse(event);
    if (data === undefined) return;
    const known = this.#direct ?? (await this.#read());
    if (known.has(data.channel)) return;
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#remember(data));
    await this.#saving;
  }

  async #remember({ channel, channel_type: type }: z.infer<typeof direct>): Promise<void> {
    let known = new Map<string, string>();
    await changeState(this.#host, STATE, (text) => {
      known = parseDirect(text);
      if (known.has(channel)) return undefined;
      known.set(channel, type);
      const [oldest] = known.keys();
      if (known.size > MAX_DIRECT && oldest !== undefined) known.delete(oldest);
      return JSON.stringify([...known]);
    });
    this.#direct = known;
  }

  async #ofType(type: string, signal: AbortSignal): Promise<{ ids: string[]; isWhole: boolean }> {
    const ids: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const query = { types: type, exclude_archived: true, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) };
      try {
        const page = answer.parse(await this.#client.read((web) => web.users.conversations(query), signal));
        ids.push(...page.channels.map(({ id }) => id));
        cursor = page.response_metadata?.next_cursor;
      } catch (error) {
        if (error instanceof PlatformError && isRefused(error)) return { ids, isWhole: false };
        throw error;
      }
      if (cursor === undefined || cursor === '') return { ids, isWhole: true };
    }
    return { ids, isWhole: false };
  }

  async #read(): Promise<ReadonlyMap<string, string>> {
    const known = parseDirect(await this.#host.state.load(STATE));
    this.#direct = known;
    return known;
  }
}

/** Parses the stored list. A damaged one counts as empty. */
const parseDirect = (text: string | undefined): Map<string, string> =>
  new Map(directList.parse(savedJson(text)));

const directList = z.array(z.tuple([z.string(), z.string()])).catch([]);

const direct = z.object({
  type: z.literal('message'),
  channel: z.string().min(1).max(30),
  channel_type: z.enum(['im', 'mpim']),
});

/** Without the scope the list is empty. */
const isRefused = ({ problem: { kind } }: PlatformError) => kind === 'rejected' || kind === 'misconfigured';
