import type { Pool } from 'pg';

/** For how many days what nobody asks for any more is kept. */
export interface KeptDays {
  readonly envelopes: number;
  readonly attempts: number;
  /** Absent: until somebody deletes them. */
  readonly messages: number | undefined;
}

/** A deleted conversation, and whatever is in a test workspace. */
const KEPT = "interval '30 days'";
const PORTION = 1_000;
/** Portions of a round; what is left waits for the next one. */
const PORTIONS = 10;
const EVERY_MS = 60_000;

const PURGES = [
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

  /** Clears portions of what is left of erased people, then, once a minute, of what is too old. */
  async run(): Promise<void> {
    for (let portion = 0; portion < PORTIONS; portion += 1) {
      const { rows } = await this.pool.query<{ more: boolean }>('SELECT continue_erasures($1) AS more', [
        PORTION,
      ]);
      if (!rows[0]?.more) break;
    }
    if (this.now() < this.#nextAt) return;
    this.#nextAt = this.now() + EVERY_MS;
    const { envelopes, attempts, messages = null } = this.kept;
    for (const purge of PURGES) await this.#repeat(purge, []);
    await this.#repeat(PURGE_AGED, [envelopes, attempts, messages]);
  }

  async #repeat(text: string, values: readonly unknown[]): Promise<void> {
    for (let portion = 0; portion < PORTIONS; portion += 1) {
      const { rows } = await this.pool.query<{ done: number }>(text, [PORTION, ...values]);
      if ((rows[0]?.done ?? 0) < PORTION) return;
    }
  }
}
