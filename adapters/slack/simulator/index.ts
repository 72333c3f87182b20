import type { JsonObject } from '../../../src/contract/index.js';
import {
  type FaultDial,
  type Ledger,
  Outlet,
  readForm,
  type SimulatedAccount,
  type SimulatedAnswer,
  type SimulatedCall,
  type SimulatedChat,
  type SimulatedMessage,
  type SimulatedPost,
  type SimulatedRequest,
  type Simulator,
  type SimulatorOptions,
  SimulatorServer,
} from '../../../src/contract/simulation/index.js';
import type { Arguments } from './answers.js';
import { chatOf, readArguments, tokenOf, unreadable } from './call-arguments.js';
import type { Changes } from './chat.js';
import { DOCUMENTED_RETRIES_MS, WebhookDelivery } from './delivery.js';
import { Events } from './events.js';
import { Files } from './files.js';
import { History, type HistoryLimit, INTERNAL_APP } from './history.js';
import { answer, faultAnswer, rateLimited } from './http-answers.js';
import { APP_TOKEN, BOT_TOKEN, missingScope, refusedToken, SCOPES, SIGNING_SECRET } from './installed-app.js';
import { MinuteLimit, PostingLimit } from './limits.js';
import { People } from './people.js';
import { Reactions } from './reactions.js';
import { SocketMode } from './socket-mode.js';
import { WebApi } from './web-api.js';
import { Workspace } from './workspace.js';

export interface SlackSimulatorOptions extends SimulatorOptions {
  /** Waits before each redelivery of an event that was not answered with 2xx. Default: as documented. */
  readonly retriesMs?: readonly number[];
  /** Limits for reading histories. Default: as documented for internal apps, or none if `limits` is not `documented`. */
  readonly history?: HistoryLimit;
}

/** A local Slack: Web API, Events API and Socket Mode on one port. */
export class SlackSimulator implements Simulator {
  readonly platform = 'slack';
  readonly ledger: Ledger;
  readonly faults: FaultDial;
  readonly workspace = new Workspace();
  /** Builds bodies of the Events API, for tests that deliver special events. */
  readonly events: Events;
  readonly sockets: SocketMode;
  readonly webhook: WebhookDelivery;
  readonly #server: SimulatorServer;
  readonly #api: WebApi;
  readonly #files = new Files(() => this.#base);
  readonly #limit: PostingLimit | undefined;
  readonly #reading: MinuteLimit | undefined;
  /** Scopes of the installed app. Tests remove a scope to check how the adapter works without it. */
  readonly scopes = new Set(SCOPES);
  readonly reactions: Reactions;
  readonly #refusals = new Map<string, string>();
  readonly people: People;
  readonly #outlet: Outlet<object>;
  #base = '';
  #botToken = BOT_TOKEN;
  #tokens = 1;

  constructor({
    port,
    limits = 'documented',
    limitsFaster,
    retriesMs = DOCUMENTED_RETRIES_MS,
    firstNumber,
    history,
  }: SlackSimulatorOptions = {}) {
    this.events = new Events(this.workspace, firstNumber);
    this.#server = new SimulatorServer({
      ...(port === undefined ? {} : { port }),
      route: (request) => this.#route(request),
      faultAnswer,
    });
    this.ledger = this.#server.ledger;
    this.faults = this.#server.faults;
    this.#outlet = new Outlet<object>(this.faults, (body, lane = '') => this.#handOver(lane, body));
    this.sockets = new SocketMode(this.#server.http);
    this.webhook = new WebhookDelivery({ signingSecret: SIGNING_SECRET, retriesMs });
    this.#limit = limits === 'documented' ? new PostingLimit(limitsFaster) : undefined;
    const changes = this.#changes();
    this.reactions = new Reactions(this.workspace, changes);
    const socketUrl = () => `${this.#base.replace(/^http/, 'ws')}${this.sockets.ticket()}`;
    const reading = history ?? (limits === 'documented' ? INTERNAL_APP : undefined);
    this.#reading = reading === undefined ? undefined : new MinuteLimit(reading.perMinute);
    const read = new History(this.workspace, reading ?? INTERNAL_APP);
    this.#api = new WebApi(this.workspace, changes, this.#files, this.reactions, read, socketUrl);
    this.people = new People(this.workspace, this.events, this.#files, this.reactions, this.#api.views, {
      event: (lane, body) => this.deliver(lane, body),
      act: (lane, type, body) => this.#act(lane, type, body),
    });
  }

  async start(): Promise<{ readonly apiBaseUrl: string }> {
    this.#base = await this.#server.start();
    return { apiBaseUrl: `${this.#base}/api` };
  }

  async stop(): Promise<void> {
    this.webhook.stop();
    this.sockets.stop();
    await this.#server.stop();
  }

  /** Account for ingress `webhook`. */
  account(): SimulatedAccount {
    return {
      credentials: { bot_token: this.#botToken, signing_secret: SIGNING_SECRET, app_token: APP_TOKEN },
      settings: { api_base_url: `${this.#base}/api`, ingress: 'webhook' },
    };
  }

  /** Account for ingress `gateway`. After the first socket opens, events use sockets only. */
  accountForGateway(): SimulatedAccount {
    return {
      credentials: { bot_token: this.#botToken, app_token: APP_TOKEN },
      settings: { api_base_url: `${this.#base}/api`, ingress: 'gateway' },
    };
  }

  chats(): readonly SimulatedChat[] {
    return this.workspace
      .channels()
      .map(({ id, name, type }) => ({ id, title: name, kind: type === 'im' ? 'direct' : 'group' }));
  }

  address(index: number): string {
    return Workspace.address(index);
  }

  setWebhook(url: string): void {
    this.webhook.url = url;
  }

  async post(message: SimulatedPost): Promise<string> {
    return this.people.post(message);
  }

  async edit(chatId: string, messageId: string, text: string): Promise<void> {
    this.people.edit(chatId, messageId, text);
  }

  async remove(chatId: string, messageId: string): Promise<void> {
    this.people.remove(chatId, messageId);
  }

  react(chatId: string, messageId: string, sender: string, emoji: string, change: 'added' | 'removed'): void {
    this.people.react(chatId, messageId, sender, emoji, change);
  }

  press(chatId: string, messageId: string, sender: string, label: string): void {
    this.people.press(chatId, messageId, sender, label);
  }

  join(chatId: string, name: string): void {
    this.people.join(chatId, name);
  }

  leave(chatId: string, name: string): void {
    this.people.leave(chatId, name);
  }

  messages(chatId: string): readonly SimulatedMessage[] {
    return this.workspace.seen(chatId);
  }

  /** Makes the next call of this method fail with this error. */
  refuseNext(call: string, error: string): void {
    this.#refusals.set(call, error);
  }

  /** Revokes the token, as on the app's page. The token is invalid immediately, and the app receives an event. */
  revokeToken(): void {
    this.deliver('', this.events.revoked());
    this.#tokens += 1;
    this.#botToken = `${BOT_TOKEN}-${this.#tokens}`;
  }

  disconnect(): void {
    this.#server.cut();
    this.sockets.cut();
  }

  freeze(frozen: boolean): void {
    this.sockets.frozen = frozen;
  }

  get connections(): number {
    return this.sockets.connections;
  }

  /** Delivers any body: by socket if Socket Mode was ever used, otherwise by webhook. */
  deliver(lane: string, body: object): void {
    this.#outlet.push(body, lane);
  }

  #handOver(lane: string, body: object): void {
    if (this.sockets.inUse) this.sockets.send(body);
    else this.webhook.send(lane, body);
  }

  #changes(): Changes {
    return {
      posted: (message) => this.deliver(message.channel, this.events.posted(message)),
      changed: (message, previous) => this.deliver(message.channel, this.events.changed(message, previous)),
      deleted: (message) => this.deliver(message.channel, this.events.deleted(message)),
      reacted: (message, user, name, change) =>
        this.deliver(message.channel, this.events.reacted(message, user, name, change)),
    };
  }

  /** Delivers a command or an interaction: as a form by HTTP, or as an envelope of its own type by socket. */
  #act(lane: string, type: 'slash_commands' | 'interactive', body: JsonObject): void {
    if (this.sockets.inUse) return this.sockets.send(body, type);
    const fields =
      type === 'interactive' ? { payload: JSON.stringify(body) } : (body as Record<string, string>);
    this.webhook.send(lane, new URLSearchParams(fields));
  }

  #route(request: SimulatedRequest): SimulatedCall {
    const [, place, id = ''] = /^\/(upload|files-pri)\/(\w+)$/.exec(request.path) ?? [];
    if (place !== undefined) return this.#fileCall(place, id, request);
    const call = request.path.replace(/^\/api\//, '');
    const args = readArguments(request);
    if (args === undefined) return unreadable(call);
    const { token: _, ...kept } = args;
    return {
      call,
      ...chatOf(args),
      request: kept,
      run: () => this.#run(call, args, tokenOf(request, args)),
    };
  }

  /** Handles uploads, which have their own address, and private files, which require the bot's token. */
  #fileCall(place: string, id: string, request: SimulatedRequest): SimulatedCall {
    const { headers, body } = request;
    if (place === 'upload') {
      // Clients send the raw bytes, or a form with one file.
      const form = readForm(request);
      const [file] = form?.files.values() ?? [];
      const bytes = file?.bytes ?? body;
      const summary = { id, size: bytes.length };
      return { call: 'POST /upload', request: summary, run: () => this.#files.receive(id, bytes) };
    }
    const file = headers.authorization === `Bearer ${this.#botToken}` ? this.#files.get(id) : undefined;
    const page = {
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<html>Sign in</html>'),
    };
    const found = file && { status: 200, headers: { 'content-type': file.mimeType }, body: file.bytes };
    return { call: 'GET /files-pri', request: { id }, run: () => found ?? page };
  }

  #run(call: string, args: Arguments, token: string): SimulatedAnswer {
    const method = this.#api.methods[call];
    if (method === undefined) return answer({ ok: false, error: 'unknown_method' });
    const refusal = refusedToken(call, token, this.#botToken);
    if (refusal !== undefined) return answer({ ok: false, error: refusal });
    const needed = missingScope(call, args, this.scopes);
    if (needed !== undefined) return this.#granted({ ok: false, error: 'missing_scope', needed });
    const error = this.#refusals.get(call);
    if (error !== undefined && this.#refusals.delete(call)) return this.#granted({ ok: false, error });
    const waitSeconds = this.#waitSeconds(call, args);
    if (waitSeconds > 0) return rateLimited(waitSeconds);
    const result = method(args);
    return { ...this.#granted(result), committed: result.ok && WRITES.test(call) };
  }

  #waitSeconds(call: string, { channel = '' }: Arguments): number {
    if (call === 'chat.postMessage') return this.#limit?.waitSeconds(channel) ?? 0;
    return READS.test(call) ? (this.#reading?.waitSeconds(call) ?? 0) : 0;
  }

  /** Every response lists the scopes of the token. */
  #granted(body: object): SimulatedAnswer {
    return { ...answer(body), headers: { 'x-oauth-scopes': [...this.scopes].join(',') } };
  }
}

const READS = /^conversations\.(?:history|replies)$/;
const WRITES =
  /^(?:chat\.(?!getPermalink)|reactions\.(?:add|remove)$|pins\.(?:add|remove)$|files\.(?:completeUploadExternal|delete)$)/;
