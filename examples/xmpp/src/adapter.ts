import { type Client, client, xml } from '@xmpp/client';
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
import { dialChecked } from './checked-dial.js';
import { capabilities, type XmppCredentials, type XmppSettings } from './definition.js';
import { bare, decode, stanzaEnvelope } from './inbound.js';
import { plan, refused } from './outbound.js';

const ANSWER_LIMIT_MS = 15_000;
const STOP_LIMIT_MS = 1_500;
const MUC = 'http://jabber.org/protocol/muc';
const REPLY = 'urn:xmpp:reply:0';
const DELAY = 'urn:xmpp:delay';
const PING = 'urn:xmpp:ping';
const CORRECT = 'urn:xmpp:message-correct:0';
const RETRACT = 'urn:xmpp:message-retract:1';

type Stanza = Parameters<Client['send']>[0];

/** One account. The library reconnects by itself. The rooms are then asked for the missed messages. */
export class XmppAdapter implements Adapter {
  readonly #config: ConnectionConfig<XmppCredentials, XmppSettings>;
  readonly #host: AdapterHost;
  readonly #xmpp: Client;
  readonly #account: string;
  readonly #rooms: readonly string[];
  /** Callbacks that wait for a stanza, by its id. */
  readonly #awaited = new Map<string, (stanza: Stanza) => void>();
  #opened: Promise<void> | undefined;
  #started = false;
  #stopped = false;
  #lostAt: string | undefined;
  #stored: Promise<void> = Promise.resolve();

  constructor(config: ConnectionConfig<XmppCredentials, XmppSettings>, host: AdapterHost) {
    this.#config = config;
    this.#host = host;
    const { credentials, settings } = config;
    const [username = '', domain = ''] = credentials.jid.split('@');
    const { protocol, host: server } = new URL(settings.api_base_url);
    this.#account = `${username}@${domain}`.toLowerCase();
    this.#rooms = settings.rooms.split(',').filter((room) => room !== '');
    this.#xmpp = client({
      service: `${protocol === 'tls:' ? 'xmpps' : 'xmpp'}://${server}`,
      ...{ domain, username, password: credentials.password },
    });
    dialChecked(this.#xmpp, host);
    this.#xmpp.on('stanza', (stanza: Stanza) => this.#hear(stanza));
    this.#xmpp.on('online', () => void this.#online());
    this.#xmpp.on('disconnect', () => this.#lost());
    this.#xmpp.on('error', (error: Error) => this.#failed(error));
  }

  async identify(): Promise<RemoteIdentity> {
    await this.#open();
    return { externalId: remoteUserId(this.#account), handle: this.#account, name: this.#account };
  }

  async start(): Promise<void> {
    if (this.#started) return;
    await this.#open();
    await this.#enter();
    this.#started = true;
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

  /** A room confirms a message by sending it back to its author. A direct message is confirmed by a ping after it. */
  async execute({ payload }: PartStep, { to, key, signal }: ExecuteContext): Promise<Receipt> {
    const { text, replyTo } = payload;
    if (signal.aborted || this.#xmpp.status !== 'online') throw unavailable('no', 'The stream is closed.');
    if (typeof text !== 'string' || !/^[^\s@/]+@[^\s@/]+$/.test(to.chatId)) {
      throw refused('recipient_gone', 'This is not an XMPP address.');
    }
    const room = this.#rooms.includes(to.chatId);
    const message = xml(
      'message',
      { to: to.chatId, type: room ? 'groupchat' : 'chat', id: key },
      xml('body', {}, text),
      ...(typeof replyTo === 'string' ? [xml('reply', { xmlns: REPLY, id: replyTo })] : []),
    );
    const answers = [this.#answer(key)];
    await this.#write(message);
    if (!room) {
      const ping = { type: 'get', id: `${key}.ping`, to: this.#account.split('@')[1] ?? '' };
      answers.push(this.#answer(ping.id));
      await this.#write(xml('iq', ping, xml('ping', { xmlns: PING })));
    }
    const answer = await Promise.race(answers).finally(() => {
      this.#awaited.delete(key);
      this.#awaited.delete(`${key}.ping`);
    });
    if (answer.is('message') && answer.attrs.type === 'error') throw refusalOf(answer);
    return { remoteId: remoteMessageId(key) };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#xmpp.reconnect.stop();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_LIMIT_MS);
    });
    // An unreachable server does not close the stream.
    await Promise.race([this.#xmpp.stop().catch(() => undefined), late]);
    clearTimeout(timer);
  }

  #open(): Promise<void> {
    if (this.#xmpp.status === 'online') return Promise.resolve();
    this.#opened ??= this.#dial().finally(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }

  async #dial(): Promise<void> {
    try {
      await this.#xmpp.start();
    } catch (error) {
      await this.#xmpp.stop().catch(() => undefined);
      throw errorOf(error);
    }
    if (this.#stopped) await this.#xmpp.stop();
  }

  /** Sends presence and joins every room. The rooms then send the messages that were missed. */
  async #enter(): Promise<void> {
    await this.#write(xml('presence'));
    const history = this.#lostAt === undefined ? { maxstanzas: '0' } : { since: this.#lostAt };
    for (const room of this.#rooms) {
      const id = `join.${room}.${Date.now()}`;
      const joined = this.#answer(id);
      const to = `${room}/${this.#config.settings.nick}`;
      await this.#write(xml('presence', { to, id }, xml('x', { xmlns: MUC }, xml('history', history))));
      const answer = await joined.finally(() => this.#awaited.delete(id));
      if (answer.attrs.type === 'error') throw notJoined(room, answer);
    }
    this.#lostAt = undefined;
    this.#host.health({ code: 'ok', message: `Connected as ${this.#account}.` });
  }

  async #online(): Promise<void> {
    if (!this.#started || this.#stopped) return;
    try {
      await this.#enter();
    } catch (error) {
      this.#failed(error);
    }
  }

  #lost(): void {
    if (!this.#started || this.#stopped) return;
    this.#lostAt ??= new Date().toISOString();
    this.#host.health({ code: 'transient', message: 'The connection to the server ended.' });
  }

  #failed(cause: unknown): void {
    if (!this.#started || this.#stopped) return;
    const { problem, message, fix } = errorOf(cause);
    const codes: Readonly<Record<string, 'bad_credentials' | 'misconfigured'>> = {
      unauthorized: 'bad_credentials',
      misconfigured: 'misconfigured',
    };
    const code = codes[problem.kind] ?? 'transient';
    this.#host.health({ code, message, ...(fix === undefined ? {} : { fix }) });
  }

  #hear(stanza: Stanza): void {
    const { id, from, type } = stanza.attrs as Record<string, string | undefined>;
    if (id !== undefined) this.#awaited.get(id)?.(stanza);
    const body = stanza.getChildText('body') ?? '';
    const replaces = stanza.getChild('replace', CORRECT)?.attrs.id as string | undefined;
    const retracts = stanza.getChild('retract', RETRACT)?.attrs.id as string | undefined;
    const isChat = stanza.is('message') && (type === 'chat' || type === 'groupchat' || type === undefined);
    const saysSomething = body !== '' || retracts !== undefined;
    if (!isChat || !this.#started || from === undefined || id === undefined || !saysSomething) return;
    const replyTo = stanza.getChild('reply', REPLY)?.attrs.id as string | undefined;
    const stamp = stanza.getChild('delay', DELAY)?.attrs.stamp as string | undefined;
    const room = type === 'groupchat';
    const envelope = stanzaEnvelope({
      ...{ type: room ? ('groupchat' as const) : ('chat' as const), from, id, body },
      at: timeOf(stamp),
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(replaces === undefined ? {} : { replaces }),
      ...(retracts === undefined ? {} : { retracts }),
      own: room ? `${bare(from)}/${this.#config.settings.nick}` : this.#account,
    });
    this.#stored = this.#stored
      .then(() => this.#host.receive(envelope))
      .catch((error: unknown) => this.#host.log.error('xmpp.stanza_not_stored', { error }));
  }

  /** Resolves with the stanza that has this id. Rejects after a time limit, because the outcome is then unknown. */
  #answer(id: string): Promise<Stanza> {
    const answer = new Promise<Stanza>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(unavailable('unknown', 'The server did not answer in time.')),
        ANSWER_LIMIT_MS,
      );
      this.#awaited.set(id, (stanza) => {
        clearTimeout(timer);
        resolve(stanza);
      });
    });
    // The caller may have failed before, so a late rejection is ignored.
    answer.catch(() => undefined);
    return answer;
  }

  async #write(stanza: Stanza): Promise<void> {
    try {
      await this.#xmpp.send(stanza);
    } catch {
      throw unavailable('unknown', 'The connection ended while a stanza was sent.');
    }
  }
}

function timeOf(stamp: string | undefined): string {
  const time = stamp === undefined ? Number.NaN : Date.parse(stamp);
  return new Date(Number.isNaN(time) ? Date.now() : time).toISOString();
}

const unavailable = (dispatched: 'no' | 'unknown', message: string) =>
  new PlatformError({ kind: 'unavailable', cause: 'network' }, { dispatched, message });

function conditionOf(stanza: Stanza): string {
  const child = stanza.getChild('error')?.children.find((each) => typeof each !== 'string');
  return (child as { name?: string } | undefined)?.name ?? 'error';
}

function refusalOf(stanza: Stanza): PlatformError {
  const condition = conditionOf(stanza);
  const gone = ['item-not-found', 'service-unavailable', 'remote-server-not-found', 'gone'];
  const reason = gone.includes(condition) ? 'recipient_gone' : 'forbidden';
  return refused(reason, 'The server refused the message.', condition);
}

function notJoined(room: string, stanza: Stanza): PlatformError {
  return new PlatformError(
    { kind: 'misconfigured' },
    {
      dispatched: 'no',
      message: `The server does not let the bridge join ${room}.`,
      fix: 'Remove the room from settings.rooms, or choose another nick.',
      code: conditionOf(stanza),
    },
  );
}

function errorOf(cause: unknown): PlatformError {
  if (cause instanceof PlatformError) return cause;
  const { name, condition } = Object(cause) as { name?: string; condition?: string };
  if (name === 'SASLError' || condition === 'not-authorized') {
    return new PlatformError(
      { kind: 'unauthorized' },
      {
        dispatched: 'no',
        message: 'The server refused the address or the password.',
        fix: 'Enter the address and password of an account on this server.',
        ...(condition === undefined ? {} : { code: condition }),
      },
    );
  }
  return unavailable('no', "The server can't be reached.");
}
