import type { Pool } from 'pg';
import {
  continueErasures,
  purgeAged,
  purgeConversations,
  purgeDeletedMessages,
  purgeRequestLog,
  purgeTestData,
  purgeWorkspaceMessages,
} from '../calls.gen.js';
import { inBatches, purgeInBatches } from '../connection/batches.js';
import type { Interval } from '../connection/interval.js';

/** For how many days finished records are kept. */
export interface KeptDays {
  readonly envelopes: number;
  readonly attempts: number;
  /** Absent: until they are deleted. */
  readonly messages: number | undefined;
}

/** What was deleted, and whatever is in a test workspace. */
const KEPT = '30 days';
/** Requests that the log of a workspace keeps, besides those of the last minute. */
const KEPT_REQUESTS = 100_000;
const EVERY_MS = 60_000;

const PURGES = [purgeDeletedMessages, purgeConversations, purgeTestData];

/** Removes what is older than it is kept, and what is left of erased people, a batch at a time. */
export class Retention {
  #nextAt = 0;

  constructor(
    private readonly pool: Pool,
    private readonly kept: KeptDays,
    private readonly now: () => number = Date.now,
  ) {}

  /** Clears what is left of erased people, then, once a minute or until nothing is left, what is too old. */
  async run(): Promise<void> {
    await inBatches((most) => continueErasures(this.pool, most));
    if (this.now() < this.#nextAt) return;
    const { envelopes, attempts, messages } = this.kept;
    const messagesFor: Interval | null = messages === undefined ? null : `${messages} days`;
    const aged = {
      envelopesFor: `${envelopes} days`,
      attemptsFor: `${attempts} days`,
      messagesFor,
    } as const;
    let left = await purgeInBatches((most) => purgeAged(this.pool, { most, ...aged }));
    left = (await purgeInBatches((most) => purgeWorkspaceMessages(this.pool, most))) || left;
    const purgeRequests = (most: number) => purgeRequestLog(this.pool, { most, kept: KEPT_REQUESTS });
    left = (await purgeInBatches(purgeRequests)) || left;
    for (const purge of PURGES)
      left = (await purgeInBatches((most) => purge(this.pool, { most, keep: KEPT }))) || left;
    this.#nextAt = left ? 0 : this.now() + EVERY_MS;
  }
}
