import type { JsonObject } from '../../../src/contract/index.js';
import type { SimulatedFile, SimulatedMessage } from '../../../src/contract/simulation/index.js';
import { emojiNamed } from '../directory/emoji.js';
import { buttonsIn, plainText } from './blocks.js';

export interface SimulatedUser {
  readonly id: string;
  readonly name: string;
  readonly bot: boolean;
}

export interface SimulatedChannel {
  readonly id: string;
  readonly name: string;
  readonly type: 'channel' | 'group' | 'im' | 'mpim';
  archived: boolean;
  /** Whether the app is a member. */
  member: boolean;
}

/** A stored message of the simulated Slack. */
export interface StoredMessage {
  readonly ts: string;
  readonly channel: string;
  readonly author: SimulatedUser;
  text: string;
  blocks?: readonly JsonObject[];
  /** The name and icon under which the app wrote. */
  readonly persona?: { readonly username: string; readonly icon_url?: string };
  /** User ids by the name of the reaction. */
  readonly reactions: Map<string, Set<string>>;
  readonly threadTs?: string;
  readonly metadata?: { readonly event_type: string; readonly event_payload: Record<string, unknown> };
  /** Files by id. */
  readonly files?: Map<string, SimulatedFile>;
  /** Legacy cards below the text. */
  attachments?: readonly JsonObject[];
  edited?: string;
  deleted: boolean;
}

export const TEAM_ID = 'T0SIMTEAM';
export const APP_ID = 'A0SIMBRIDGE';
export const BOT_ID = 'B0SIMBRIDGE';
export const BOT_USER: SimulatedUser = { id: 'U0SIMBRIDGE', name: 'Bridge', bot: true };

/** One workspace: people, channels and messages. */
export class Workspace {
  readonly #users = new Map<string, SimulatedUser>([[BOT_USER.id, BOT_USER]]);
  readonly #idsByName = new Map<string, string>();
  readonly #channels = new Map<string, SimulatedChannel>();
  readonly #messages = new Map<string, Map<string, StoredMessage>>();
  /** Handles of user groups by id. */
  readonly userGroups = new Map([['S0SIMOPS', 'ops']]);
  #lastTick = 0;

  constructor() {
    this.addChannel({ id: 'C0SIMGENERAL', name: 'general', type: 'channel' });
    this.addChannel({ id: 'C0SIMSUPPORT', name: 'support', type: 'channel' });
    this.addChannel({ id: 'G0SIMPRIVATE', name: 'private', type: 'group' });
    this.addChannel({ id: 'G0SIMSEVERAL', name: 'mpdm-ann--bob--bridge-1', type: 'mpim' });
    this.openDirect(this.person('Dana').id);
  }

  addChannel(channel: Pick<SimulatedChannel, 'id' | 'name' | 'type'>): SimulatedChannel {
    const created = { ...channel, archived: false, member: true };
    this.#channels.set(channel.id, created);
    return created;
  }

  channels(): readonly SimulatedChannel[] {
    return [...this.#channels.values()];
  }

  channel(id: string): SimulatedChannel | undefined {
    return this.#channels.get(id);
  }

  users(): readonly SimulatedUser[] {
    return [...this.#users.values()];
  }

  /** The same name is always the same account. */
  person(name: string, bot = false): SimulatedUser {
    const id = this.#idsByName.get(name) ?? `U1P${String(this.#idsByName.size + 1).padStart(6, '0')}`;
    this.#idsByName.set(name, id);
    const user = { id, name, bot: bot || this.#users.get(id)?.bot === true };
    this.#users.set(id, user);
    return user;
  }

  /** Finds a known person, or a person of the unlimited list that `address` generates. */
  user(id: string): SimulatedUser | undefined {
    const listed = /^U2A(\d{9})$/.exec(id);
    return (
      this.#users.get(id) ?? (listed ? { id, name: `Person ${Number(listed[1])}`, bot: false } : undefined)
    );
  }

  static address(index: number): string {
    return `U2A${String(index).padStart(9, '0')}`;
  }

  openDirect(userId: string): SimulatedChannel {
    const id = directWith(userId);
    return (
      this.#channels.get(id) ?? this.addChannel({ id, name: this.user(userId)?.name ?? userId, type: 'im' })
    );
  }

  /** The next `ts`. It has microseconds and is unique. */
  tick(): string {
    this.#lastTick = Math.max(Date.now() * 1000, this.#lastTick + 1);
    return `${Math.floor(this.#lastTick / 1e6)}.${String(this.#lastTick % 1e6).padStart(6, '0')}`;
  }

  add(message: Omit<StoredMessage, 'ts' | 'deleted' | 'reactions'>): StoredMessage {
    const stored: StoredMessage = { ...message, ts: this.tick(), deleted: false, reactions: new Map() };
    const channel = this.#messages.get(message.channel) ?? new Map<string, StoredMessage>();
    this.#messages.set(message.channel, channel.set(stored.ts, stored));
    return stored;
  }

  /** Finds a message that is not deleted. */
  find(channel: string, ts: string): StoredMessage | undefined {
    const message = this.#messages.get(channel)?.get(ts);
    return message?.deleted ? undefined : message;
  }

  /** The channel that a message to this id is written to, or the error that it causes. */
  target(id: string): SimulatedChannel | string {
    const user = this.user(id);
    const found = user === undefined ? this.channel(id) : this.openDirect(user.id);
    if (found === undefined) return 'channel_not_found';
    if (found.archived) return 'is_archived';
    return found.member ? found : 'not_in_channel';
  }

  ownMessage(channel: string, ts: string, notOwn: string): StoredMessage | string {
    if (this.channel(channel) === undefined) return 'channel_not_found';
    const message = this.find(channel, ts);
    if (message === undefined) return 'message_not_found';
    return message.author === BOT_USER ? message : notOwn;
  }

  /** Oldest first, including deleted messages. */
  all(channel: string): readonly StoredMessage[] {
    return [...(this.#messages.get(channel)?.values() ?? [])];
  }

  /** The visible text of blocks, which replace the text of a message. */
  #shown(blocks: readonly JsonObject[]): string {
    return plainText(blocks, (id) => this.user(id)?.name ?? id);
  }

  /** The messages of a channel as people see them. A user id selects the direct channel with that user. */
  seen(id: string): readonly SimulatedMessage[] {
    const channel = this.user(id) === undefined ? id : directWith(id);
    return this.all(channel).map((message) => ({
      id: message.ts,
      chatId: message.channel,
      sender: message.persona?.username ?? message.author.name,
      own: message.author === BOT_USER,
      text: message.blocks === undefined ? readable(message.text) : this.#shown(message.blocks),
      ...(message.threadTs === undefined ? {} : { replyToId: message.threadTs }),
      edited: message.edited !== undefined,
      deleted: message.deleted,
      ...(message.files === undefined ? {} : { files: [...message.files.values()] }),
      ...pingsIn(message.text),
      ...shownButtons(message),
      reactions: [...message.reactions].flatMap(([name, { size }]) => (size === 0 ? [] : [emojiNamed(name)])),
      sentAt: Math.floor(Number(message.ts) * 1000),
    }));
  }
}

function shownButtons({ blocks = [] }: StoredMessage): Pick<SimulatedMessage, 'buttons'> {
  const labels = buttonsIn(blocks).map(({ label }) => label);
  return labels.length === 0 ? {} : { buttons: labels };
}

function directWith(userId: string): string {
  return `D${userId.slice(1)}`;
}

/** docs.slack.dev/messaging/formatting-message-text#special-mentions */
function pingsIn(text: string): Pick<SimulatedMessage, 'pings'> {
  const pings = [...text.matchAll(/<!(here|channel|everyone|subteam\^\w+)[|>]/g)].map(
    ([, whom]) => whom ?? '',
  );
  return pings.length === 0 ? {} : { pings };
}

/** The text that Slack's own client sends for a typed text. */
export function typed(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replace(/\bhttps?:\/\/[^\s|]+/g, '<$&>');
}

/** The text as people see it. Style marks are kept. */
function readable(text: string): string {
  return text
    .replace(/<([^<>|]+)\|([^<>]*)>/g, '$2')
    .replace(/<([^<>]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
