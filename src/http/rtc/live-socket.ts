import type { RawData, WebSocket } from 'ws';
import type { z } from 'zod';
import type { Caller } from '../../core/access/caller.js';
import { seeAs } from '../../core/access/reading.js';
import { lifeFrame, signalFrame } from '../../core/calls/bodies.js';
import type { OpenSocket } from '../../core/calls/ports.js';
import type { SendSignal } from '../../core/calls/use-cases.js';
import { invalidRequest } from '../../core/common/errors.js';
import type { Log } from '../../core/common/log.js';
import { newId } from '../../core/common/new-id.js';
import { parseJsonBody } from '../body.js';
import { errorAnswer } from '../error-answer.js';
import { fieldProblems } from '../field-problems.js';

/** Reasons for which the service closes a socket. In addition, the frame parser closes with 1009 when a frame is too long. */
export const closeCodes = {
  draining: 1001,
  binary: 1003,
  failed: 1011,
  invalidCredential: 4401,
  silent: 4408,
  tooFast: 4429,
  tooMany: 4429,
} as const;

export const heartbeatSeconds = 20;
const SILENCE_MS = 60_000;
const FRAMES_PER_SECOND = 50;
/** Maximum number of frames that wait to be handled. At this number, the connection is not read. */
const BACKLOG = 32;
/** A reader with more unsent bytes is disconnected. */
const UNSENT_BYTES = 1_048_576;

export interface LiveSocketOptions {
  readonly socket: WebSocket;
  readonly caller: Caller;
  readonly signal: SendSignal;
  readonly log: Log;
  readonly now: () => number;
  /** Whether the credential of the handshake is still valid. */
  readonly isStillValid: () => Promise<boolean>;
}

/** One WebSocket of a participant. It handles frames one after the other and enforces the limits of the connection. */
export class LiveSocket implements OpenSocket {
  readonly id = newId();
  readonly workspaceId: string;
  readonly userId: string;
  readonly callId: string | undefined;
  readonly credentialId: string;
  readonly openedAt: number;
  #heardAt: number;
  #pingedAt: number;
  #arrivals: number[] = [];
  #waiting = 0;
  #handled: Promise<void>;

  /** `ready` resolves when the socket is registered for all processes. Frames wait for it. */
  constructor(
    private readonly options: LiveSocketOptions,
    ready: (socket: LiveSocket) => Promise<void>,
  ) {
    const { socket, caller, now } = options;
    this.workspaceId = caller.workspaceId;
    this.userId = caller.userId;
    this.callId = caller.callId;
    this.credentialId = caller.credential.id;
    this.openedAt = now();
    this.#heardAt = now();
    this.#pingedAt = now();
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    // The close code of the parser says what is wrong with a frame.
    socket.on('error', (err) => options.log.debug({ err }, 'rtc_socket.failed'));
    this.#handled = ready(this).catch((err: unknown) => this.#giveUp(err));
  }

  /** Resolves when everything that has arrived is handled. */
  get settled(): Promise<void> {
    return this.#handled;
  }

  /** Sends pings, and closes a silent connection. Called once a second. */
  beat(): void {
    const now = this.options.now();
    if (now - this.#heardAt > SILENCE_MS) return this.close(closeCodes.silent, 'no pong');
    if (now - this.#pingedAt < heartbeatSeconds * 1_000) return;
    this.#pingedAt = now;
    this.send({ type: 'ping' });
  }

  /** Closes the socket when its credential is no longer valid. */
  async recheck(): Promise<void> {
    let valid = true;
    try {
      valid = await this.options.isStillValid();
    } catch (err) {
      this.options.log.debug({ err }, 'rtc_socket.check_failed');
    }
    if (!valid) this.close(closeCodes.invalidCredential, 'credential no longer valid');
  }

  send(frame: object | string): void {
    const { socket } = this.options;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > UNSENT_BYTES) return socket.terminate();
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  close(code: number, reason: string): void {
    this.options.socket.close(code, reason);
  }

  /** Closes the connection without a closing handshake. */
  terminate(): void {
    this.options.socket.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    const { socket, now } = this.options;
    if (socket.readyState !== socket.OPEN) return;
    if (isBinary) return this.close(closeCodes.binary, 'text frames only');
    if (this.#tooFast(now())) return this.close(closeCodes.tooFast, 'too many frames');
    this.#heardAt = now();
    this.#waiting += 1;
    if (this.#waiting >= BACKLOG) socket.pause();
    this.#handled = this.#handled
      .then(() => this.#handle(data as Buffer))
      .finally(() => {
        this.#waiting -= 1;
        if (this.#waiting < BACKLOG) socket.resume();
      });
  }

  #tooFast(now: number): boolean {
    this.#arrivals.push(now);
    if (this.#arrivals.length <= FRAMES_PER_SECOND) return false;
    const first = this.#arrivals.shift() ?? 0;
    return now - first < 1_000;
  }

  async #handle(data: Buffer): Promise<void> {
    let ref: string | undefined;
    try {
      const sent = parseJsonBody(data, 'application/json');
      ref = refOf(sent);
      const answer = await this.#answer(sent);
      if (answer !== undefined) this.send({ ...answer, ref });
    } catch (error) {
      const { status, body } = errorAnswer(error, this.id, this.options.now());
      if (status === 500) this.options.log.error({ err: error, socket_id: this.id }, 'rtc_frame.failed');
      this.send({ type: 'error', ref, ...body });
    }
  }

  async #answer(sent: Record<string, unknown>): Promise<object | undefined> {
    if (sent.type === 'ping' || sent.type === 'pong') {
      const frame = checked(lifeFrame, sent);
      if (frame.type === 'ping') return { type: 'pong' };
      return frame.ref === undefined ? undefined : { type: 'ack' };
    }
    const { call_id: callId, ref, ...signal } = checked(signalFrame, sent);
    const { caller, signal: send } = this.options;
    await seeAs(caller, () => send.execute(caller, callId, signal));
    return ref === undefined ? undefined : { type: 'ack' };
  }

  #giveUp(err: unknown): void {
    this.options.log.warn({ err }, 'rtc_socket.open_failed');
    this.close(closeCodes.failed, 'could not be opened');
  }
}

/** The `ref` for the response. An invalid one is not repeated. */
function refOf({ ref }: Record<string, unknown>): string | undefined {
  return lifeFrame.shape.ref.safeParse(ref).data;
}

function checked<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const result = schema.safeParse(sent, { reportInput: true });
  if (!result.success) throw invalidRequest(fieldProblems(result.error.issues));
  return result.data;
}
