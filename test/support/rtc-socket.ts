import { once } from 'node:events';
import WebSocket from 'ws';
import type { Json } from './api-client.js';

export interface RtcOptions {
  readonly key?: string;
  readonly token?: string;
  /** Replace the usual ones. */
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  /** Does not answer pings. */
  readonly silent?: boolean;
}

const TIMEOUT_MS = 30_000;

/** A client of the signaling WebSocket that keeps every frame. */
export class RtcSocket {
  readonly frames: Json[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  #taken = 0;
  #refs = 0;

  private constructor(
    readonly socket: WebSocket,
    silent: boolean,
  ) {
    socket.setMaxListeners(0);
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Json;
      if (frame.type === 'ping' && !silent) socket.send(JSON.stringify({ type: 'pong' }));
      else this.frames.push(frame);
      socket.emit('frame');
    });
    this.closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  }

  /** Resolves with the socket once it is ready. */
  static async open(url: string, options: RtcOptions): Promise<RtcSocket> {
    const opened = new RtcSocket(connect(url, options), options.silent ?? false);
    await Promise.race([once(opened.socket, 'open'), opened.closed]);
    await opened.next('ready');
    return opened;
  }

  /** Resolves with the close code of a socket that the service refuses. */
  static ended(
    url: string,
    options: RtcOptions,
  ): Promise<{ readonly code: number; readonly reason: string }> {
    return new RtcSocket(connect(url, options), false).closed;
  }

  /** Resolves with the response to a handshake that must be refused. */
  static async refused(
    url: string,
    options: RtcOptions,
  ): Promise<{ readonly status: number; readonly body: Json }> {
    const socket = connect(url, options);
    socket.on('error', () => undefined);
    const [, response] = await once(socket, 'unexpected-response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    socket.terminate();
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) as Json };
  }

  /** The next frame of this type that was not returned yet. Frames before it are skipped. */
  async next(type: string): Promise<Json> {
    const endsAt = Date.now() + TIMEOUT_MS;
    for (;;) {
      for (; this.#taken < this.frames.length; this.#taken += 1) {
        if (this.frames[this.#taken]?.type !== type) continue;
        this.#taken += 1;
        return this.frames[this.#taken - 1] as Json;
      }
      if (this.socket.readyState > WebSocket.OPEN || Date.now() > endsAt) {
        throw new Error(`No ${type} among ${JSON.stringify(this.frames).slice(0, 2_000)}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 500);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        this.socket.once('frame', done);
      });
    }
  }

  send(frame: Json | string | Buffer): void {
    const raw = typeof frame === 'string' || Buffer.isBuffer(frame);
    this.socket.send(raw ? frame : JSON.stringify(frame));
  }

  /** Sends a frame and resolves with its `ack` or `error`. */
  async ask(frame: Json): Promise<Json> {
    this.#refs += 1;
    const ref = `r${this.#refs}`;
    this.send({ ...frame, ref });
    const endsAt = Date.now() + TIMEOUT_MS;
    for (;;) {
      const found = this.frames.find((one) => one.ref === ref);
      if (found) return found;
      if (Date.now() > endsAt) throw new Error(`No answer among ${JSON.stringify(this.frames)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}

function connect(
  url: string,
  { key, token, protocols, headers, path = '/openapi/rtc' }: RtcOptions,
): WebSocket {
  const offered = protocols ?? [
    'trunkline.rtc.v1',
    ...(token === undefined ? [] : [`trunkline.token.${token}`]),
  ];
  return new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, [...offered], {
    headers: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers },
  });
}
