import { z } from 'zod';
import { type AdapterHost, clock } from '../../../src/contract/index.js';

const SEEN = 'history-seen';
const GAP = 'history-gap';
const SAVE_EVERY_MS = 30_000;
/** Slack repeats an event at once, after a minute and after five: from the second repetition on the app was away for long. */
const RETRIES_OF_AN_OUTAGE = 2;
const SILENCE_MS = 60_000;

const gapSchema = z.object({ since: z.iso.datetime() });

/** When an event was last stored, by whichever process. */
export function lastSeen(host: AdapterHost): Promise<string | undefined> {
  return host.state.load(SEEN);
}

/** Takes what processes noted of a gap: since when events may be missing. */
export async function takeGap(host: AdapterHost): Promise<string | undefined> {
  const stored = await host.state.load(GAP);
  if (stored === undefined) return undefined;
  return gapSchema.safeParse(JSON.parse(stored)).data?.since;
}

export function clearGap(host: AdapterHost): Promise<void> {
  return host.state.save(GAP, null);
}

export interface GapDetectorOptions {
  readonly host: AdapterHost;
  /** Whether events come by webhook: then nobody but the events themselves shows that they come. */
  readonly byWebhook: boolean;
  /** Called when a gap was noted, in the process that noted it. */
  readonly onGap: () => void;
}

/**
 * Notices that events may be missing, in whichever process takes them: what was away before this process began, what could
 * not be stored, and what Slack had to repeat for minutes. The process that reads the connection fetches them. Costs one
 * write in half a minute.
 */
export class GapDetector {
  readonly #options: GapDetectorOptions;
  #began = false;
  #seen: string | undefined;
  #failingSince: string | undefined;
  #savedAt = Number.NEGATIVE_INFINITY;
  #work: Promise<void> = Promise.resolve();

  constructor(options: GapDetectorOptions) {
    this.#options = options;
  }

  /** An event was stored. Never fails, and nobody waits for it. */
  stored(retries = 0, at: string = clock.date().toISOString()): void {
    if (this.#failingSince !== undefined) this.#note(this.#failingSince);
    else if (retries >= RETRIES_OF_AN_OUTAGE && this.#wasSilent(at)) this.#note(this.#seen ?? at);
    this.#failingSince = undefined;
    this.#seen = at;
    if (clock.now() - this.#savedAt < SAVE_EVERY_MS) return;
    this.#savedAt = clock.now();
    this.#do(async () => {
      await this.#begin();
      await this.#options.host.state.save(SEEN, at);
    });
  }

  /** An event could not be stored: Slack repeats it, but not for long. */
  failed(): void {
    this.#failingSince ??= this.#seen ?? clock.date().toISOString();
  }

  /** Slow answers are repeated too: an outage is one when nothing came before the repetition for a while. */
  #wasSilent(at: string): boolean {
    if (!this.#options.byWebhook) return false;
    return this.#seen === undefined || Date.parse(at) - Date.parse(this.#seen) >= SILENCE_MS;
  }

  /** What came before this process took its first event may have found nobody. */
  async #begin(): Promise<void> {
    if (this.#began) return;
    const last = await lastSeen(this.#options.host);
    if (last !== undefined && this.#options.byWebhook) await this.#save(last);
    this.#began = true;
  }

  #note(since: string): void {
    this.#do(async () => {
      try {
        await this.#save(since);
      } catch (error) {
        this.#failingSince ??= since;
        throw error;
      }
    });
  }

  async #save(since: string): Promise<void> {
    const { host, onGap } = this.#options;
    const noted = await takeGap(host);
    const earliest = noted === undefined || Date.parse(since) < Date.parse(noted) ? since : noted;
    await host.state.save(GAP, JSON.stringify({ since: earliest }));
    onGap();
  }

  #do(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(work)
      .catch((error: unknown) => this.#options.host.log.warn('slack.gap_not_noted', { error }));
  }
}
