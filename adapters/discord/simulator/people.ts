import type { APIUser } from 'discord-api-types/v10';
import { apiChannel, type Channel } from './shapes.js';
import type { DiscordState } from './state.js';

const ATTACHMENT_LIMIT = 10 * 1_024 * 1_024;
/** https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-context-types */
const context = { server: 0, botDirect: 1 } as const;

/** Actions of people other than writing. */
export class SimulatedPeople {
  readonly #state: DiscordState;

  constructor(state: DiscordState) {
    this.#state = state;
  }

  /** `emoji` is a Unicode emoji or the name of a custom emoji of the server. */
  react(chatId: string, messageId: string, sender: string, emoji: string, change = true): void {
    const [channel, stored] = this.#at(chatId, messageId);
    const own = this.#state.emojis.find(({ name }) => name === emoji);
    const form = own === undefined ? emoji : `${own.name}:${own.id}`;
    this.#state.react(channel, stored, this.#author(channel, sender), form, change);
  }

  /** A moderator removes all reactions, or all of one emoji. */
  clearReactions(chatId: string, messageId: string, emoji?: string): void {
    const [channel, stored] = this.#at(chatId, messageId);
    const place = { channel_id: channel.id, message_id: messageId, ...this.#server(channel) };
    if (emoji === undefined) {
      stored.reactions.clear();
      this.#state.emit('MESSAGE_REACTION_REMOVE_ALL', place);
    } else {
      stored.reactions.delete(emoji);
      this.#state.emit('MESSAGE_REACTION_REMOVE_EMOJI', { ...place, emoji: { id: null, name: emoji } });
    }
  }

  type(chatId: string, sender: string): void {
    const channel = this.#channel(chatId);
    const user = this.#author(channel, sender);
    const timestamp = Math.floor(Date.now() / 1000);
    const member = channel.kind === 'direct' ? {} : { member: this.#state.member(user) };
    const place = { channel_id: channel.id, ...this.#server(channel) };
    this.#state.emit('TYPING_START', { ...place, user_id: user.id, timestamp, ...member });
  }

  /** A moderator removes several messages at once. */
  removeMany(chatId: string, ids: readonly string[]): void {
    this.#state.removeMany(this.#channel(chatId), ids);
  }

  /** A moderator pins or unpins a message. */
  pin(chatId: string, messageId: string, pinned = true): void {
    this.#state.pin(...this.#at(chatId, messageId), pinned);
  }

  /** A person joins the server. */
  join(name: string): void {
    const user = this.#state.person(name);
    this.#state.emit('GUILD_MEMBER_ADD', { ...this.#state.member(user), guild_id: this.#state.guildId });
  }

  leave(name: string): void {
    this.#state.emit('GUILD_MEMBER_REMOVE', {
      guild_id: this.#state.guildId,
      user: this.#state.person(name),
    });
  }

  rename(chatId: string, name: string): void {
    const channel = this.#channel(chatId);
    this.#state.configure(channel, { name });
  }

  /** The channel's settings change, but not its name. */
  retouch(chatId: string): void {
    this.#state.emit('CHANNEL_UPDATE', apiChannel(this.#channel(chatId)));
  }

  close(chatId: string): void {
    const channel = this.#channel(chatId);
    this.#state.channels.delete(chatId);
    this.#state.emit(channel.kind === 'thread' ? 'THREAD_DELETE' : 'CHANNEL_DELETE', apiChannel(channel));
  }

  /** Opens a thread in a channel. Resolves with its id. */
  openThread(chatId: string, name: string): string {
    return this.#state.openThread(this.#channel(chatId), name, this.#state.person('Ada').id).id;
  }

  /** Starts a thread from a message. The thread has the message's id. */
  startThread(chatId: string, messageId: string, name: string): string {
    const [channel] = this.#at(chatId, messageId);
    return this.#state.openThread(channel, name, this.#state.person('Ada').id, messageId).id;
  }

  /** A moderator archives a thread. If `locked`, the bot cannot reopen it. */
  closeThread(threadId: string, { locked }: { readonly locked: boolean }): void {
    const thread = this.#channel(threadId);
    this.#state.configure(thread, { archived: true, locked });
  }

  /** Uses the slash command `ask` with `{ question: 'why' }`. Returns the interaction's id. */
  command(
    chatId: string,
    sender: string,
    name: string,
    options: Readonly<Record<string, string | number>> = {},
  ): string {
    const chosen = Object.entries(options).map(([each, value]) => ({ name: each, type: 3, value }));
    const data = { id: this.#state.nextId(), name, type: 1, options: chosen };
    return this.#interact(chatId, sender, { type: 2, data });
  }

  /** Presses a button of a message. */
  press(chatId: string, sender: string, messageId: string, label: string): string {
    const [, { message }] = this.#at(chatId, messageId);
    const own = buttonsIn(message.components).find((button) => button.label === label);
    const button = own ?? { type: 2, style: 1, custom_id: `id-of-${label}`, label };
    const components = own === undefined ? [{ type: 1, components: [button] }] : message.components;
    const data = { custom_id: button.custom_id, component_type: 2 };
    return this.#interact(chatId, sender, { type: 3, data, message: { ...message, components } });
  }

  /** The bot's response to an interaction, if it was in time. */
  answerTo(interactionId: string): unknown {
    return this.#state.interactions.get(interactionId)?.answer;
  }

  #interact(chatId: string, sender: string, about: object): string {
    const channel = this.#channel(chatId);
    const user = this.#author(channel, sender);
    const id = this.#state.nextId();
    const token = `simulated-interaction-token-${id}`;
    this.#state.interactions.set(id, { token, at: Date.now() });
    const who = channel.kind === 'direct' ? { user } : { member: this.#state.member(user) };
    const place = { channel_id: channel.id, ...this.#server(channel) };
    const application_id = this.#state.application.id;
    this.#state.emit('INTERACTION_CREATE', {
      id,
      token,
      application_id,
      version: 1,
      entitlements: [],
      authorizing_integration_owners: {},
      context: channel.kind === 'direct' ? context.botDirect : context.server,
      attachment_size_limit: ATTACHMENT_LIMIT,
      ...place,
      ...who,
      ...about,
    });
    return id;
  }

  #author(channel: Channel, sender: string): APIUser {
    return channel.recipient ?? this.#state.person(sender);
  }

  #server(channel: Channel): { readonly guild_id?: string } {
    return channel.kind === 'direct' ? {} : { guild_id: this.#state.guildId };
  }

  #channel(chatId: string): Channel {
    const channel = this.#state.channels.get(chatId);
    if (channel === undefined) throw new Error(`The simulated Discord has no channel ${chatId}.`);
    return channel;
  }

  #at(chatId: string, messageId: string) {
    const channel = this.#channel(chatId);
    const stored = channel.messages.get(messageId);
    if (stored === undefined) throw new Error(`The simulated channel has no message ${messageId}.`);
    return [channel, stored] as const;
  }
}

interface Button {
  readonly label: string;
  readonly custom_id: string;
}

/** The buttons of a message at any depth, such as those in a container. Buttons with a link cannot be pressed. */
function buttonsIn(components: unknown): Button[] {
  if (!Array.isArray(components)) return [];
  return components.flatMap((component: Partial<Button> & Record<string, unknown>): Button[] => {
    const { label, custom_id } = component;
    const own = label !== undefined && custom_id !== undefined ? [{ label, custom_id }] : [];
    return [
      ...own,
      ...buttonsIn(component.components),
      ...buttonsIn(component.accessory === undefined ? [] : [component.accessory]),
    ];
  });
}
