import type { Update } from 'grammy/types';
import {
  fileSummary,
  Outlet,
  readForm,
  type ShapedFault,
  type SimulatedAccount,
  type SimulatedAnswer,
  type SimulatedCall,
  type SimulatedChat,
  type SimulatedFile,
  type SimulatedLocation,
  type SimulatedMessage,
  type SimulatedPost,
  type SimulatedRequest,
  type Simulator,
  type SimulatorOptions,
  SimulatorServer,
} from '../../../src/contract/simulation/index.js';
import { badRequest, failure, tooManyRequests, unauthorized } from './answers.js';
import { BotApi } from './bot-api.js';
import { detectedEntities } from './detected-entities.js';
import { decoded, parametersOf } from './request.js';
import { FIRST_PERSON, messageOf, messageUpdate, type PendingUpdate, TelegramState } from './state.js';
import { UpdateFeed } from './update-feed.js';
import { blockUpdate, buttonUpdate, fileKindOf, migrationUpdates, reactionUpdate } from './user-actions.js';
import { dataOf, visibleMessagesIn } from './visible-messages.js';

/** A post in a topic of a forum. */
export interface TelegramPost extends SimulatedPost {
  readonly threadId?: number;
}

interface QueuedUpdate {
  readonly pending: PendingUpdate;
  update?: Update | undefined;
}

const WEBHOOK_SECRET = 'simulated-webhook-secret';
/** https://core.telegram.org/bots/api#sendchataction: for five seconds, or until a message of the bot arrives. */
const TYPING_MS = 5_000;
const SHOWING = ['sendChatAction', 'sendMessage', 'sendPhoto', 'sendDocument', 'sendMediaGroup'];

/** A simulated Bot API with one bot, for clients that accept another API root (https://core.telegram.org/bots/api). */
export class TelegramSimulator implements Simulator {
  readonly platform = 'telegram';
  readonly #state: TelegramState;
  readonly #feed: UpdateFeed;
  readonly #api: BotApi;
  readonly #server: SimulatorServer;
  readonly #outlet: Outlet<QueuedUpdate>;
  #apiBaseUrl = '';
  #presses = 0;

  constructor(options: SimulatorOptions = {}) {
    this.#state = new TelegramState(options.firstNumber);
    this.#feed = new UpdateFeed(options.firstNumber);
    const limits = options.limits === 'none' ? undefined : (options.limitsFaster ?? 1);
    this.#api = new BotApi(this.#state, this.#feed, limits);
    this.#server = new SimulatorServer({
      ...(options.port === undefined ? {} : { port: options.port }),
      route: (request) => this.#route(request),
      faultAnswer,
    });
    this.#outlet = new Outlet(this.#server.faults, (queued) => this.#deliver(queued));
  }

  get ledger() {
    return this.#server.ledger;
  }

  get faults() {
    return this.#server.faults;
  }

  async start(): Promise<{ readonly apiBaseUrl: string }> {
    this.#apiBaseUrl = await this.#server.start();
    return { apiBaseUrl: this.#apiBaseUrl };
  }

  async stop(): Promise<void> {
    this.#feed.stop();
    await this.#server.stop();
  }

  account(): SimulatedAccount {
    return {
      credentials: { bot_token: this.#state.token, webhook_secret: WEBHOOK_SECRET },
      settings: { api_base_url: this.#apiBaseUrl },
    };
  }

  chats(): readonly SimulatedChat[] {
    return this.#state.listed().map((chat) => ({
      id: String(chat.id),
      title: chat.title ?? `${chat.first_name} ${chat.last_name}`,
      kind: chat.type === 'private' ? 'direct' : 'group',
    }));
  }

  address(index: number): string {
    return String(FIRST_PERSON + index);
  }

  async post({ chatId, sender, text, replyToId, threadId, files = [], bot }: TelegramPost): Promise<string> {
    const stored = this.#state.get(chatId);
    const album = files.length > 1 ? { albumId: this.#state.newAlbum() } : {};
    const place = {
      from: this.#state.account(stored.chat, sender, bot),
      ...(replyToId === undefined ? {} : { replyToId: Number(replyToId) }),
      ...(threadId === undefined ? {} : { threadId }),
    };
    // Each file of an album is a separate message. The first one has the text.
    const ids = (files.length === 0 ? [undefined] : files).map((file, index) => {
      const shown = file === undefined ? {} : { file: this.#state.keep(file, fileKindOf(file)), ...album };
      const said = index === 0 ? { text, entities: detectedEntities(text) } : { text: '' };
      const message = this.#state.write(stored, { ...place, ...said, ...shown });
      this.happen(messageUpdate(stored, message));
      return String(message.id);
    });
    return ids[0] ?? '';
  }

  /** A person sets their single reaction. Undefined removes it. `before` is the replaced one. */
  setReaction(
    chatId: string,
    messageId: string,
    sender: string,
    emoji: string | undefined,
    before?: string,
  ): void {
    const { stored, message } = this.#message(chatId, messageId);
    const person = this.#state.account(stored.chat, sender);
    message.reactionsOfPeople ??= new Map();
    if (emoji === undefined) message.reactionsOfPeople.delete(person.id);
    else message.reactionsOfPeople.set(person.id, emoji);
    this.happen(reactionUpdate(stored, message, person, before, emoji));
  }

  /** Makes a message older. */
  age(chatId: string, messageId: string, seconds: number): void {
    this.#message(chatId, messageId).message.sentAt -= seconds;
  }

  /** The bot's reaction to a message. */
  reactionOn(chatId: string, messageId: string): string | undefined {
    return this.#message(chatId, messageId).message.reaction;
  }

  /** A person presses a button below a message of the bot. Its data is that of the message's button, if it has it. */
  press(chatId: string, messageId: string, sender: string, label: string, data?: string): string {
    const { stored, message } = this.#message(chatId, messageId);
    this.#presses += 1;
    const button = { id: String(4_000_000_000_000 + this.#presses), label };
    const pressed = { ...button, data: data ?? dataOf(message, label) };
    this.happen(buttonUpdate(stored, message, this.#state.account(stored.chat, sender), pressed));
    return button.id;
  }

  async postLocation(chatId: string, sender: string, location: SimulatedLocation): Promise<string> {
    const stored = this.#state.get(chatId);
    const place = { from: this.#state.account(stored.chat, sender), text: '', extra: { location } };
    const message = this.#state.write(stored, place);
    this.happen(messageUpdate(stored, message));
    return String(message.id);
  }

  isTyping(chatId: string): boolean {
    return this.ledger.last(SHOWING, chatId, TYPING_MS)?.call === 'sendChatAction';
  }

  async edit(chatId: string, messageId: string, text: string): Promise<void> {
    const { stored, message } = this.#message(chatId, messageId);
    Object.assign(message, { text, entities: detectedEntities(text), edited: true });
    this.happen(messageUpdate(stored, message));
  }

  /** Bots receive no update about it. */
  async remove(chatId: string, messageId: string): Promise<void> {
    this.#message(chatId, messageId).message.deleted = true;
  }

  react(chatId: string, messageId: string, sender: string, emoji: string, change: 'added' | 'removed'): void {
    const [before, after] = change === 'added' ? [undefined, emoji] : [emoji, undefined];
    this.setReaction(chatId, messageId, sender, after, before);
  }

  messages(chatId: string): readonly SimulatedMessage[] {
    return visibleMessagesIn(this.#state, chatId);
  }

  /** Sends any update, for kinds without a method here. */
  happen(pending: PendingUpdate): void {
    this.#outlet.push({ pending }, chatIdOf(pending));
  }

  /** The person of a private chat blocks or unblocks the bot. */
  setBlocked(chatId: string, blocked: boolean): void {
    const stored = this.#state.get(chatId);
    stored.blocked = blocked;
    const from = this.#state.account(stored.chat, stored.chat.first_name ?? '');
    this.happen(blockUpdate(stored, from, this.#state.bot, blocked));
  }

  /** A basic group becomes a supergroup. Returns its new id. */
  migrate(chatId: string): string {
    const stored = this.#state.get(chatId);
    const moved = this.#state.migrate(stored);
    const from = this.#state.account(stored.chat, 'Group owner');
    for (const pending of migrationUpdates(stored, moved, from)) this.happen(pending);
    return String(moved.chat.id);
  }

  /** Replaces the token like /revoke with @BotFather. `account` has the new one. */
  revokeToken(): void {
    this.#state.revokeToken();
    this.#feed.interrupt(unauthorized());
  }

  /**
   * Expires all file links. Telegram's links live for an hour (https://core.telegram.org/bots/api#getfile); getFile
   * gives a new one.
   */
  expireMedia(): void {
    this.#api.expireLinks();
  }

  /** Aborts running requests without a response, and a running webhook delivery. */
  disconnect(): void {
    this.#server.cut();
  }

  /** Update ids rise in delivery order. A repeated update keeps its id. */
  #deliver(queued: QueuedUpdate): void {
    queued.update ??= this.#feed.number(queued.pending);
    if (queued.update !== undefined) this.#feed.deliver(queued.update);
  }

  #message(chatId: string, messageId: string) {
    const stored = this.#state.get(chatId);
    const message = messageOf(stored, Number(messageId));
    if (message === undefined) throw new Error(`There is no simulated message ${messageId} in ${chatId}.`);
    return { stored, message };
  }

  #route(request: SimulatedRequest): SimulatedCall {
    if (request.path.startsWith('/file/')) return this.#download(request);
    const [, token = '', call = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(decoded(request.path)) ?? [];
    const form = readForm(request);
    const parameters =
      form === undefined ? parametersOf(request) : { ...Object.fromEntries(request.query), ...form.fields };
    const files = form?.files ?? new Map<string, SimulatedFile>();
    const answer = (): SimulatedAnswer | Promise<SimulatedAnswer> => {
      // A malformed token is not looked up.
      if (!/^\d+:[\w-]+$/.test(token)) return failure(404, 'Not Found');
      return token === this.#state.token ? this.#api.call(call, parameters, files) : unauthorized();
    };
    const chatId = (parameters as { chat_id?: unknown }).chat_id;
    return {
      call: call === '' ? `${request.method} ${request.path}` : call,
      ...(chatId === undefined ? {} : { chatId: String(chatId) }),
      request: files.size === 0 ? parameters : { ...parameters, files: [...files.values()].map(fileSummary) },
      run: answer,
    };
  }

  /** The file link contains the token, which the ledger does not store (https://core.telegram.org/bots/api#getfile). */
  #download({ method, path }: SimulatedRequest): SimulatedCall {
    const [, token, links, id = ''] = /^\/file\/bot([^/]+)\/(\w+)\/([\w-]+)$/.exec(decoded(path)) ?? [];
    const file = token === this.#state.token && links === this.#api.links ? this.#state.file(id) : undefined;
    const found = file && {
      status: 200,
      headers: { 'content-type': 'application/octet-stream' },
      body: file.bytes,
    };
    return { call: `${method} /file`, request: { id }, run: () => found ?? failure(404, 'Not Found') };
  }
}

function faultAnswer(fault: ShapedFault): SimulatedAnswer {
  if (fault.kind === 'rate_limited') return tooManyRequests(fault.retryAfterMs);
  return fault.kind === 'revoked' ? unauthorized() : badRequest(`SIMULATED_REFUSAL_${fault.code}`);
}

function chatIdOf(pending: PendingUpdate): string | undefined {
  const [body] = Object.values(pending) as readonly { chat?: { id: number } }[];
  return body?.chat === undefined ? undefined : String(body.chat.id);
}
