import type { LookupFunction } from 'node:net';
import { Client, type IrcErrorEvent, type IrcMessageEvent } from 'irc-framework';
import { PlatformError } from 'trunkline';
import { CheckedTransport } from './checked-transport.js';
import { lowerCase } from './names.js';

const REGISTER_LIMIT_MS = 15_000;
const ANSWER_LIMIT_MS = 15_000;
const PING_INTERVAL_S = 30;
const PING_TIMEOUT_S = 75;
/** Time limit for the server's response to QUIT. */
const QUIT_LIMIT_MS = 1_000;

export interface SessionOptions {
  readonly host: string;
  /** Returns the checked addresses of `host`. */
  readonly lookup: LookupFunction;
  readonly port: number;
  readonly tls: boolean;
  readonly nick: string;
  readonly password: string | undefined;
}

export interface SessionEvents {
  readonly message: (kind: 'privmsg' | 'action', event: IrcMessageEvent) => void;
  readonly closed: () => void;
}

/** One registered connection to a server. It ends with its socket. The adapter opens the next one. */
export class Session {
  readonly #client = new Client();
  readonly #options: SessionOptions;
  #open = false;

  private constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Connects and registers, with another nick if this one is in use. Throws a PlatformError. */
  static async open(options: SessionOptions, events: SessionEvents): Promise<Session> {
    const session = new Session(options);
    await session.#register();
    session.#listen(events);
    return session;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Whether the session has the requested nick. */
  get hasNick(): boolean {
    return lowerCase(this.#client.user.nick) === lowerCase(this.#options.nick);
  }

  get nick(): string {
    return this.#client.user.nick;
  }

  /** Joins a channel. Throws `misconfigured` if the server refuses. */
  async join(channel: string): Promise<void> {
    await this.#ask(
      () => this.#client.join(channel),
      (settle) => {
        const joined = (event: { nick: string; channel: string }) => {
          if (event.nick === this.nick && lowerCase(event.channel) === lowerCase(channel)) settle.resolve();
        };
        const refused = (event: IrcErrorEvent) => {
          if (lowerCase(event.channel ?? '') === lowerCase(channel)) settle.reject(notJoined(channel, event));
        };
        this.#client.on('join', joined);
        this.#client.on('irc error', refused);
        return () => {
          this.#client.off('join', joined);
          this.#client.off('irc error', refused);
        };
      },
    );
  }

  /**
   * Sends one line followed by a ping. The server responds in order, so the pong confirms the line, and an error for the
   * line precedes the pong.
   */
  async say(target: string, text: string, token: string): Promise<void> {
    await this.#ask(
      () => {
        this.#client.raw(`PRIVMSG ${target} :${text}`);
        this.#client.raw(`PING ${token}`);
      },
      (settle) => {
        const ponged = ({ message }: { message: string }) => {
          if (message === token) settle.resolve();
        };
        const refused = (event: IrcErrorEvent) => {
          const about = [event.channel, event.nick].map((name) => lowerCase(name ?? ''));
          if (about.includes(lowerCase(target))) settle.reject(notTaken(target, event));
        };
        this.#client.on('pong', ponged);
        this.#client.on('irc error', refused);
        return () => {
          this.#client.off('pong', ponged);
          this.#client.off('irc error', refused);
        };
      },
    );
  }

  /** Disconnects from the server. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, QUIT_LIMIT_MS);
      this.#client.on('socket close', () => {
        clearTimeout(timer);
        resolve();
      });
      this.#client.quit('Trunkline leaves.');
    });
  }

  async #register(): Promise<void> {
    const { host, port, tls, lookup, nick, password } = this.#options;
    let refusal: PlatformError | undefined;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => fail(unreachable('The server did not answer in time.')),
        REGISTER_LIMIT_MS,
      );
      const settle = () => {
        clearTimeout(timer);
        this.#client.off('irc error', refused);
        this.#client.off('nick in use', taken);
        this.#client.off('socket close', closed);
      };
      const fail = (error: PlatformError) => {
        settle();
        this.#client.quit();
        reject(error);
      };
      const refused = (event: IrcErrorEvent) => {
        refusal ??= registrationError(event);
      };
      const taken = () =>
        this.#client.changeNick(`${nick.slice(0, 24)}${Math.floor(Math.random() * 100_000)}`);
      const closed = () => fail(refusal ?? unreachable('The connection failed.'));
      this.#client.on('irc error', refused);
      this.#client.on('nick in use', taken);
      this.#client.on('socket close', closed);
      this.#client.on('registered', () => {
        settle();
        this.#open = true;
        resolve();
      });
      this.#client.connect({
        ...{
          transport: CheckedTransport,
          lookup,
          host,
          port,
          tls,
          nick,
          username: 'trunkline',
          gecos: 'Trunkline',
          version: 'Trunkline',
        },
        ...(password === undefined ? {} : { password }),
        ...{ auto_reconnect: false, ping_interval: PING_INTERVAL_S, ping_timeout: PING_TIMEOUT_S },
      });
    });
  }

  #listen({ message, closed }: SessionEvents): void {
    this.#client.on('privmsg', (event) => message('privmsg', event));
    this.#client.on('action', (event) => message('action', event));
    this.#client.on('socket close', () => {
      const wasLost = this.#open;
      this.#open = false;
      if (wasLost) closed();
    });
  }

  /** Writes and waits for the response. The outcome is unknown if the connection ends before the response. */
  #ask(
    write: () => void,
    listen: (settle: { resolve(): void; reject(error: PlatformError): void }) => () => void,
  ): Promise<void> {
    if (!this.#open) return Promise.reject(unreachable('The connection is closed.'));
    return new Promise<void>((resolve, reject) => {
      const end = (finish: () => void) => {
        clearTimeout(timer);
        this.#client.off('socket close', closed);
        stop();
        finish();
      };
      const lost = (message: string) =>
        new PlatformError({ kind: 'unavailable', cause: 'network' }, { dispatched: 'unknown', message });
      const closed = () => end(() => reject(lost('The connection ended before the server answered.')));
      const timer = setTimeout(
        () => end(() => reject(lost('The server did not answer in time.'))),
        ANSWER_LIMIT_MS,
      );
      const stop = listen({
        resolve: () => end(resolve),
        reject: (error) => end(() => reject(error)),
      });
      this.#client.on('socket close', closed);
      write();
    });
  }
}

const unreachable = (message: string) =>
  new PlatformError({ kind: 'unavailable', cause: 'network' }, { dispatched: 'no', message });

function registrationError({ error, reason = '' }: IrcErrorEvent): PlatformError {
  if (error === 'password_mismatch' || /password/i.test(reason)) {
    return new PlatformError(
      { kind: 'unauthorized' },
      {
        dispatched: 'no',
        message: 'The server refused the password.',
        fix: 'Set credentials.password to the password of the server.',
        code: error,
      },
    );
  }
  return new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    { dispatched: 'no', message: 'The server refused the connection.', code: reason.slice(0, 200) },
  );
}

function notJoined(channel: string, { error }: IrcErrorEvent): PlatformError {
  return new PlatformError(
    { kind: 'misconfigured' },
    {
      dispatched: 'no',
      message: `The server does not let the bridge into ${channel}.`,
      fix: 'Take the channel out of settings.channels, or have the nick let in.',
      code: error,
    },
  );
}

function notTaken(target: string, { error }: IrcErrorEvent): PlatformError {
  const reason = error === 'no_such_nick' ? 'recipient_gone' : 'forbidden';
  return new PlatformError(
    { kind: 'rejected', reason },
    {
      dispatched: 'no',
      message: `The server takes nothing for ${target}.`,
      fix: 'A channel must exist, and stand in settings.channels; a person must be online.',
      code: error,
    },
  );
}
