import type { Caller } from '../access/caller.js';
import { apart } from '../common/apart.js';
import { AppError } from '../common/errors.js';
import type { Log } from '../common/log.js';
import { newId } from '../common/new-id.js';
import { timeNow } from '../common/time.js';
import type { Presence } from '../users/ports.js';
import type { ApiVersion } from '../versions/api-version.js';
import type { PresentData } from '../webhooks/payload.js';
import { gapFrame, pingFrame } from './frames.js';
import type { EventLog, Followed, StreamLease, StreamLeases } from './ports.js';
import { StreamReader, type StreamSink } from './reader.js';
import type { Interest } from './sight.js';
import { streamedEvents } from './subscription.js';
import { EventTail } from './tail.js';

export interface StreamRequest {
  /** Comma-separated list of names, prefixes, categories and `*`. */
  readonly events: string;
  readonly lastEventId: string | undefined;
  readonly version: ApiVersion;
  /** Address of the client. A key may be limited to certain addresses. */
  readonly address: string;
  /** Whether the credential is still valid. */
  readonly isStillValid: () => Promise<boolean>;
}

/** A stream that is counted but not started. The caller must start it or give it up. */
export interface ReadyStream {
  start(sink: StreamSink): void;
  giveUp(): void;
}

interface OpenStream {
  readonly lease: StreamLease;
  /** Identifies the credential, token and address that were checked. Streams with the same proof stay valid or end together. */
  readonly proof: string;
  readonly userId: string;
  readonly followed: Followed;
  readonly sink: StreamSink;
  readonly isStillValid: () => Promise<boolean>;
}

export interface EventStreamsParts {
  readonly log: EventLog;
  readonly leases: StreamLeases;
  readonly presence: Presence;
  readonly presentData: PresentData;
  readonly logger: Log;
  readonly now?: () => number;
}

/** The event of each change of a delivery. It is frequent, so it is recorded only for clients that subscribe to it by name. */
const moveEvent = 'delivery.updated';
const streamsPerCredential = 10;
const tryAgainSeconds = 5;
const pingMs = 15_000;
const checkMs = 500;
/** A third of the lifetime of a lease (`extendMs`) and of presence (`heartbeatMs`). */
const extendMs = 10_000;
const heartbeatMs = 20_000;

/** The open event streams of this process. */
export class EventStreams {
  readonly #open = new Set<OpenStream>();
  readonly #tail: EventTail;
  #timers: NodeJS.Timeout[] = [];
  #isChecking = false;
  #isStopped = false;

  constructor(private readonly parts: EventStreamsParts) {
    this.#tail = new EventTail(parts.log, parts.presentData, parts.logger);
  }

  /**
   * Counts a new stream of the caller. Raises `access_denied` and `invalid_request` for the list of events, and
   * `rate_limit_exceeded` if the credential already has the maximum number of open streams in all processes.
   */
  async prepare(caller: Caller, request: StreamRequest): Promise<ReadyStream> {
    const names = streamedEvents(request.events, caller);
    const { workspaceId, userId, credential } = caller;
    const followed = { workspaceId, moves: names.includes(moveEvent) };
    const lease = { id: newId(), workspaceId, credentialId: credential.id };
    await this.parts.log.hear([followed]);
    if (!(await this.parts.leases.open(lease, streamsPerCredential))) throw this.#tooMany();
    const interest = {
      workspaceId,
      names,
      version: request.version,
      ...(caller.onlyOwnConversations && { viewerId: userId }),
      ...(caller.restriction && { readerId: caller.restriction.readerId }),
    };
    const { isStillValid, lastEventId } = request;
    const proof = JSON.stringify([credential.id, caller.tokenId ?? null, request.address]);
    return {
      start: (sink) =>
        this.#start({ lease, proof, userId, followed, sink, isStillValid }, interest, lastEventId),
      giveUp: () => this.#free(lease),
    };
  }

  /** Number of open streams in this process. */
  get count(): number {
    return this.#open.size;
  }

  /** Reports that there may be new events. */
  wake(): void {
    this.#tail.wake();
  }

  /** Checks all credentials now, and closes the streams of credentials that are no longer valid. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const byProof = new Map<string, OpenStream>();
    for (const stream of this.#open) byProof.set(stream.proof, stream);
    await Promise.all([...byProof.values()].map((stream) => this.#checkOne(stream)));
    this.#isChecking = false;
  }

  /** Closes all streams. Their clients reconnect to another process, or later. */
  stop(): void {
    this.#isStopped = true;
    this.#stopTimers();
    for (const { sink } of this.#open) sink.close();
    this.#tail.stop();
  }

  #start(stream: OpenStream, interest: Interest, lastEventId: string | undefined): void {
    const { log, presentData, logger } = this.parts;
    this.#open.add(stream);
    stream.sink.onClose(() => {
      this.#open.delete(stream);
      this.#free(stream.lease);
      if (this.#open.size === 0) this.#stopTimers();
    });
    if (this.#isStopped) return stream.sink.close();
    apart(() => this.#startTimers());
    this.#beat([stream.userId]);
    const reader = new StreamReader({ log, tail: this.#tail, presentData }, interest, stream.sink);
    reader.start(lastEventId).catch((err: unknown) => {
      logger.warn({ err }, 'event_stream.failed');
      stream.sink.close();
    });
  }

  #startTimers(): void {
    if (this.#timers.length > 0) return;
    this.#timers = [
      setInterval(() => this.#ping(), pingMs),
      setInterval(() => void this.check(), checkMs),
      setInterval(() => this.#extend(), extendMs),
      setInterval(() => this.#beat([...this.#open].map(({ userId }) => userId)), heartbeatMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  #ping(): void {
    for (const { sink } of this.#open) sink.write(pingFrame);
  }

  async #checkOne({ isStillValid, proof }: OpenStream): Promise<void> {
    // If the check fails, the credential counts as valid.
    if (await isStillValid().catch(() => true)) return;
    for (const { sink, proof: other } of this.#open) {
      if (other !== proof) continue;
      // The credential may see other events now. Events that were hidden are not repeated, so the client gets a gap.
      sink.close(gapFrame(null));
    }
  }

  #extend(): void {
    const streams = [...this.#open];
    const extended = this.parts.leases.extend(streams.map(({ lease }) => lease)).then(() => {
      // A lease that was closed during the call may exist again.
      for (const stream of streams) if (!this.#open.has(stream)) this.#free(stream.lease);
    });
    this.#unlessFailed('event_stream.leases_not_extended', extended);
    const followed = new Map(streams.map(({ followed: one }) => [`${one.workspaceId} ${one.moves}`, one]));
    this.#unlessFailed('event_stream.not_heard', this.parts.log.hear([...followed.values()]));
  }

  #beat(userIds: readonly string[]): void {
    this.#unlessFailed('presence.heartbeat_failed', this.parts.presence.beat([...new Set(userIds)]));
  }

  /** A lease that can't be deleted expires. */
  #free(lease: StreamLease): void {
    this.#unlessFailed('event_stream.lease_not_freed', this.parts.leases.close(lease.id));
  }

  #unlessFailed(event: string, work: Promise<unknown>): void {
    work.catch((err: unknown) => this.parts.logger.warn({ err }, event));
  }

  #tooMany(): AppError {
    const now = (this.parts.now ?? timeNow)();
    const details = { limit: streamsPerCredential, reset: Math.ceil(now / 1_000) + tryAgainSeconds };
    return new AppError('rate_limit_exceeded', 'Too many open streams.', details);
  }
}
