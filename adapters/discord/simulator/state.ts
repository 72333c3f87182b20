import type {
  APIApplication,
  APIMessage,
  APIUser,
  GatewayDispatchEvents,
  GatewayGuildCreateDispatchData,
  GatewayMessageCreateDispatchData,
} from 'discord-api-types/v10';
import type { SimulatedFile } from '../../../src/contract/simulation/index.js';
import { snowflakeAt } from '../snowflake.js';
import { type Extras, extrasOf, replyTo } from './extras.js';
import { guildCreate, type Member, memberOf } from './guild.js';
import {
  apiChannel,
  type Channel,
  type Draft,
  GUILD,
  type Interaction,
  person,
  rolesIn,
  type Stored,
  signed,
} from './shapes.js';

export interface StateEvent {
  readonly t: GatewayDispatchEvents | `${GatewayDispatchEvents}`;
  readonly d: object;
}

type MessageContext = Pick<GatewayMessageCreateDispatchData, 'guild_id' | 'member' | 'mentions'>;

/** The user id of the first person that `address` returns. */
const FIRST_ADDRESS = 900_000_000_000_000_000n;

/** The state of the simulated Discord. */
export class DiscordState {
  readonly self: APIUser = { ...person('700000000000000001', 'trunkline', 'Trunkline'), bot: true };
  readonly application: { readonly id: string; flags: APIApplication['flags']; readonly flags_new: string } =
    {
      id: '600000000000000001',
      flags: 0 as number as APIApplication['flags'],
      flags_new: '0',
    };
  /** Custom emojis of the server. */
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
  /** Base address of files, known after the server listens. */
  filesUrl = '';
  /** The current signature of valid links. */
  linkSignature = '3';
  readonly channels = new Map<string, Channel>();
  /** User ids that accept no direct messages. */
  readonly closed = new Set<string>();
  readonly #directs = new Map<string, Channel>();
  readonly #people = new Map<string, APIUser>();
  readonly #listen: (event: StateEvent) => void;
  #lastId = 0n;

  constructor(listen: (event: StateEvent) => void) {
    this.#listen = listen;
    this.#channel('810000000000000001', 'general', 'guild');
    this.#channel('810000000000000002', 'support', 'guild');
    this.#channel('810000000000000003', 'release planning', 'thread', { parentId: '810000000000000001' });
    this.#channel('810000000000000004', 'ideas', 'forum');
    this.#channel('810000000000000005', 'orders', 'guild');
    this.openDirect(this.person('Ada'));
  }

  /** The server as in GUILD_CREATE. */
  guild(): Partial<GatewayGuildCreateDispatchData> {
    return guildCreate({ channels: this.channels.values(), members: this.members(), emojis: this.emojis });
  }

  /** The bot and every person who acted. */
  members(): readonly Member[] {
    return [this.self, ...this.#people.values()].map(memberOf);
  }

  address(index: number): string {
    return String(FIRST_ADDRESS + BigInt(index));
  }

  /** The account of this name, created on first use. */
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
    const named = [this.self, ...this.#people.values()].find((user) => user.id === id);
    if (named !== undefined) return named;
    const index = BigInt(id) - FIRST_ADDRESS;
    return index >= 0n && index < 10_000_000n ? person(id, `person_${index}`, `Person ${index}`) : undefined;
  }

  directWith(userId: string): Channel | undefined {
    return this.#directs.get(userId);
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
    this.emit('MESSAGE_CREATE', { ...message, ...this.#contextOf(channel, message) });
    return message;
  }

  edit(
    channel: Channel,
    stored: { message: APIMessage },
    content: string,
    more: Extras = {},
    { attachments }: Pick<APIMessage, 'attachments'> = stored.message,
  ): APIMessage {
    const edited_timestamp = new Date().toISOString().replace('Z', '000+00:00');
    const mentions = this.#mentions(content);
    return this.update(channel, stored, {
      content,
      edited_timestamp,
      mentions,
      attachments,
      ...extrasOf(more),
    });
  }

  /** A change that is not necessarily an edit, such as a pin. */
  update(channel: Channel, stored: { message: APIMessage }, change: Partial<APIMessage>): APIMessage {
    const { nonce: _, ...kept } = stored.message;
    stored.message = { ...kept, ...change };
    const { message } = stored;
    this.emit('MESSAGE_UPDATE', { ...message, ...this.#contextOf(channel, message) });
    return message;
  }

  pin(channel: Channel, stored: { message: APIMessage }, pinned: boolean): void {
    this.update(channel, stored, { pinned });
    const guild = channel.kind === 'direct' ? {} : { guild_id: GUILD };
    this.emit('CHANNEL_PINS_UPDATE', { channel_id: channel.id, ...guild, last_pin_timestamp: null });
  }

  /** Changes the name of a channel or the state of a thread. */
  configure(channel: Channel, change: Partial<Pick<Channel, 'name' | 'archived' | 'locked'>>): object {
    for (const [field, value] of Object.entries(change))
      if (value !== undefined) Object.assign(channel, { [field]: value });
    this.emit(channel.kind === 'thread' ? 'THREAD_UPDATE' : 'CHANNEL_UPDATE', apiChannel(channel));
    return apiChannel(channel);
  }

  removeMany(channel: Channel, ids: readonly string[]): void {
    for (const id of ids) {
      const stored = channel.messages.get(id);
      if (stored !== undefined) stored.deleted = true;
    }
    const guild = channel.kind === 'direct' ? {} : { guild_id: GUILD };
    this.emit('MESSAGE_DELETE_BULK', { ids, channel_id: channel.id, ...guild });
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

  /** The account as a member of the server. */
  member(user: APIUser): Member {
    return memberOf(user);
  }

  emit(t: StateEvent['t'], d: object): void {
    this.#listen({ t, d });
  }

  /** Ids increase with time, like Discord's. */
  nextId(): string {
    const now = BigInt(snowflakeAt(Date.now()));
    this.#lastId = now > this.#lastId ? now : this.#lastId + 1n;
    return String(this.#lastId);
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
      attachments: (draft.files ?? []).map((file) => this.attach(file)),
      embeds: [],
      components: [],
      flags: 0 as NonNullable<APIMessage['flags']>,
      ...extrasOf(draft),
      pinned: false,
      type: reply === undefined ? 0 : 19,
      ...(reply === undefined ? {} : replyTo(reply.message)),
      ...(draft.nonce === undefined ? {} : { nonce: draft.nonce }),
    };
  }

  /** The message with currently valid links. */
  relinked(message: APIMessage): APIMessage {
    return signed(message, this.linkSignature);
  }

  expireLinks(): void {
    this.linkSignature = `${Number(this.linkSignature) + 1}`;
  }

  attach(file: SimulatedFile): APIMessage['attachments'][number] {
    const id = this.nextId();
    this.files.set(id, file);
    const url = `${this.filesUrl}/attachments/${id}/${encodeURIComponent(file.name)}?ex=1&is=2&hm=${this.linkSignature}`;
    const { name: filename, mimeType: content_type } = file;
    return { id, filename, content_type, size: file.bytes.length, url, proxy_url: url };
  }

  #mentions(content: string): APIUser[] {
    return [...content.matchAll(/<@!?(\d+)>/g)]
      .map(([, id]) => this.userById(id ?? ''))
      .filter((user) => user !== undefined);
  }

  /** Additional fields of gateway events. */
  #contextOf(channel: Channel, { author, mentions }: APIMessage): MessageContext {
    if (channel.kind === 'direct') return { mentions };
    const { user: _, ...member } = this.member(author);
    return { guild_id: GUILD, member: member as unknown as NonNullable<MessageContext['member']>, mentions };
  }
}
