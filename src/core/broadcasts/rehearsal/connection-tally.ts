import { spacingOf } from '../../rates/account-rate-limiter.js';
import type { ConnectionFigures } from './connection-run.js';
import type { PlannedContent, Stand } from './planner.js';
import type { RehearsedRecipient } from './ports.js';
import type { RehearsalRecord, RehearsedConnection } from './record.js';

/** Maximum number of names of losses or refusals on one connection. Adapters use only a few. */
const MAX_NAMES = 100;
/** A limit is decisive if it accounts for at least this share of the time. */
const DECIDING = 0.8;

/** Adds up the results of one connection. */
export class ConnectionTally {
  #recipients = 0;
  #newChats = 0;
  #parts = 0;
  #refused = 0;
  #billed: { unit: string; count: number } | null = null;
  readonly #refusals = new Map<string, { code: string; message: string; recipients: number }>();
  readonly #degradations = new Map<string, number>();

  /** `place`: the index of the connection in the simulation. */
  constructor(
    readonly place: number,
    readonly stand: Stand,
  ) {}

  add({ is_new: isNew }: RehearsedRecipient, { parts, billed, degradations, refusal }: PlannedContent): void {
    this.#recipients += 1;
    this.#newChats += isNew ? 1 : 0;
    this.#parts += parts;
    if (refusal !== null) {
      this.#refused += 1;
      const known = this.#refusals.get(refusal.code);
      if (known !== undefined) known.recipients += 1;
      else if (this.#refusals.size < MAX_NAMES)
        this.#refusals.set(refusal.code, { ...refusal, recipients: 1 });
    }
    if (billed !== null)
      this.#billed = { unit: billed.unit, count: (this.#billed?.count ?? 0) + billed.count };
    for (const name of degradations) {
      const count = this.#degradations.get(name);
      if (count !== undefined || this.#degradations.size < MAX_NAMES)
        this.#degradations.set(name, (count ?? 0) + 1);
    }
  }

  get parts(): number {
    return this.#parts;
  }

  describe(
    { calls, permits, firstMs, lastMs }: ConnectionFigures,
    preparationMs: number,
    other: RehearsedConnection['limited_by'],
  ): RehearsedConnection {
    const { connection, platform, live, account } = this.stand;
    const seconds = (ms: number) => Math.round(preparationMs + ms) / 1000;
    const needsMs = account === null ? 0 : (permits - 1) * spacingOf(account.perSecond).spacingMs;
    const isDecided = calls > 1 && needsMs >= DECIDING * (lastMs - firstMs);
    return {
      connection_id: connection?.id ?? null,
      platform,
      name: connection?.name ?? null,
      is_live: live !== undefined,
      rate_per_second: account?.perSecond ?? null,
      recipients: this.#recipients,
      new_chats: this.#newChats,
      parts: this.#parts,
      calls,
      billed: this.#billed,
      refused: this.#refused,
      first_after_seconds: calls === 0 ? null : seconds(firstMs),
      duration_seconds: calls === 0 ? 0 : seconds(lastMs),
      limited_by: isDecided ? 'account' : other,
    };
  }

  get refusals(): RehearsalRecord['refusals'] {
    return [...this.#refusals.values()].map((each) => ({ ...each, platform: this.stand.platform }));
  }

  get degradations(): RehearsalRecord['degradations'] {
    const { platform } = this.stand;
    return [...this.#degradations].map(([degradation, recipients]) => ({
      platform,
      degradation,
      recipients,
    }));
  }
}
