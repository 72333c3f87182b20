import type { Api } from 'grammy';
import {
  type Adapter,
  type AdapterHost,
  type Capabilities,
  type ChatSummary,
  type ConnectionConfig,
  type Destination,
  type Envelope,
  type ExecuteContext,
  type InboundEvent,
  type Operation,
  type PartStep,
  type Plan,
  PlatformError,
  type Receipt,
  type RemoteChatId,
  type RemoteIdentity,
  type RemoteMedia,
  remoteUserId,
  type WriteRate,
} from '../../src/contract/index.js';
import { platformErrorOf, UnexpectedResponse } from './client/errors.js';
import { openFile } from './client/files.js';
import { rateOf } from './client/rates.js';
import { telegramApi } from './client/transport.js';
import type { TelegramCredentials, TelegramSettings } from './config.js';
import { DirectTopics } from './directory/direct-topics.js';
import { decode } from './inbound/decode.js';
import type { Ingress } from './ingress/ingress.js';
import { LONG_POLL_S, PollIngress } from './ingress/poll.js';
import { WebhookIngress } from './ingress/webhook.js';
import { omitUndefined } from './omit-undefined.js';
import { plan } from './outbound/plan.js';
import { Writer } from './outbound/writer.js';

const CALL_TIMEOUT_S = 15;
/** Timeout of calls with files. It exceeds the bridge's own timeouts, which depend on the file sizes. */
const UPLOAD_TIMEOUT_S = 3_600;

/** A live connection of one bot. */
export class TelegramAdapter implements Adapter {
  readonly #config: ConnectionConfig<TelegramCredentials, TelegramSettings>;
  readonly #host: AdapterHost;
  readonly #capabilities: Capabilities;
  readonly #api: Api;
  readonly #directTopics: DirectTopics;
  readonly #writer: Writer;
  #handle: string | undefined;
  #ingress: Ingress | undefined;
  #opened: Promise<void> | undefined;

  constructor(
    config: ConnectionConfig<TelegramCredentials, TelegramSettings>,
    host: AdapterHost,
    capabilities: Capabilities,
  ) {
    this.#config = config;
    this.#host = host;
    this.#capabilities = capabilities;
    this.#api = this.#client(CALL_TIMEOUT_S);
    this.#directTopics = new DirectTopics(this.#api);
    this.#writer = new Writer(this.#api, this.#client(UPLOAD_TIMEOUT_S), host, this.#directTopics);
  }

  async identify(): Promise<RemoteIdentity> {
    try {
      const me = await this.#api.raw.getMe();
      if (!Number.isSafeInteger(me.id)) throw new UnexpectedResponse(200, null);
      this.#handle = me.username;
      return omitUndefined({ externalId: remoteUserId(me.id), handle: me.username, name: me.first_name });
    } catch (error) {
      throw platformErrorOf(error, false);
    }
  }

  async start(): Promise<void> {
    if (this.#opened === undefined) {
      this.#ingress = this.#newIngress();
      this.#opened = this.#ingress.open();
    }
    try {
      await this.#opened;
    } catch (error) {
      // A failed start may be repeated.
      this.#opened = undefined;
      throw error;
    }
  }

  async handle(request: Request): Promise<Response> {
    // The process that receives webhooks need not be the one that registered them.
    this.#ingress ??= this.#newIngress();
    return this.#ingress.handle(request);
  }

  decode(envelope: Envelope): readonly InboundEvent[] {
    const events = decode(envelope);
    this.#directTopics.learn(events);
    return events;
  }

  capabilities(): Capabilities {
    return this.#capabilities;
  }

  plan(operation: Operation, capabilities: Capabilities): Plan {
    return plan(operation, capabilities);
  }

  rate(step: PartStep, to: Destination): WriteRate {
    return rateOf(step, to);
  }

  async findChat(chatId: RemoteChatId): Promise<ChatSummary> {
    try {
      const chat = await this.#api.raw.getChat({ chat_id: chatId });
      if (String(chat.id) !== chatId) throw otherSpelling(chat.id);
      const { title, first_name: first, last_name: last } = chat;
      const name = title ?? [first, last].filter(Boolean).join(' ');
      return name === '' ? {} : { title: name };
    } catch (error) {
      throw platformErrorOf(error, true);
    }
  }

  async execute(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    if (context.signal.aborted) throw notSent();
    try {
      return await this.#writer.write(step, context);
    } catch (error) {
      throw platformErrorOf(error, true);
    }
  }

  openMedia(ref: string, signal: AbortSignal): Promise<RemoteMedia> {
    const { credentials, settings } = this.#config;
    const root = settings.api_base_url.replace(/(?<!\/)\/+$/, '');
    return openFile(this.#api, this.#host, `${root}/file/bot${credentials.bot_token}`, ref, signal);
  }

  async stop(): Promise<void> {
    const ingress = this.#ingress;
    this.#ingress = undefined;
    this.#opened = undefined;
    await ingress?.close();
  }

  #newIngress(): Ingress {
    const { credentials, settings } = this.#config;
    // The part of the token before the colon is the bot's account id. The rest is secret.
    const id = /^(\d+):/.exec(credentials.bot_token)?.[1] ?? '';
    const bot = () => ({ id, handle: this.#handle });
    if (settings.ingress === 'webhook')
      return new WebhookIngress(this.#api, this.#host, bot, credentials.webhook_secret);
    return new PollIngress(this.#client(LONG_POLL_S + CALL_TIMEOUT_S), this.#host, bot);
  }

  #client(timeoutSeconds: number): Api {
    const { credentials, settings } = this.#config;
    return telegramApi(credentials.bot_token, settings.api_base_url, this.#host, timeoutSeconds);
  }
}

const notSent = () =>
  new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    { dispatched: 'no', message: 'The request was cancelled before it was sent.' },
  );

/** A username or another spelling of an id finds the chat, but updates name the chat by its id only. */
function otherSpelling(id: number): PlatformError {
  return new PlatformError(
    { kind: 'rejected', reason: 'recipient_gone' },
    {
      dispatched: 'no',
      message: 'Messages of this chat arrive under another id.',
      fix: `Use its id ${id}.`,
    },
  );
}
