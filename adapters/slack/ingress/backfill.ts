import { setTimeout as delay } from 'node:timers/promises';
import {
  type AdapterHost,
  clock,
  type JsonObject,
  linkedSignal,
  PlatformError,
} from '../../../src/contract/index.js';
import type { Channels, KnownChannel } from '../directory/channels.js';
import { storedTime } from '../stored-state.js';
import {
  allWhole,
  isWhole,
  missingSince,
  type Plan,
  parsePlan,
  withGap,
  withWhole,
} from './backfill-plan.js';
import { clearGap, lastSeen, recordedGap } from './gap-detector.js';
import { bodiesOf, type HistoryReader } from './history-reader.js';
import { StoredPlan } from './stored-plan.js';

const ALIVE = 'history-alive';
/** Interval at which recorded gaps are looked for and an open socket is recorded. */
const CHECK_EVERY_MS = 30_000;
const AGAIN_MS = 10_000;
/**
 * Time before a gap that is fetched as well: Slack repeats unacknowledged events for six minutes, and clocks differ.
 */
const OVERLAP_MS = 10 * 60_000;
/** Older messages are not fetched. A gap event reports them. */
const MAX_MS = 7 * 86_400_000;
/** Slack repeats everything of a shorter gap itself, including reactions and deletions. */
const REPEATED_MS = 5 * 60_000;
/**
 * Maximum wait of an event for earlier messages of its channel. Slack requires an acknowledgement within three seconds.
 */
const HOLD_MS = 1_500;
/** Wait for the plan. Webhooks may arrive before this process reads the connection, and another process may read it. */
const YOUNG_MS = 5_000;
const SAVE_EVERY_MS = 2_000;
const STOP_MS = 1_000;

export interface BackfillOptions {
  readonly host: AdapterHost;
  readonly channels: Channels;
  readonly reader: HistoryReader;
  /** Stores a body that the Events API would have sent. */
  readonly store: (key: string, body: JsonObject) => Promise<void>;
  readonly byWebhook: boolean;
  /** Whether a socket is open. */
  readonly isOpen: () => boolean;
}

/**
 * Fetches messages that were sent while no process received Slack's events: channel by channel, oldest first, within a
 * share of Slack's limits. The plan is persistent, so a crash loses nothing. A message that is already stored has the
 * same id and changes nothing.
 */
export class Backfill {
  readonly #options: BackfillOptions;
  readonly #stored: StoredPlan;
  #wake = new AbortController();
  #stop = new AbortController();
  #running: Promise<void> | undefined;
  /** Channels that were fetched ahead of their turn, because an event arrived for them. */
  readonly #early = new Map<string, Promise<void>>();
  #kinds = new Map<string, string>();
  readonly #createdAt = clock.now();
  readonly #prepared = settleable();
  #aliveAt = 0;

  constructor(options: BackfillOptions) {
    this.#options = options;
    this.#stored = new StoredPlan(options.host, () => this.#early.clear());
  }

  /** Plans the backfill since the last run. Call it before events can arrive, so that they wait for it. */
  async prepare(user: string): Promise<void> {
    this.#stop = new AbortController();
    const { host, byWebhook } = this.#options;
    const now = clock.date().toISOString();
    const alive = storedTime(await host.state.load(ALIVE));
    const since = byWebhook ? await lastSeen(host) : alive;
    const knownOf = (text: string | undefined) => parsePlan(text) ?? this.#replaced(text, user, since);
    const former = await this.#stored.begin((text) => {
      const known = knownOf(text);
      if (known?.user !== user) return { user, first: now, stretches: [] };
      return since === undefined ? known : this.#missing(known, since);
    });
    if (knownOf(former)?.user === user) {
      await this.#reportOutage([alive, since], now);
      if (since !== undefined && parsePlan(former) === undefined)
        await this.#reportGap('plan', since, 'The record of earlier gaps is damaged.');
    }
    this.#prepared.resolve();
  }

  get #plan(): Plan | undefined {
    return this.#stored.plan;
  }

  /** Starts to fetch. Call it when events can arrive, so that every later message arrives as an event. */
  start(): void {
    this.#running ??= this.#run(this.#stop.signal);
  }

  /** Stops fetching. Waits for running writes for a limited time. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const late = new AbortController();
    const timeout = delay(STOP_MS, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.#running, timeout]);
    late.abort();
    this.#running = undefined;
    this.#stored.end();
  }

  /** Called when this process recorded a gap or a socket was disconnected. */
  wake(): void {
    this.#wake.abort();
  }

  /** A socket was disconnected since this time. */
  async away(since: string): Promise<void> {
    if (this.#plan === undefined) return;
    try {
      await this.#stored.save(this.#missing(this.#plan, since));
    } catch (error) {
      // The change is in memory and is saved with the next channel.
      this.#options.host.log.warn('slack.gap_not_noted', { error });
    }
    this.wake();
  }

  /** Resolves when a channel is complete, or when an event cannot wait any longer. */
  async before(channel: string): Promise<void> {
    const isYoung = clock.now() - this.#createdAt < YOUNG_MS;
    if (this.#plan === undefined ? !isYoung : missingSince(this.#plan, channel) === null) return;
    const late = new AbortController();
    const timeout = delay(HOLD_MS, undefined, { signal: late.signal });
    await Promise.race([this.#whole(channel), timeout]).catch(() => undefined);
    late.abort();
    await timeout.catch(() => undefined);
  }

  async #whole(channel: string): Promise<void> {
    await this.#prepared.promise;
    const since = this.#plan === undefined ? null : missingSince(this.#plan, channel);
    if (since === null) return;
    const repair =
      this.#early.get(channel) ??
      this.#repair({ id: channel, type: this.#typeOf(channel) }, since, this.#stop.signal);
    this.#early.set(channel, repair);
    // The channel is fetched again in its turn.
    repair.catch(() => this.#early.delete(channel));
    await repair;
  }

  /** A damaged plan does not say when the connection began. It existed at the last sign of life. */
  #replaced(stored: string | undefined, user: string, since: string | undefined): Plan | undefined {
    if (stored === undefined || since === undefined) return undefined;
    return { user, first: new Date(Date.parse(since) - OVERLAP_MS).toISOString(), stretches: [] };
  }

  #missing(plan: Plan, since: string): Plan {
    const earliest = Math.max(Date.parse(plan.first), clock.now() - MAX_MS);
    const from = Math.max(Date.parse(since) - OVERLAP_MS, earliest);
    this.#early.clear();
    return withGap(plan, new Date(from).toISOString());
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const waitMs = await this.#round(signal).catch((error: unknown) => this.#failed(error, signal));
      const either = linkedSignal(signal, this.#wake.signal);
      await delay(waitMs, undefined, { signal: either.signal, ref: false }).catch(() => undefined);
      either.release();
    }
  }

  /** Resolves with the delay until the next run. */
  async #round(signal: AbortSignal): Promise<number> {
    const { host } = this.#options;
    const gap = await recordedGap(host);
    if (gap !== undefined && this.#plan !== undefined) {
      await this.#stored.save(this.#missing(this.#plan, gap.since));
      // The connection belongs to another bot user now, and another process has its plan.
      if (this.#plan === undefined) return CHECK_EVERY_MS;
      // Another process has recorded an earlier gap since.
      if (!(await clearGap(host, gap))) return 0;
      // Until now another process could leave its gap to the cleared record. What was fetched before may lack it.
      this.#early.clear();
      await this.#reportOutage([gap.since], clock.date().toISOString());
    }
    if (this.#plan !== undefined && !isWhole(this.#plan)) await this.#sweep(signal);
    await this.#alive();
    return CHECK_EVERY_MS;
  }

  /** A gap that is added meanwhile also concerns earlier channels, so the next round starts from the beginning. */
  async #sweep(signal: AbortSignal): Promise<void> {
    let plan = this.#plan;
    const { channels, isWhole: isListed } = await this.#options.channels.list(signal);
    this.#kinds = new Map(channels.map(({ id, type }) => [id, type]));
    for (const channel of channels) {
      if (signal.aborted || plan === undefined || this.#plan !== plan) return;
      const since = missingSince(plan, channel.id);
      if (since === null) continue;
      await (this.#early.get(channel.id) ?? this.#repair(channel, since, signal));
      if (this.#plan !== plan) return;
      plan = withWhole(plan, channel.id);
      await this.#stored.save(plan, SAVE_EVERY_MS);
      await this.#alive(CHECK_EVERY_MS);
    }
    if (!isListed)
      await this.#reportGap('channels', this.#since(), 'Not all channels of the app could be listed.');
    if (plan === undefined || this.#plan !== plan) return;
    await this.#stored.save(allWhole(plan));
    this.#early.clear();
  }

  async #repair({ id, type }: KnownChannel, since: string, signal: AbortSignal): Promise<void> {
    const seconds = Date.parse(since) / 1000;
    const history = await this.#options.reader.read(id, seconds, signal).catch(asUnreadable);
    if (history === undefined) return;
    const at = (clock.now() / 1000).toFixed(6);
    for (const message of history.messages) {
      for (const { key, body } of bodiesOf(message, { channel: id, type, since: seconds, at })) {
        signal.throwIfAborted();
        await this.#options.store(key, body);
      }
    }
    if (!history.isWhole)
      await this.#reportGap(id, since, `The channel ${id} has more messages than are fetched.`);
  }

  /** After a long outage only messages are fetched. Everything else is lost. */
  async #reportOutage(lived: readonly (string | undefined)[], now: string): Promise<void> {
    const last = Math.max(...lived.map((one) => (one === undefined ? 0 : Date.parse(one))));
    if (last === 0 || Date.parse(now) - last < REPEATED_MS) return;
    const since = new Date(last).toISOString();
    await this.#reportGap(
      'outage',
      since,
      'Reactions, deletions, changes of channels and replies in old threads were not repeated by Slack.',
    );
    if (Date.parse(now) - last > MAX_MS)
      await this.#reportGap('week', since, 'Messages of more than seven days ago are not fetched.');
  }

  /** Reports events that cannot be fetched. */
  async #reportGap(what: string, since: string, reason: string): Promise<void> {
    await this.#options.store(`gap:${what}:${since}`, { type: 'gap', since, reason });
  }

  #since(): string {
    const times = (this.#plan?.stretches ?? []).flatMap(({ since }) => since ?? []);
    return times.sort()[0] ?? clock.date().toISOString();
  }

  #typeOf(channel: string): string {
    return (
      this.#kinds.get(channel) ??
      (channel.startsWith('D') ? 'im' : channel.startsWith('G') ? 'group' : 'channel')
    );
  }

  async #alive(everyMs = 0): Promise<void> {
    if (!this.#options.byWebhook && !this.#options.isOpen()) return;
    if (clock.now() - this.#aliveAt < everyMs) return;
    this.#aliveAt = clock.now();
    await this.#options.host.state.save(ALIVE, clock.date().toISOString());
  }

  #failed(error: unknown, signal: AbortSignal): number {
    if (!signal.aborted) this.#options.host.log.warn('slack.history_not_fetched', { error });
    return AGAIN_MS;
  }
}

/** A channel that the app may not read, or that is deleted, yields nothing. */
function asUnreadable(error: unknown): undefined {
  const kind = error instanceof PlatformError ? error.problem.kind : undefined;
  if (kind === 'rejected' || kind === 'misconfigured') return undefined;
  throw error;
}

function settleable(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
