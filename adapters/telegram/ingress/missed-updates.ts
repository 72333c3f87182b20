import { z } from 'zod';
import { type AdapterHost, clock, savedJson, UNKNOWN_TIME } from '../../../src/contract/index.js';

const STATE = 'updates-seen';
const SAVE_EVERY_MS = 10 * 60_000;
/** Telegram keeps undelivered updates for a day (https://core.telegram.org/bots/api#getting-updates). */
const KEPT_MS = 24 * 60 * 60_000;

const seenSchema = z.object({ bot: z.string(), at: z.iso.datetime() });

/** Reports a gap if the bot received no updates for longer than Telegram keeps them. Nothing can fetch them later. */
export class MissedUpdates {
  readonly #host: AdapterHost;
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(host: AdapterHost) {
    this.#host = host;
  }

  /** Called whenever updates can arrive. Rejects if the bridge cannot store. */
  async seen(bot: string): Promise<void> {
    const now = clock.now();
    if (now - this.#savedAt < SAVE_EVERY_MS) return;
    const since = await this.#last(bot);
    if (since !== undefined && now - Date.parse(since) > KEPT_MS) await this.#report(since);
    await this.#host.state.save(STATE, JSON.stringify({ bot, at: new Date(now).toISOString() }));
    this.#savedAt = now;
  }

  /** When updates of this bot could last arrive. A damaged record counts as the longest gap. */
  async #last(bot: string): Promise<string | undefined> {
    const stored = await this.#host.state.load(STATE);
    if (stored === undefined) return undefined;
    const { data } = seenSchema.safeParse(savedJson(stored));
    if (data === undefined) return UNKNOWN_TIME;
    return data.bot === bot ? data.at : undefined;
  }

  async #report(since: string): Promise<void> {
    const reason = 'Telegram keeps updates for a day. It has deleted the earlier ones of this outage.';
    await this.#host.receive({
      dedupeKey: `gap:${since}`,
      lane: 'account',
      payload: { reason },
      context: { gap_since: since },
    });
  }
}
