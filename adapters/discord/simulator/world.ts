import type {
  APIApplication,
  APIMessage,
  APIUser,
  GatewayDispatchEvents,
  GatewayGuildCreateDispatchData,
  GatewayMessageCreateDispatchData,
} from 'discord-api-types/v10';
import type { SimulatedFile, SimulatedMessage } from '../../../src/contract/simulation/index.js';
import { snowflakeAt } from '../snowflake.js';
import {
  apiChannel,
  type Channel,
  type Draft,
  GUILD,
  type Interaction,
  person,
  pingsOf,
  rolesIn,
  type Stored,
} from './shapes.js';

export interface WorldEvent {
  readonly t: GatewayDispatchEvents | `${GatewayDispatchEvents}`;
  readonly d: object;
}

type Place = Pick<GatewayMessageCreateDispatchData, 'guild_id' | 'member' | 'mentions'>;

/** People who can be written to: user ids from here on, without end. */
const FIRST_ADDRESS = 900_000_000_000_000_000n;

/** Everything that exists on the simulated Discord. */
export class World {
  readonly self: APIUser = { ...person('700000000000000001', 'trunkline', 'Trunkline'), bot: true };
  readonly application: { readonly id: string; flags: APIApplication['flags']; readonly flags_new: string } =
    {
      id: '600000000000000001',
      flags: 0 as number as APIApplication['flags'],
      flags_new: '0',
    };
  /** Emojis that the server has of its own. */
  readonly emojis: readonly { readonly id: string; readonly name: string }[] = [
    { id: '410000000000000001', name: 'Blob_Wave' },
  ];
  /** Channels in which the bot may not manage webhooks. */
  readonly withoutWebhooks = new Set<string>();
  /** Whether the bot may delete messages of others. */
  mayManageMessages = false;
  readonly interactions = new Map<string, Interaction>();
  readonly guildId = GUILD;
  /** Files of messages by the ids of their attachments. */
  readonly files = new Map<string, SimulatedFile>();
  /** Where files are fetched; known once the server listens. */
  filesUrl = '';
  /** What links that work at present are signed with. */
  linkSignature = '3';
  readonly channels = new Map<string, Channel>();
  /** User ids that accept no direct messages. */
  readonly closed = new Set<string>();
  readonly #directs = new Map<string, Channel>();
  readonly #people = new Map<string, APIUser>();
  readonly #listen: (event: WorldEvent) => void;
  #lastId = 0n;

  constructor(listen: (event: WorldEvent) => void) {
    this.#listen = listen;
    this.#channel('810000000000000001', 'general', 'guild');
    this.#channel('810000000000000002', 'support', 'guild');
    this.#channel('810000000000000003', 'release planning', 'thread', { parentId: '810000000000000001' });
    this.#channel('810000000000000004', 'ideas', 'forum');
    this.#channel('810000000000000005', 'orders', 'guild');
    this.openDirect(this.person('Ada'));
  }

  /** The server as GUILD_CREATE tells it. */
  guild(): Partial<GatewayGuildCreateDispatchData> {
    const channels = [...this.channels.values()].filter(({ kind }) => kind !== 'direct');
    const shown = (threads: boolean) =>
      channels.filter(({ kind }) => (kind === 'thread') === threads).map(apiChannel);
    return {
      id: GUILD,
      name: 'Simulated server',
      owner_id: '900000000000000000',
      joined_at: '2024-01-01T00:00:00.000000+00:00',
      large: false,
      member_count: 2,
      channels: shown(false) as NonNullable<GatewayGuildCreateDispatchData['channels']>,
      threads: shown(true) as NonNullable<GatewayGuildCreateDispatchData['threads']>,
      roles: [],
      emojis: [],
      stickers: [],
      members: [],
      presences: [],
      features: [],
    };
  }

  address(index: number): string {
    return String(FIRST_ADDRESS + BigInt(index));
  }

  /** The account of this name, made on first use. */
  person(name: string, bot = false): APIUser {
    const known = this.#people.get(name);
    if (known !== undefined) return known;
    const human = person(this.nextId(), name.toLowerCase().replaceAll(/[^a-z0-9_.]/g, '_'), name);
    const made = bot ? { ...human, bot } : human;
    this.#people.set(name, made);
    return made;
  }

  userById(id: string): APIUser | undefined {
    if (!/^\d{17,19}$/.test(id)) return undefined;
    const named = [...this.#people.values()].find((user) => user.id === id);
    if (named !== undefined) return named;
    const index = BigInt(id) - FIRST_ADDRESS;
    return index >= 0n && index < 10_000_000n ? person(id, `person_${index}`, `Person ${index}`) : undefined;
  }

  openDirect(recipient: APIUser): Channel {
    const known = this.#directs.get(recipient.id);
    if (known !== undefined) return known;
    const name = recipient.global_name ?? recipient.username;
    const made = this.#channel(this.nextId(), name, 'direct', { recipient });
    this.#directs.set(recipient.id, made);
    return made;
  }

  create(channel: Channel, author: APIUser, draft: Draft): APIMessage {
    const repeated = draft.nonce === undefined ? undefined : channel.nonces.get(draft.nonce);
    const first = repeated === undefined ? undefined : channel.messages.get(repeated)?.message;
    if (first !== undefined) return first;
    const message = this.#message(channel, author, draft);
    if (channel.archived) {
      channel.archived = false;
      this.emit('THREAD_UPDATE', apiChannel(channel));
    }
    channel.messages.set(message.id, { message, deleted: false, reactions: new Map() });
    if (draft.nonce !== undefined) channel.nonces.set(draft.nonce, message.id);
    this.emit('MESSAGE_CREATE', { ...message, ...this.#place(channel, message) });
    return message;
  }

  edit(channel: Channel, stored: { message: APIMessage }, content: string): APIMessage {
    const edited_timestamp = new Date().toISOString().replace('Z', '000+00:00');
    const { nonce: _, ...kept } = stored.message;
    stored.message = { ...kept, content, edited_timestamp, mentions: this.#mentions(content) };
    const { message } = stored;
    this.emit('MESSAGE_UPDATE', { ...message, ...this.#place(channel, message) });
    return message;
  }

  remove(channel: Channel, stored: { message: APIMessage; deleted: boolean }): void {
    stored.deleted = true;
    const guild = channel.kind === 'direct' ? {} : { guild_id: GUILD };
    this.emit('MESSAGE_DELETE', { id: stored.message.id, channel_id: channel.id, ...guild });
  }

  react(channel: Channel, stored: Stored, who: APIUser, form: string, added: boolean): void {
    const reacted = stored.reactions.get(form) ?? new Set();
    if (reacted.has(who.id) === added) return;
    if (added) reacted.add(who.id);
    else reacted.delete(who.id);
    if (reacted.size > 0) stored.reactions.set(form, reacted);
    else stored.reactions.delete(form);
    const [name = '', id = null] = form.split(':');
    const place = channel.kind === 'direct' ? {} : { guild_id: GUILD };
    const member = channel.kind === 'direct' || !added ? {} : { member: this.member(who) };
    const what = {
      message_id: stored.message.id,
      emoji: { id, name },
      user_id: who.id,
      burst: false,
      type: 0,
    };
    const t = added ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE';
    this.emit(t, { channel_id: channel.id, ...place, ...what, ...member });
  }

  openThread(parent: Channel, name: string, ownerId: string, id = this.nextId()): Channel {
    const thread = this.#channel(id, name, 'thread', { parentId: parent.id, ownerId });
    this.emit('THREAD_CREATE', { ...apiChannel(thread), newly_created: true });
    return thread;
  }

  /** Somebody as a member of the server. */
  member(user: APIUser): object {
    const joined_at = '2024-01-01T00:00:00.000000+00:00';
    return { user, roles: [], joined_at, deaf: false, mute: false, flags: 0, nick: user.global_name };
  }

  emit(t: WorldEvent['t'], d: object): void {
    this.#listen({ t, d });
  }

  /** Ids rise with time, as Discord's do. */
  nextId(): string {
    const now = BigInt(snowflakeAt(Date.now()));
    this.#lastId = now > this.#lastId ? now : this.#lastId + 1n;
    return String(this.#lastId);
  }

  seenBy(channel: Channel): readonly SimulatedMessage[] {
    return [...channel.messages.values()].map(({ message, deleted, reactions }) => ({
      id: message.id,
      chatId: channel.id,
      sender: message.author.global_name ?? message.author.username,
      own: message.author.id === this.self.id || message.application_id === this.application.id,
      text: message.content,
      ...(message.message_reference?.message_id === undefined
        ? {}
        : { replyToId: message.message_reference.message_id }),
      edited: message.edited_timestamp !== null,
      deleted,
      ...this.#filesOf(message),
      ...pingsOf(message),
      reactions: [...reactions.keys()],
    }));
  }

  #channel(id: string, name: string, kind: Channel['kind'], more: Partial<Channel> = {}): Channel {
    const channel: Channel = { id, name, kind, nonces: new Map(), messages: new Map(), ...more };
    this.channels.set(id, channel);
    return channel;
  }

  #message(channel: Channel, author: APIUser, draft: Draft): APIMessage {
    const reply = draft.replyToId === undefined ? undefined : channel.messages.get(draft.replyToId);
    return {
      id: draft.id ?? this.nextId(),
      channel_id: channel.id,
      ...(draft.webhookId === undefined
        ? {}
        : { webhook_id: draft.webhookId, application_id: this.application.id }),
      author,
      content: draft.content,
      timestamp: new Date().toISOString().replace('Z', '000+00:00'),
      edited_timestamp: null,
      tts: false,
      mention_everyone: draft.allowed?.everyone !== false && /@(?:everyone|here)\b/.test(draft.content),
      mentions: this.#mentions(draft.content),
      mention_roles: draft.allowed?.roles === false ? [] : rolesIn(draft.content),
      attachments: (draft.files ?? []).map((file) => this.#attach(file)),
      embeds: [...(draft.embeds ?? [])],
      pinned: false,
      type: reply === undefined ? 0 : 19,
      ...(reply === undefined
        ? {}
        : { message_reference: { type: 0, message_id: reply.message.id, channel_id: channel.id } }),
      ...(draft.nonce === undefined ? {} : { nonce: draft.nonce }),
    };
  }

  /** The message as it is read now, with links that work. */
  relinked(message: APIMessage): APIMessage {
    if (message.attachments.length === 0) return message;
    const relink = (url: string) => url.replace(/hm=\w+$/, `hm=${this.linkSignature}`);
    const attachments = message.attachments.map((each) => ({
      ...each,
      url: relink(each.url),
      proxy_url: relink(each.proxy_url),
    }));
    return { ...message, attachments };
  }

  expireLinks(): void {
    this.linkSignature = `${Number(this.linkSignature) + 1}`;
  }

  #attach(file: SimulatedFile): APIMessage['attachments'][number] {
    const id = this.nextId();
    this.files.set(id, file);
    const url = `${this.filesUrl}/attachments/${id}/${encodeURIComponent(file.name)}?ex=1&is=2&hm=${this.linkSignature}`;
    const { name: filename, mimeType: content_type } = file;
    return { id, filename, content_type, size: file.bytes.length, url, proxy_url: url };
  }

  /** What a message shows beside its text. */
  #filesOf({ attachments }: APIMessage): Pick<SimulatedMessage, 'files'> {
    const files = attachments.flatMap(({ id }) => this.files.get(id) ?? []);
    return files.length === 0 ? {} : { files };
  }

  #mentions(content: string): APIUser[] {
    return [...content.matchAll(/<@!?(\d+)>/g)]
      .map(([, id]) => this.userById(id ?? ''))
      .filter((user) => user !== undefined);
  }

  /** What gateway events say besides the message. */
  #place(channel: Channel, { author, mentions }: APIMessage): Place {
    if (channel.kind === 'direct') return { mentions };
    const { user: _, ...member } = this.member(author) as Record<string, unknown>;
    return { guild_id: GUILD, member: member as unknown as NonNullable<Place['member']>, mentions };
  }
}
