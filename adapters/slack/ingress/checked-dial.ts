import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type AdapterHost, PlatformError } from '../../../src/contract/index.js';

interface CheckedTarget {
  readonly origin: string;
  readonly lookup: LookupFunction;
}

/**
 * Dials the WebSocket of one session, only to the URL and addresses that the host checked. Keeps a reference to the
 * socket to close it, because the SDK does not close the connections of a custom dispatcher.
 */
export class CheckedDial {
  readonly dispatcher = new Agent({ connect: (options, callback) => this.#connect(options, callback) });
  readonly #host: AdapterHost;
  #target: CheckedTarget | undefined;
  #socket: Socket | undefined;

  constructor(host: AdapterHost) {
    this.#host = host;
  }

  /** Throws if the host forbids the address. */
  async check(url: string): Promise<void> {
    const lookup = await this.#host.assertTarget(url);
    this.#target = { origin: new URL(url).origin.replace(/^ws/, 'http'), lookup };
  }

  cut(): void {
    this.#socket?.destroy();
  }

  #connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
    const target = this.#target;
    if (target === undefined || originOf(options) !== target.origin) return callback(unchecked(), null);
    buildConnector({ lookup: target.lookup })(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      const opened = socket as NonNullable<typeof socket>;
      this.#socket = opened;
      callback(null, opened);
    });
  }
}

function originOf({ protocol, hostname, port }: buildConnector.Options): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  return new URL(`${protocol}//${host}${port === '' ? '' : `:${port}`}`).origin;
}

const unchecked = () =>
  new PlatformError(
    { kind: 'misconfigured' },
    { dispatched: 'no', message: 'The address of the Slack socket was not checked before the connection.' },
  );
