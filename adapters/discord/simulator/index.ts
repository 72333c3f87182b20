import {
  type FaultDial,
  type Ledger,
  Outlet,
  type SimulatedAccount,
  type SimulatedChat,
  type SimulatedMessage,
  type SimulatedPost,
  type Simulator,
  type SimulatorOptions,
  SimulatorServer,
} from '../../../src/contract/simulation/index.js';
import { SimulatedGateway } from './gateway.js';
import { SimulatedPeople } from './people.js';
import { SimulatedRest } from './rest.js';
import type { Channel } from './shapes.js';
import { DiscordState, type StateEvent } from './state.js';
import { visibleMessagesIn } from './visible-messages.js';
import { SimulatedWebhooks } from './webhooks.js';

/** https://docs.discord.com/developers/resources/channel#trigger-typing-indicator: ten seconds, or until a message. */
const TYPING_MS = 10_000;
const TYPING = 'POST /channels/:id/typing';
const POSTING = 'POST /channels/:id/messages';
const MAY_SEE_MEMBERS = 1 << 14;

export interface DiscordSimulatorOptions extends SimulatorOptions {
  /** The heartbeat interval in HELLO. Discord's own value by default. */
  readonly heartbeatMs?: number;
  /** Whether the application has the privileged intent. Default true. */
  readonly messageContent?: boolean;
  /** Whether the application has the privileged members intent. Default true. */
  readonly members?: boolean;
}

/** A simulated Discord with one server. REST interface and gateway share one port. */
export class DiscordSimulator implements Simulator {
  readonly platform = 'discord';
  readonly gateway: SimulatedGateway;
  readonly people: SimulatedPeople;
  readonly #webhooks: SimulatedWebhooks;
  readonly #server: SimulatorServer;
  readonly #state: DiscordState;
  readonly #outlet: Outlet<StateEvent>;
  #url = '';
  #tokens = 1;

  constructor(options: DiscordSimulatorOptions = {}) {
    const authorized = (header: string | undefined) => header === `Bot ${this.#token}`;
    const url = () => this.#url.replace(/^http/, 'ws').concat('/gateway');
    const state = new DiscordState((event) => this.#outlet.push(event, chatOf(event)));
    const members = options.members ?? true;
    // The application flag of this intent.
    if (members) state.application.flags = MAY_SEE_MEMBERS as typeof state.application.flags;
    this.people = new SimulatedPeople(state);
    this.#webhooks = new SimulatedWebhooks(state);
    const rest = new SimulatedRest({
      state,
      webhooks: this.#webhooks,
      limited: options.limits !== 'none',
      faster: options.limitsFaster ?? 1,
      gatewayUrl: url,
      identifiesLeft: () => this.gateway.identifiesLeft,
      authorized,
    });
    this.#state = state;
    this.#server = new SimulatorServer({
      ...(options.port === undefined ? {} : { port: options.port }),
      route: (request) => rest.route(request),
      faultAnswer: (fault) => rest.faultAnswer(fault),
    });
    this.gateway = new SimulatedGateway({
      state,
      faults: this.#server.faults,
      ledger: this.#server.ledger,
      heartbeatMs: options.heartbeatMs ?? 41_250,
      messageContent: options.messageContent ?? true,
      members,
      authorized,
      url,
    });
    this.gateway.attach(this.#server.http);
    this.#outlet = new Outlet(this.#server.faults, (event) => this.gateway.dispatch(event));
  }

  get ledger(): Ledger {
    return this.#server.ledger;
  }

  get faults(): FaultDial {
    return this.#server.faults;
  }

  /** The bot's user id. */
  get selfId(): string {
    return this.#state.self.id;
  }

  /** The one server. */
  get guildId(): string {
    return this.#state.guildId;
  }

  async start(): Promise<{ readonly apiBaseUrl: string }> {
    this.#url = await this.#server.start();
    this.#state.filesUrl = this.#url;
    return { apiBaseUrl: `${this.#url}/api` };
  }

  async stop(): Promise<void> {
    this.gateway.stop();
    await this.#server.stop();
  }

  account(): SimulatedAccount {
    return {
      credentials: { bot_token: this.#token },
      settings: { api_base_url: `${this.#url}/api`, ingress: 'gateway' },
    };
  }

  chats(): readonly SimulatedChat[] {
    const chats = [...this.#state.channels.values()].filter(
      ({ kind }) => kind !== 'thread' && kind !== 'forum',
    );
    return chats.map(({ id, name, kind }) => ({
      id,
      title: name,
      kind: kind === 'direct' ? 'direct' : 'group',
    }));
  }

  /** Threads of all channels. */
  threads(): readonly { readonly id: string; readonly parentId: string; readonly title: string }[] {
    return [...this.#state.channels.values()].flatMap(({ id, name, parentId }) =>
      parentId === undefined ? [] : [{ id, parentId, title: name }],
    );
  }

  /** The channel in which every message opens a post. */
  get forumId(): string {
    return [...this.#state.channels.values()].find(({ kind }) => kind === 'forum')?.id ?? '';
  }

  /** Number of people who reacted to a message, by emoji. */
  reactions(chatId: string, messageId: string): Readonly<Record<string, number>> {
    const { reactions } = stored(this.#channel(chatId), messageId);
    return Object.fromEntries([...reactions].map(([emoji, people]) => [emoji, people.size]));
  }

  /** Removes the permission to manage webhooks in a channel. */
  denyWebhooks(chatId: string): void {
    this.#state.withoutWebhooks.add(chatId);
  }

  /** Creates or deletes webhooks of other people in a channel. */
  addWebhooks(chatId: string, count: number): void {
    for (let made = 0; made < count; made += 1) this.#webhooks.add(this.#channel(chatId), `other ${made}`);
  }

  removeWebhooks(chatId: string): void {
    this.#webhooks.clear(this.#channel(chatId));
  }

  webhooks(chatId: string): readonly string[] {
    return this.#webhooks.in(this.#channel(chatId)).map(({ name }) => name ?? '');
  }

  address(index: number): string {
    return this.#state.address(index);
  }

  /** The person blocks direct messages of the bot. */
  closeDirect(address: string): void {
    this.#state.closed.add(address);
  }

  /** Resets the token, as in the developer portal. `account` has the new one. */
  revokeToken(): void {
    this.#tokens += 1;
    this.gateway.close(4004);
  }

  /**
   * Expires all file links. Discord's links live for a day
   * (https://docs.discord.com/developers/reference#signed-attachment-cdn-urls); reading a message gives new ones.
   */
  expireMedia(): void {
    this.#state.expireLinks();
  }

  closeGateway(code: number): void {
    this.gateway.close(code);
  }

  disconnect(): void {
    this.#server.cut();
    this.gateway.cut();
  }

  freeze(frozen: boolean): void {
    this.gateway.freeze(frozen);
  }

  forgetSessions(): void {
    this.gateway.forgetSessions();
  }

  get connections(): number {
    return this.gateway.connections;
  }

  async post({ chatId, sender, text, replyToId, files, bot }: SimulatedPost): Promise<string> {
    const channel = this.#channel(chatId);
    const author = channel.recipient ?? this.#state.person(sender, bot);
    return this.#state.create(channel, author, { content: text, replyToId, files }).id;
  }

  async edit(chatId: string, messageId: string, text: string): Promise<void> {
    const channel = this.#channel(chatId);
    this.#state.edit(channel, stored(channel, messageId), text);
  }

  async remove(chatId: string, messageId: string): Promise<void> {
    const channel = this.#channel(chatId);
    this.#state.remove(channel, stored(channel, messageId));
  }

  react(chatId: string, messageId: string, sender: string, emoji: string, change: 'added' | 'removed'): void {
    this.people.react(chatId, messageId, sender, emoji, change === 'added');
  }

  type(chatId: string, sender: string): void {
    this.people.type(chatId, sender);
  }

  press(chatId: string, messageId: string, sender: string, label: string): void {
    this.people.press(chatId, sender, messageId, label);
  }

  isTyping(chatId: string): boolean {
    return this.ledger.last([TYPING, POSTING], chatId, TYPING_MS)?.call === TYPING;
  }

  messages(chatId: string): readonly SimulatedMessage[] {
    const channel = this.#state.directWith(chatId) ?? this.#channel(chatId);
    return visibleMessagesIn(this.#state, channel);
  }

  get #token(): string {
    return `simulated-discord-token-${this.#tokens}`;
  }

  #channel(chatId: string): Channel {
    const channel = this.#state.channels.get(chatId);
    if (channel === undefined) throw new Error(`The simulated Discord has no channel ${chatId}.`);
    return channel;
  }
}

function stored(channel: Channel, messageId: string) {
  const found = channel.messages.get(messageId);
  if (found === undefined) throw new Error(`The simulated channel has no message ${messageId}.`);
  return found;
}

function chatOf({ d }: StateEvent): string | undefined {
  return 'channel_id' in d ? String(d.channel_id) : undefined;
}
