import { setTimeout as delay } from 'node:timers/promises';
import type { Twilio } from 'twilio';
import { z } from 'zod';
import { type AdapterHost, clock, PlatformError } from '../../src/contract/index.js';
import type { SmsSettings } from './config.js';
import { type ListedMessage, listedEnvelope } from './listed.js';

/** Twilio's own limits. https://www.twilio.com/docs/messaging/api/message-resource#read-multiple-message-resources */
const PAGE_SIZE = 1_000;
/** What a gap holds beyond these pages is not fetched. */
const MOST_PAGES = 20;
/** A message can carry ten files. */
const MOST_FILES = 10;
const EVERY_MS = 5 * 60_000;
const RETRY_MS = 30_000;
/** Clocks differ, Twilio tries a webhook for some time, and the list may know a message later than the webhook does. */
const OVERLAP_MS = 5 * 60_000;
const STATE = 'messages-checked';
/** So many ids of messages are kept that were stored and need not be stored again. */
const MOST_KNOWN = 5_000;
const STOP_MS = 1_000;

const checkedSchema = z.object({ sender: z.string(), since: z.iso.datetime(), at: z.iso.datetime() });
type Checked = z.infer<typeof checkedSchema>;

export interface MissedOptions {
  readonly host: AdapterHost;
  readonly settings: SmsSettings;
  /** A client whose requests end with the signal. */
  readonly client: (signal: AbortSignal) => Twilio;
  /** Until the next check, and until the next try of one that failed. */
  readonly everyMs?: number;
  readonly retryMs?: number;
}

/**
 * Finds messages whose webhooks did not get through, at the start and every few minutes. Twilio tells a message once and
 * once more, then never again; its list has it. What was stored before has the same key and changes nothing.
 */
export class MissedMessages {
  readonly #options: MissedOptions;
  readonly #stop = new AbortController();
  readonly #known = new Set<string>();
  #running: Promise<void> | undefined;

  constructor(options: MissedOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#stop.signal.aborted || !receives(this.#options.settings)) return;
    this.#running ??= this.#run();
  }

  /** Ends the requests under way; waits for what is being stored, but not for long. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const late = new AbortController();
    await Promise.race([
      this.#running,
      delay(STOP_MS, undefined, { signal: late.signal }).catch(ignoreAbort),
    ]);
    late.abort();
  }

  /** What has this key is stored. Those of status updates are longer than an id. */
  knows(key: string): void {
    if (!/^\w+$/.test(key)) return;
    this.#known.add(key);
    const [oldest] = this.#known;
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const waitMs = await this.#check().catch((error: unknown) => this.#failed(error));
      await delay(waitMs, undefined, { signal, ref: false }).catch(ignoreAbort);
    }
  }

  /** Resolves with the time until the next check. */
  async #check(): Promise<number> {
    const { host, settings, everyMs = EVERY_MS } = this.#options;
    const at = clock.date().toISOString();
    const last = await this.#last(senderOf(settings));
    if (last !== undefined) await this.#fetch(last);
    if (this.#stop.signal.aborted && last !== undefined) return 0;
    const checked: Checked = { sender: senderOf(settings), since: last?.since ?? at, at };
    await host.state.save(STATE, JSON.stringify(checked));
    return everyMs;
  }

  /** Of another sender nothing is known, and a sender has no gap before it was first connected. */
  async #last(sender: string): Promise<Checked | undefined> {
    const stored = await this.#options.host.state.load(STATE);
    if (stored === undefined) return undefined;
    const { data } = checkedSchema.safeParse(JSON.parse(stored));
    return data?.sender === sender ? data : undefined;
  }

  async #fetch({ since, at }: Checked): Promise<void> {
    // Twilio stamps messages in whole seconds.
    const start = Math.max(Math.floor(Date.parse(since) / 1_000) * 1_000, Date.parse(at) - OVERLAP_MS);
    const { host } = this.#options;
    const { signal } = this.#stop;
    const missed = await this.#list(start);
    let files = 0;
    for (const message of missed) {
      if (signal.aborted) return;
      const media = Number(message.numMedia) > 0 ? await this.#media(message.sid) : [];
      files += media.length;
      await host.receive(listedEnvelope(message, media));
      this.knows(message.sid);
    }
    if (missed.length > 0) host.log.info('sms.messages_fetched', { messages: missed.length, files });
  }

  /** Messages that people sent since a time and that this process did not store, oldest first. */
  async #list(start: number): Promise<ListedMessage[]> {
    const { host, settings, client } = this.#options;
    const { from } = settings;
    const found: ListedMessage[] = [];
    let page = await client(this.#stop.signal).messages.page({
      dateSentAfter: new Date(start),
      pageSize: PAGE_SIZE,
      ...(from === undefined ? {} : { to: from }),
    });
    for (let count = 1; ; count += 1) {
      // Twilio compares days, so the list begins earlier.
      const wanted = page.instances.filter(
        (message) => sentAt(message) >= start && cameTo(settings, message),
      );
      found.push(...wanted.filter(({ sid }) => !this.#known.has(sid)));
      if (page.nextPageUrl === undefined || page.instances.every((message) => sentAt(message) < start)) break;
      if (count === MOST_PAGES) {
        host.log.warn('sms.gap_too_long', { messages: found.length });
        break;
      }
      page = (await page.nextPage()) as typeof page;
    }
    return found.reverse();
  }

  /** A file that was deleted meanwhile does not cost the message. */
  async #media(sid: string) {
    try {
      const client = this.#options.client(this.#stop.signal);
      const page = await client.messages(sid).media.page({ pageSize: MOST_FILES });
      return page.instances.map((media) => ({ sid: media.sid, contentType: media.contentType }));
    } catch (error) {
      if (error instanceof PlatformError && error.code === '20404') return [];
      throw error;
    }
  }

  /** Webhooks still arrive, so only dead credentials are a matter of health. Resolves with the time until the next try. */
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

/** Nobody can answer a name. */
function receives({ from }: SmsSettings): boolean {
  return from === undefined || /^\+?\d+$/.test(from);
}

const senderOf = ({ from, messaging_service_sid }: SmsSettings): string =>
  from ?? messaging_service_sid ?? '';

function cameTo({ from, messaging_service_sid }: SmsSettings, message: ListedMessage): boolean {
  if (message.direction !== 'inbound') return false;
  return from === undefined ? message.messagingServiceSid === messaging_service_sid : message.to === from;
}

/** A message without a readable date could be any: it counts as new. */
function sentAt({ dateSent }: ListedMessage): number {
  const time = dateSent === null ? Number.NaN : new Date(dateSent).getTime();
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
}
