import type { Pool } from 'pg';
import { inPortions, purgeInPortions } from '../connection/portions.js';

/** For how many days what nobody asks for any more is kept. */
export interface KeptDays {
  readonly envelopes: number;
  readonly attempts: number;
  /** Absent: until somebody deletes them. */
  readonly messages: number | undefined;
}

/** What was deleted, and whatever is in a test workspace. */
const KEPT = "interval '30 days'";
const EVERY_MS = 60_000;

const PURGES = [
  `SELECT purge_deleted_messages($1, ${KEPT}) AS done`,
  `SELECT purge_conversations($1, ${KEPT}) AS done`,
  `SELECT purge_test_data($1, ${KEPT}) AS done`,
];
const PURGE_AGED = `
  SELECT purge_aged($1, make_interval(days => $2), make_interval(days => $3), make_interval(days => $4)) AS done`;

/** Removes what is older than it is kept, and what is left of erased people, a portion at a time. */
export class Retention {
  #nextAt = 0;

  constructor(
    private readonly pool: Pool,
    private readonly kept: KeptDays,
    private readonly now: () => number = Date.now,
  ) {}

  /** Clears what is left of erased people, then, once a minute or until nothing is left, what is too old. */
  async run(): Promise<void> {
    await inPortions(async (most) => {
      const text = 'SELECT continue_erasures($1) AS more';
      const { rows } = await this.pool.query<{ more: boolean }>(text, [most]);
      return rows[0]?.more ?? false;
    });
    if (this.now() < this.#nextAt) return;
    const { envelopes, attempts, messages = null } = this.kept;
    let left = await purgeInPortions(this.pool, PURGE_AGED, [envelopes, attempts, messages]);
    for (const purge of PURGES) left = (await purgeInPortions(this.pool, purge)) || left;
    this.#nextAt = left ? 0 : this.now() + EVERY_MS;
  }
}
