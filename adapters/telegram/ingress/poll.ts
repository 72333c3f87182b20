import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from 'grammy';
import { type AdapterHost, clock, type Envelope, PlatformError } from '../../../src/contract/index.js';
import { platformErrorOf } from '../client/errors.js';
import { allowedUpdates, clientSignal } from '../client/transport.js';
import { answerCallback } from './callback-answer.js';
import { type Bot, envelopeOf, isMove } from './envelope.js';
import { connected, type Ingress, reportFailure } from './ingress.js';
import { MissedUpdates } from './missed-updates.js';
import { isConflict, PollConflict } from './poll-conflict.js';

/** How long Telegram holds a request open when there is nothing to deliver. */
export const LONG_POLL_S = 25;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
/** Two pollers end each other's requests. A slow pace keeps the request rate of a conflict low. */
const CONFLICT_PAUSE_MS = 3_000;
/** Limit of the wait of `stop` for updates that are being stored. Telegram sends them again. */
const CLOSING_MS = 1_500;
/** Number of chats of a batch that are stored concurrently. Concurrent writes cost little more than one. */
const LANES_AT_ONCE = 64;
/** Delay of the next request per update of a batch. A few large batches cost less than many small ones. */
const GATHER_MS = 0.25;
const MAX_GATHER_MS = 4;
/** Minimum interval between requests to a server that does not support long polling. */
const MIN_POLL_MS = 250;

type Update = { readonly update_id: number };

interface Received {
  readonly update: Update;
  readonly envelope: Envelope;
}

/**
 * Splits a batch at chat migrations. The parts are stored one after the other, because no update may overtake a
 * migration or be overtaken by it.
 */
function stretchesOf(updates: readonly Update[]): Update[][] {
  const stretches: Update[][] = [[]];
  for (const update of updates) {
    if (isMove(update)) stretches.push([update], []);
    else stretches.at(-1)?.push(update);
  }
  return stretches.filter(({ length }) => length > 0);
}

/** The offset that confirms these updates. Undefined if none has a number. */
function offsetAfter(updates: readonly Update[]): number | undefined {
  const numbers = updates.map((update) => update?.update_id).filter(Number.isSafeInteger);
  return numbers.length === 0 ? undefined : Math.max(...numbers) + 1;
}

/** Groups updates by ordering lane. */
function lanesOf(updates: readonly Update[], bot: Bot): Received[][] {
  const lanes = new Map<string, Received[]>();
  for (const update of updates) {
    const envelope = envelopeOf(update, bot);
    if (envelope === undefined) continue;
    const lane = lanes.get(envelope.lane);
    if (lane === undefined) lanes.set(envelope.lane, [{ update, envelope }]);
    else lane.push({ update, envelope });
  }
  return [...lanes.values()];
}

/**
 * Long polling with one request at a time. The offset of the next request confirms all earlier updates, and Telegram
 * deletes them. It advances only when every update of a batch is stored
 * (https://core.telegram.org/bots/api#getupdates). Each chat of a batch keeps its order, and chats do not wait for each
 * other.
 */
export class PollIngress implements Ingress {
  readonly #api: Api;
  readonly #host: AdapterHost;
  readonly #bot: () => Bot;
  readonly #conflict = new PollConflict();
  readonly #missed: MissedUpdates;
  readonly #closing = new AbortController();
  #loop: Promise<void> | undefined;
  #offset: number | undefined;
  #failures = 0;
  /** After a network failure a short request checks whether the network is back. */
  #probing = false;

  constructor(api: Api, host: AdapterHost, bot: () => Bot) {
    this.#api = api;
    this.#host = host;
    this.#bot = bot;
    this.#missed = new MissedUpdates(host);
  }

  async open(): Promise<void> {
    const { signal } = this.#closing;
    this.#host.health({ code: 'connecting', message: 'Connecting to Telegram.' });
    try {
      // Pending updates are kept: they arrived while the bridge was down.
      await this.#api.raw.deleteWebhook({}, clientSignal(signal));
    } catch (error) {
      if (signal.aborted) return;
      const failure = platformErrorOf(error, false);
      reportFailure(this.#host, failure);
      throw failure;
    }
    if (signal.aborted) return;
    this.#host.health(connected);
    this.#loop = this.#run(signal);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const timer = new AbortController();
    const deadline = sleep(CLOSING_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([this.#loop, deadline]);
    timer.abort();
  }

  /** Refuses every webhook request: Telegram does not call a bot that polls. */
  async handle(): Promise<Response> {
    return new Response('This connection fetches its updates.', { status: 401 });
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const startedAt = clock.now();
        const updates = await this.#fetchBatch(signal);
        const isNew = await this.#storeBatch(updates, signal);
        await this.#gather(isNew ? updates.length : 0, clock.now() - startedAt, signal);
      } catch (error) {
        if (signal.aborted || !(await this.#recover(error, signal))) return;
      }
    }
  }

  async #fetchBatch(signal: AbortSignal): Promise<readonly Update[]> {
    try {
      return await this.#api.raw.getUpdates(
        {
          timeout: this.#probing ? 0 : LONG_POLL_S,
          allowed_updates: allowedUpdates,
          ...(this.#offset === undefined ? {} : { offset: this.#offset }),
        },
        clientSignal(signal),
      );
    } catch (error) {
      throw platformErrorOf(error, false);
    }
  }

  /** Resolves with whether the offset moved, so that the next poll brings other updates. */
  async #storeBatch(updates: readonly Update[], signal: AbortSignal): Promise<boolean> {
    await this.#missed.seen(this.#bot().id);
    for (const stretch of stretchesOf(updates)) await this.#storeStretch(stretch, signal);
    if (signal.aborted) return false;
    const next = offsetAfter(updates);
    const isNew = next !== undefined && next !== this.#offset;
    if (isNew) this.#offset = next;
    if (this.#failures > 0) this.#host.health(connected);
    this.#failures = 0;
    this.#probing = false;
    return isNew;
  }

  async #storeStretch(updates: readonly Update[], signal: AbortSignal): Promise<void> {
    const waiting = lanesOf(updates, this.#bot());
    const work = async () => {
      for (let lane = waiting.shift(); lane !== undefined; lane = waiting.shift())
        await this.#storeLane(lane, signal);
    };
    const stored = await Promise.allSettled(Array.from({ length: LANES_AT_ONCE }, work));
    const failed = stored.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /**
   * Delay before the next poll. After a large batch, more updates are worth collecting. After an immediate response
   * without new updates, the server does not support long polling or does not know the offset.
   */
  async #gather(fetched: number, tookMs: number, signal: AbortSignal): Promise<void> {
    if (fetched === 1) return;
    const waitMs = fetched === 0 ? MIN_POLL_MS - tookMs : Math.min(MAX_GATHER_MS, fetched * GATHER_MS);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }

  /** Stores the updates of one chat in order. */
  async #storeLane(lane: readonly Received[], signal: AbortSignal): Promise<void> {
    for (const { update, envelope } of lane) {
      if (signal.aborted) return;
      await this.#host.receive(envelope);
      void answerCallback(this.#api, update, this.#host.log, signal);
    }
  }

  /** Reports the failure and waits. Resolves with false if polling must stop. */
  async #recover(error: unknown, signal: AbortSignal): Promise<boolean> {
    const failure = this.#report(error);
    this.#failures += 1;
    if (failure?.problem.kind === 'unauthorized') return false;
    this.#probing = failure?.problem.kind === 'unavailable';
    await sleep(this.#pauseMs(failure), undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  }

  #report(error: unknown): PlatformError | undefined {
    if (error instanceof PlatformError) {
      if (!isConflict(error) || this.#conflict.lasts(clock.now())) reportFailure(this.#host, error);
      this.#host.log.warn('poll.failed', { code: error.code, kind: error.problem.kind });
      return error;
    }
    this.#host.health({ code: 'transient', message: 'The bridge could not store a Telegram update yet.' });
    this.#host.log.warn('update.not_stored', { error });
    return undefined;
  }

  #pauseMs(failure: PlatformError | undefined): number {
    if (failure?.problem.kind === 'rate_limited') return failure.problem.retryAfterMs;
    if (failure?.problem.kind === 'misconfigured') return CONFLICT_PAUSE_MS;
    return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 10));
  }
}
