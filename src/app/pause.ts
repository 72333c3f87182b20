import type { Config } from '../config.js';
import { untilBack } from '../core/common/database-away.js';
import type { Log } from '../core/common/log.js';
import type { Notifications } from '../store/connection/notifications.js';
import type { Difference, Installation } from '../store/maintenance/installation.js';

const REASONS: Readonly<Record<Difference, string>> = {
  system: 'it is on another PostgreSQL server',
  database: 'it is another database',
  table: 'it was restored from a dump',
  files: 'its files were copied',
  machine: 'it is on another machine',
};

/** How long a process tries to read whether its pause is over, after its connection to the database was restored. */
const READ_LIMIT_MS = 60_000;

/** Shown when the work could not be started after a pause. */
const RESUME_FAILED =
  'The work could not be started after a pause. See service.resume_failed in the log, and restart the process.';
const WAY_OUT = 'If it is the real one, run "trunkline resume" or start once with TRUNKLINE_PAUSED=0.';

/**
 * A paused service responds to requests and does no other work: it reads no platform, sends no messages or webhooks, and runs
 * no timers. A copy of a database therefore does not repeat the work of the original.
 */
export class Pause {
  #message: string | undefined;
  /** The last adoption before the pause began. A later one ends the pause. */
  #adoptedAt: string | undefined;

  constructor(
    private readonly installation: Installation,
    private readonly log: Log,
  ) {}

  /** The reason for the pause, as a sentence for the operator. Undefined when the service is not paused. */
  get message(): string | undefined {
    return this.#message;
  }

  /** Determines whether the service must be paused. If so, logs one line. */
  async begin(wanted: Config['paused']): Promise<void> {
    if (wanted === false) return this.installation.adopt();
    this.#adoptedAt = await this.installation.adoptedAt();
    if (wanted) this.#message = `Paused by TRUNKLINE_PAUSED. ${WAY_OUT}`;
    else this.#message = explain(await this.installation.differences());
    if (this.#message !== undefined) this.log.warn({ message: this.#message }, 'service.paused');
  }

  /** Runs `work` now, or after the database was adopted. */
  async whenOver(notifications: Notifications, work: () => Promise<void>): Promise<void> {
    if (this.#message === undefined) return work();
    let hasResumed = false;
    const resume = async () => {
      if (hasResumed) return;
      hasResumed = true;
      this.#message = undefined;
      this.log.info({}, 'service.resumed');
      await work().catch((error: unknown) => {
        // Without this message, the service would look healthy and do no work.
        this.#message = RESUME_FAILED;
        throw error;
      });
    };
    const read = async () => {
      const at = await untilBack(() => this.installation.adoptedAt(), READ_LIMIT_MS);
      if (at !== this.#adoptedAt) await resume();
    };
    const report = (err: unknown) => this.log.error({ err }, 'service.resume_failed');
    const missed = () => void read().catch(report);
    await this.installation.onAdopted(notifications, { adopted: () => void resume().catch(report), missed });
    // The database may have been adopted before this process listened.
    missed();
  }
}

function explain(differences: readonly Difference[]): string | undefined {
  if (differences.length === 0) return undefined;
  const reasons = differences.map((difference) => REASONS[difference]).join(', ');
  return `Paused because this database looks like a copy: ${reasons}. ${WAY_OUT}`;
}
