/** Used if the gateway sends no usable interval. */
const DEFAULT_INTERVAL_MS = 41_250;
const MIN_INTERVAL_MS = 20;
const MAX_INTERVAL_MS = 600_000;

export interface HeartbeatEvents {
  /** Sends one heartbeat. */
  beat(): void;
  /** The previous heartbeat was not acknowledged before the next one was due. */
  dead(): void;
}

/** https://docs.discord.com/developers/events/gateway#sending-heartbeats */
export class Heartbeat {
  readonly #events: HeartbeatEvents;
  #timer: NodeJS.Timeout | undefined;
  #awaitsAck = false;

  constructor(events: HeartbeatEvents) {
    this.#events = events;
  }

  /**
   * The first heartbeat is sent at a random moment of the interval, so that clients that reconnect together spread out.
   */
  start(intervalMs: number): void {
    const usable = Number.isFinite(intervalMs) && intervalMs >= MIN_INTERVAL_MS;
    const everyMs = usable ? Math.min(intervalMs, MAX_INTERVAL_MS) : DEFAULT_INTERVAL_MS;
    this.stop();
    this.#timer = setTimeout(() => this.#tick(everyMs), everyMs * Math.random());
  }

  /** Discord may request a heartbeat at any time. */
  now(): void {
    this.#awaitsAck = true;
    this.#events.beat();
  }

  acknowledged(): void {
    this.#awaitsAck = false;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#awaitsAck = false;
  }

  #tick(everyMs: number): void {
    if (this.#awaitsAck) return this.#events.dead();
    this.#timer = setTimeout(() => this.#tick(everyMs), everyMs);
    this.now();
  }
}
