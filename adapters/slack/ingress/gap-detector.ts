import { z } from 'zod';
import { type AdapterHost, clock, savedJson, UNKNOWN_TIME } from '../../../src/contract/index.js';
import { changeState, storedTime } from '../stored-state.js';

const SEEN = 'history-seen';
const GAP = 'history-gap';
const SAVE_EVERY_MS = 30_000;
/** Slack repeats an event immediately, after one minute and after five. A second repetition means a long outage. */
const RETRIES_OF_AN_OUTAGE = 2;
const SILENCE_MS = 60_000;

const gapSchema = z.object({ since: z.iso.datetime() });

/** The time at which any process last stored an event. */
export async function lastSeen(host: AdapterHost): Promise<string | undefined> {
  return storedTime(await host.state.load(SEEN));
}

interface RecordedGap {
  /** The time since which events may be missing. */
  readonly since: string;
  /** The record as it was read. */
  readonly text: string;
}

/** Reads the recorded gap. A damaged record does not say when its gap began, so it counts as the longest gap. */
export async function recordedGap(host: AdapterHost): Promise<RecordedGap | undefined> {
  const text = await host.state.load(GAP);
  return text === undefined ? undefined : { since: startOf(text), text };
}

const startOf = (text: string): string => gapSchema.safeParse(savedJson(text)).data?.since ?? UNKNOWN_TIME;

/** Removes the gap that was read. Returns false if another process has recorded an earlier one since. */
export function clearGap(host: AdapterHost, { text }: RecordedGap): Promise<boolean> {
  return host.state.replace(GAP, text, null);
}

/** Records a gap. An earlier one that is not fetched yet includes it. */
function recordGap(host: AdapterHost, since: string): Promise<void> {
  return changeState(host, GAP, (text) =>
    text !== undefined && Date.parse(startOf(text)) <= Date.parse(since)
      ? undefined
      : JSON.stringify({ since }),
  );
}

export interface GapDetectorOptions {
  readonly host: AdapterHost;
  /** Whether events arrive by webhook. Then only the events themselves show that they arrive. */
  readonly byWebhook: boolean;
  /** Called in the process that recorded the gap. */
  readonly onGap: () => void;
}

/**
 * Detects that events may be missing, in every process that receives events: events before this process began, events
 * that could not be stored, and events that Slack repeated for minutes. The process that reads the connection fetches
 * them. Costs one database write per half minute.
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

  /** Records a stored event. Never fails, and no caller waits for it. */
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

  /** Records an event that could not be stored. Slack repeats it only for a short time. */
  failed(): void {
    this.#failingSince ??= this.#seen ?? clock.date().toISOString();
  }

  /**
   * Slack also repeats slowly acknowledged events. It is an outage only if no event arrived for a while before the
   * repetition.
   */
  #wasSilent(at: string): boolean {
    if (!this.#options.byWebhook) return false;
    return this.#seen === undefined || Date.parse(at) - Date.parse(this.#seen) >= SILENCE_MS;
  }

  /** Events before the first one of this process may have been lost. */
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
    await recordGap(host, since);
    onGap();
  }

  #do(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(work)
      .catch((error: unknown) => this.#options.host.log.warn('slack.gap_not_noted', { error }));
  }
}
