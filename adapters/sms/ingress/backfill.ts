import { setTimeout as delay } from 'node:timers/promises';
import type { Twilio } from 'twilio';
import { z } from 'zod';
import {
  type AdapterHost,
  clock,
  linkedSignal,
  PlatformError,
  savedJson,
} from '../../../src/contract/index.js';
import type { SmsSettings } from '../config.js';
import { statusKey } from '../inbound/decode.js';
import {
  cameTo,
  damagedRecordEnvelope,
  longListEnvelope,
  type PolledMessage,
  polledMessageEnvelope,
  polledStatusEnvelope,
  sentAt,
  updatedAt,
  wentFrom,
} from './polled-message.js';

/** Twilio's limit (https://www.twilio.com/docs/messaging/api/message-resource#read-multiple-message-resources). */
const PAGE_SIZE = 1_000;
/** Limit of pages that are fetched for a gap. */
const MAX_PAGES = 20;
/** A message has at most ten files. */
const MAX_FILES = 10;
const EVERY_MS = 5 * 60_000;
const RETRY_MS = 30_000;
/**
 * Overlap with the previous check: clocks differ, Twilio retries webhooks for a while, and the list may show a message
 * later than its webhook.
 */
const OVERLAP_MS = 5 * 60_000;
/** A sent message may be delivered long afterwards. The first check of a process looks further back. */
const STATUS_MS = 60 * 60_000;
const FIRST_STATUS_MS = 24 * 60 * 60_000;
/** The first check after a damaged record looks this far back. */
const DAMAGED_MS = 24 * 60 * 60_000;
const STATE = 'messages-checked';
/** Number of remembered keys of stored messages and statuses. */
const MAX_KNOWN_KEYS = 10_000;
/** Number of people whose messages are stored concurrently, each person's in order. */
const PEOPLE_AT_ONCE = 16;
const STOP_MS = 1_000;
/** Maximum wait of a message for earlier missed ones. Twilio waits 15 s for a response. */
const HOLD_MS = 3_000;
/**
 * Wait for the first check. Webhooks may arrive before this process reads the connection, and another process may read
 * it.
 */
const YOUNG_MS = 5_000;

const checkedSchema = z.object({ sender: z.string(), since: z.iso.datetime(), at: z.iso.datetime() });
type Checked = z.infer<typeof checkedSchema>;

interface Listing {
  readonly direction: 'inbound' | 'outbound';
}

export interface BackfillOptions {
  readonly host: AdapterHost;
  readonly settings: SmsSettings;
  /** A client whose requests end with the signal. */
  readonly client: (signal: AbortSignal) => Twilio;
  /** Delay until the next check, and until the retry of a failed one. */
  readonly everyMs?: number;
  readonly retryMs?: number;
  readonly pageSize?: number;
  readonly maxPages?: number;
}

/** Twilio's states of a message that was sent. */
const outcomes: ReadonlySet<string> = new Set(['sent', 'delivered', 'undelivered', 'failed', 'read']);

/**
 * Finds messages and statuses whose webhooks were lost: at the start, every few minutes, and soon after one could not
 * be stored. Twilio sends each webhook at most twice, but its list contains them. Messages that are already stored
 * change nothing.
 */
export class Backfill {
  readonly #options: BackfillOptions;
  readonly #stop = new AbortController();
  readonly #known = new Set<string>();
  #running: Promise<void> | undefined;
  #soon = new AbortController();
  #isFirst = true;
  #hasCaughtUp = false;
  readonly #waiting: (() => void)[] = [];
  readonly #createdAt = clock.now();

  constructor(options: BackfillOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#stop.signal.aborted) return;
    this.#running ??= this.#run();
  }

  /** Aborts running requests. Waits for running writes, but only for a limited time. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const late = new AbortController();
    await Promise.race([
      this.#running,
      delay(STOP_MS, undefined, { signal: late.signal }).catch(ignoreAbort),
    ]);
    late.abort();
  }

  /** Resolves when messages that were missed before the start are stored, or when a message cannot wait any longer. */
  async caughtUp(): Promise<void> {
    const isYoung = clock.now() - this.#createdAt < YOUNG_MS;
    if (this.#hasCaughtUp || (this.#running === undefined && !isYoung)) return;
    const late = new AbortController();
    const holdEnd = delay(HOLD_MS, undefined, { signal: late.signal }).catch(ignoreAbort);
    await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), holdEnd]);
    late.abort();
  }

  #caughtUp(): void {
    this.#hasCaughtUp = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Called when a webhook could not be stored. Twilio repeats it at most once. */
  failed(): void {
    this.#soon.abort();
  }

  /** Records that the event with this key is stored. */
  knows(key: string): void {
    this.#known.add(key);
    const [oldest] = this.#known;
    if (this.#known.size > MAX_KNOWN_KEYS && oldest !== undefined) this.#known.delete(oldest);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const { retryMs = RETRY_MS } = this.#options;
    while (!signal.aborted) {
      const waitMs = await this.#check().catch((error: unknown) => this.#failed(error));
      const first = linkedSignal(signal, this.#soon.signal);
      await delay(waitMs, undefined, { signal: first.signal, ref: false }).catch(ignoreAbort);
      first.release();
      if (!this.#soon.signal.aborted) continue;
      // If a write fails now, another one would fail too.
      await delay(Math.min(retryMs, waitMs), undefined, { signal, ref: false }).catch(ignoreAbort);
      this.#soon = new AbortController();
    }
  }

  /** Resolves with the delay until the next check. */
  async #check(): Promise<number> {
    const { host, settings, everyMs = EVERY_MS } = this.#options;
    const at = clock.date().toISOString();
    const last = await this.#last(senderOf(settings));
    if (last === undefined) this.#caughtUp();
    else await this.#fetch(last);
    if (this.#stop.signal.aborted && last !== undefined) return 0;
    const checked: Checked = { sender: senderOf(settings), since: last?.since ?? at, at };
    await host.state.save(STATE, JSON.stringify(checked));
    return everyMs;
  }

  /** The stored state belongs to one sender. A sender has no gap before it first connected. */
  async #last(sender: string): Promise<Checked | undefined> {
    const stored = await this.#options.host.state.load(STATE);
    if (stored === undefined) return undefined;
    const { data } = checkedSchema.safeParse(savedJson(stored));
    if (data === undefined) return this.#afterDamage(sender, stored);
    return data.sender === sender ? data : undefined;
  }

  async #afterDamage(sender: string, stored: string): Promise<Checked> {
    await this.#options.host.receive(damagedRecordEnvelope(stored));
    const since = new Date(clock.now() - DAMAGED_MS).toISOString();
    return { sender, since, at: since };
  }

  async #fetch({ since, at }: Checked): Promise<void> {
    // Twilio's timestamps are whole seconds.
    const connected = Math.floor(Date.parse(since) / 1_000) * 1_000;
    const start = Math.max(connected, Date.parse(at) - OVERLAP_MS);
    if (receives(this.#options.settings))
      await this.#storeAll(await this.#list(start, { direction: 'inbound' }));
    this.#caughtUp();
    // Messages come first: a status needs its message, and messages of people are more urgent.
    const sentSince = Date.parse(at) - (this.#isFirst ? FIRST_STATUS_MS : STATUS_MS);
    const outbound = await this.#list(Math.max(connected, sentSince), { direction: 'outbound' });
    await this.#storeAll(outbound.filter((message) => updatedAt(message) >= start));
    this.#isFirst = false;
  }

  /** Stores the messages of each person in order, of many people concurrently. */
  async #storeAll(messages: readonly PolledMessage[]): Promise<void> {
    const lanes = new Map<string, PolledMessage[]>();
    for (const message of messages) {
      const person = message.direction === 'inbound' ? message.from : message.to;
      const lane = lanes.get(person);
      if (lane === undefined) lanes.set(person, [message]);
      else lane.push(message);
    }
    const waiting = [...lanes.values()];
    const work = async () => {
      for (let lane = waiting.shift(); lane !== undefined; lane = waiting.shift())
        for (const message of lane) await this.#store(message);
    };
    const results = await Promise.allSettled(Array.from({ length: PEOPLE_AT_ONCE }, work));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    if (messages.length > 0)
      this.#options.host.log.info('sms.messages_fetched', { messages: messages.length });
  }

  async #store(message: PolledMessage): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const envelope =
      message.direction === 'inbound'
        ? polledMessageEnvelope(message, Number(message.numMedia) > 0 ? await this.#media(message.sid) : [])
        : polledStatusEnvelope(message);
    await this.#options.host.receive(envelope);
    this.knows(envelope.dedupeKey.replace(/:listed$/, ''));
  }

  /** The messages to and from the sender since a time that this process did not store, oldest first. */
  async #list(start: number, { direction }: Listing): Promise<PolledMessage[]> {
    const { host, settings, client, pageSize = PAGE_SIZE, maxPages = MAX_PAGES } = this.#options;
    const { from } = settings;
    const sender = direction === 'inbound' ? { to: from } : { from };
    const found: PolledMessage[] = [];
    let page = await client(this.#stop.signal).messages.page({
      dateSentAfter: new Date(start),
      pageSize,
      ...(from === undefined ? {} : sender),
    });
    for (let count = 1; ; count += 1) {
      // Twilio filters by day, so the list begins earlier.
      const recent = page.instances.filter((message) => sentAt(message) >= start);
      found.push(...recent.filter((message) => this.#isWanted(message, direction)));
      if (page.nextPageUrl === undefined || page.instances.every((message) => sentAt(message) < start)) break;
      if (count === maxPages) {
        // Twilio lists the newest first.
        await host.receive(longListEnvelope(direction, new Date(start)));
        break;
      }
      page = (await page.nextPage()) as typeof page;
    }
    return found.reverse();
  }

  #isWanted(message: PolledMessage, direction: Listing['direction']): boolean {
    const { settings } = this.#options;
    if (direction === 'inbound') return cameTo(settings, message) && !this.#known.has(message.sid);
    const { sid, status, errorCode } = message;
    const isOurs = message.direction === 'outbound-api' && wentFrom(settings, message);
    return isOurs && outcomes.has(status) && !this.#known.has(statusKey(sid, status, errorCode ?? undefined));
  }

  /** The files of a message. A file that was deleted in the meantime does not prevent the import of the message. */
  async #media(sid: string) {
    try {
      const client = this.#options.client(this.#stop.signal);
      const page = await client.messages(sid).media.page({ pageSize: MAX_FILES });
      return page.instances.map((media) => ({ sid: media.sid, contentType: media.contentType }));
    } catch (error) {
      if (error instanceof PlatformError && error.code === '20404') return [];
      throw error;
    }
  }

  /** Webhooks still arrive, so only invalid credentials affect health. Resolves with the delay until the retry. */
  #failed(error: unknown): number {
    const { host, everyMs = EVERY_MS, retryMs = RETRY_MS } = this.#options;
    if (this.#stop.signal.aborted) return 0;
    host.log.warn('sms.messages_not_fetched', { error });
    if (!(error instanceof PlatformError) || error.problem.kind === 'unavailable') return retryMs;
    const { problem, message, fix } = error;
    if (problem.kind === 'unauthorized')
      host.health({ code: 'bad_credentials', message, ...(fix === undefined ? {} : { fix }) });
    return problem.kind === 'rate_limited' ? Math.max(retryMs, problem.retryAfterMs) : everyMs;
  }
}

/** Replies to an alphanumeric sender id are impossible. */
function receives({ from }: SmsSettings): boolean {
  return from === undefined || /^\+?\d+$/.test(from);
}

const senderOf = ({ from, messaging_service_sid }: SmsSettings): string =>
  from ?? messaging_service_sid ?? '';

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
}
