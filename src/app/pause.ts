import type { Config } from '../config.js';
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

const WAY_OUT = 'If it is the real one, run "trunkline resume" or start once with TRUNKLINE_PAUSED=0.';

/**
 * While a service is paused it answers requests and does nothing by itself: it reads no platform, sends no message and no webhook,
 * and runs no timer. So a copy of a database does not repeat what the original does.
 */
export class Pause {
  #message: string | undefined;

  constructor(
    private readonly installation: Installation,
    private readonly log: Log,
  ) {}

  /** Why the service is paused, in a sentence for the operator; undefined when it is not. */
  get message(): string | undefined {
    return this.#message;
  }

  /** Finds out whether the service has to be paused, and logs one line when it has. */
  async begin(wanted: Config['paused']): Promise<void> {
    if (wanted === false) return this.installation.adopt();
    if (wanted) this.#message = `Paused as asked. ${WAY_OUT}`;
    else this.#message = explain(await this.installation.differences());
    if (this.#message !== undefined) this.log.warn({ message: this.#message }, 'service.paused');
  }

  /** Runs `work` now, or once the database was adopted. */
  async whenOver(notifications: Notifications, work: () => Promise<void>): Promise<void> {
    if (this.#message === undefined) return work();
    const resume = async () => {
      if (this.#message === undefined) return;
      this.#message = undefined;
      this.log.info({}, 'service.resumed');
      await work();
    };
    await this.installation.onAdopted(notifications, () => {
      resume().catch((err: unknown) => this.log.error({ err }, 'service.resume_failed'));
    });
  }
}

function explain(differences: readonly Difference[]): string | undefined {
  if (differences.length === 0) return undefined;
  const reasons = differences.map((difference) => REASONS[difference]).join(', ');
  return `Paused because this database looks like a copy: ${reasons}. ${WAY_OUT}`;
}
