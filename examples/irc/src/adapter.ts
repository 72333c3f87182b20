import type { IrcMessageEvent } from 'irc-framework';
import {
  type Adapter,
  type AdapterHost,
  type Capabilities,
  type ConnectionConfig,
  type Envelope,
  type ExecuteContext,
  type InboundEvent,
  type Operation,
  type PartStep,
  type Plan,
  PlatformError,
  type Receipt,
  type RemoteIdentity,
  remoteMessageId,
  remoteUserId,
} from 'trunkline';
import { capabilities, type IrcCredentials, type IrcSettings } from './definition.js';
import { decode, gapEnvelope, lineEnvelope } from './inbound.js';
import { isTarget, lowerCase } from './names.js';
import { plan } from './outbound.js';
import { Session } from './session.js';

const RETRY_FIRST_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** One nick on one network. */
export class IrcAdapter implements Adapter {
  readonly #config: ConnectionConfig<IrcCredentials, IrcSettings>;
  readonly #host: AdapterHost;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #started = false;
  #stopped = false;
  #retryMs = RETRY_FIRST_MS;
  #timer: NodeJS.Timeout | undefined;
  #lostAt: string | undefined;
  #lines = 0;
  /** Lines are stored one after the other, in the order of their arrival. */
  #stored: Promise<void> = Promise.resolve();

  constructor(config: ConnectionConfig<IrcCredentials, IrcSettings>, host: AdapterHost) {
    this.#config = config;
    this.#host = host;
  }

  /** Only a registered session can verify the nick. The session is kept for `start`. */
  async identify(): Promise<RemoteIdentity> {
    await this.#open();
    const { nick } = this.#config.credentials;
    return { externalId: remoteUserId(lowerCase(nick)), handle: nick, name: nick };
  }

  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    try {
      await this.#enter();
    } catch (error) {
      this.#started = false;
      throw error;
    }
  }

  decode(envelope: Envelope): readonly InboundEvent[] {
    return decode(envelope);
  }

  capabilities(): Capabilities {
    return capabilities;
  }

  plan(operation: Operation, table: Capabilities): Plan {
    return plan(operation, table);
  }

  async execute({ payload }: PartStep, { to, key, signal }: ExecuteContext): Promise<Receipt> {
    if (signal.aborted) throw unavailable('The line was aborted before it was sent.');
    const { text } = payload;
    if (typeof text !== 'string' || !isTarget(to.chatId)) {
      throw new PlatformError(
        { kind: 'rejected', reason: 'recipient_gone' },
        { dispatched: 'no', message: 'This is not an IRC channel or nick.' },
      );
    }
    const session = this.#session;
    if (session?.isOpen !== true || !session.hasNick) throw unavailable('The nick is not on the network.');
    await session.say(to.chatId, text, key);
    // IRC messages have no ids, so the key of the send is used.
    return { remoteId: remoteMessageId(key) };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#opening?.catch(() => undefined);
    await this.#session?.close();
  }

  #open(): Promise<Session> {
    if (this.#session?.isOpen === true) return Promise.resolve(this.#session);
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #connect(): Promise<Session> {
    const { credentials, settings } = this.#config;
    const lookup = await this.#host.assertTarget(settings.api_base_url);
    const { protocol, hostname, port } = new URL(settings.api_base_url);
    const session = await Session.open(
      {
        host: hostname.replace(/^\[|\]$/g, ''),
        lookup,
        port: Number(port),
        tls: protocol === 'tls:',
        nick: credentials.nick,
        password: credentials.password,
      },
      { message: (kind, event) => this.#hear(kind, event), closed: () => this.#lost() },
    );
    this.#session = session;
    if (this.#stopped) await session.close();
    return session;
  }

  /** Connects with the configured nick and joins every channel. */
  async #enter(): Promise<void> {
    let session = await this.#open();
    if (!session.hasNick) {
      await session.close();
      session = await this.#open();
    }
    if (!session.hasNick) {
      throw unavailable(`The nick ${this.#config.credentials.nick} is in use by another user.`);
    }
    const channels = this.#config.settings.channels.split(',').filter((channel) => channel !== '');
    for (const channel of channels) await session.join(channel);
    if (this.#lostAt !== undefined) await this.#host.receive(gapEnvelope(this.#lostAt));
    this.#lostAt = undefined;
    this.#retryMs = RETRY_FIRST_MS;
    this.#host.health({ code: 'ok', message: `Connected as ${session.nick}.` });
  }

  #lost(): void {
    if (this.#stopped || !this.#started) return;
    this.#lostAt ??= new Date().toISOString();
    this.#host.health({ code: 'transient', message: 'The connection to the server ended.' });
    this.#again();
  }

  #again(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#reenter(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  async #reenter(): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.#enter();
    } catch (error) {
      this.#host.health(healthOf(error));
      if (!this.#stopped) this.#again();
    }
  }

  #hear(kind: 'privmsg' | 'action', { nick, target, message, time, from_server }: IrcMessageEvent): void {
    if (from_server === true || nick === '') return;
    const now = Date.now();
    this.#lines += 1;
    const envelope = lineEnvelope({
      ...{ kind, nick, target, text: message },
      id: `${now.toString(36)}.${this.#lines}`,
      at: new Date(time ?? now).toISOString(),
      own: this.#session?.nick ?? this.#config.credentials.nick,
    });
    this.#stored = this.#stored
      .then(() => this.#host.receive(envelope))
      .catch((error: unknown) => this.#host.log.error('irc.line_not_stored', { error }));
  }
}

const unavailable = (message: string) =>
  new PlatformError({ kind: 'unavailable', cause: 'network' }, { dispatched: 'no', message });

function healthOf(error: unknown): Parameters<AdapterHost['health']>[0] {
  if (!(error instanceof PlatformError))
    return { code: 'transient', message: "The server can't be reached." };
  const kinds: Readonly<Record<string, 'bad_credentials' | 'misconfigured'>> = {
    unauthorized: 'bad_credentials',
    misconfigured: 'misconfigured',
  };
  const code = kinds[error.problem.kind] ?? 'transient';
  return { code, message: error.message, ...(error.fix === undefined ? {} : { fix: error.fix }) };
}
