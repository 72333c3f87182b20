import type { Pool } from 'pg';
import { timeNow } from '../../core/common/time.js';
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

/** Retention of deleted records, and of all records in a test workspace. */
const KEPT = '30 days';
/** Requests that the log of a workspace keeps, in addition to those of the last minute. */
const KEPT_REQUESTS = 100_000;
const EVERY_MS = 60_000;

const PURGES = [purgeDeletedMessages, purgeConversations, purgeTestData];

/** Removes records past their retention, and remaining data of erased people, in batches. */
export class Retention {
  #nextAt = 0;

  constructor(
    private readonly pool: Pool,
    private readonly kept: KeptDays,
    private readonly now: () => number = timeNow,
  ) {}

  /**
   * Removes remaining data of erased people. Then, once a minute or until nothing is left, removes records past their retention.
   */
  async run(): Promise<void> {
    await inBatches((batchSize) => continueErasures(this.pool, batchSize));
    if (this.now() < this.#nextAt) return;
    const { envelopes, attempts, messages } = this.kept;
    const messagesFor: Interval | null = messages === undefined ? null : `${messages} days`;
    const aged = {
      envelopesFor: `${envelopes} days`,
      attemptsFor: `${attempts} days`,
      messagesFor,
    } as const;
    let left = await purgeInBatches((batchSize) => purgeAged(this.pool, { batchSize, ...aged }));
    left = (await purgeInBatches((batchSize) => purgeWorkspaceMessages(this.pool, batchSize))) || left;
    const purgeRequests = (batchSize: number) =>
      purgeRequestLog(this.pool, { batchSize, kept: KEPT_REQUESTS });
    left = (await purgeInBatches(purgeRequests)) || left;
    for (const purge of PURGES)
      left = (await purgeInBatches((batchSize) => purge(this.pool, { batchSize, keep: KEPT }))) || left;
    this.#nextAt = left ? 0 : this.now() + EVERY_MS;
  }
}
