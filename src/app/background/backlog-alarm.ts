import type { Log } from '../../core/common/log.js';
import type { LateWork } from '../../core/workspaces/service-faults.js';
import type { Backlog } from '../../store/maintenance/housekeeping.js';
import { Sweeper } from './sweeper.js';

/** Work that waits longer than this says that the service does not keep up. */
export const LATE_SECONDS = 60;

const LOOK_EVERY_MS = 15_000;

/** Tells programs and chats, as the log does. */
type Report = (work: LateWork, seconds: number) => Promise<unknown>;

/**
 * Raises its voice when the oldest work gets too old, again each time its age has doubled, and says when it is over:
 * a line of the log at level error, for alerts on the logs, and an event.
 */
export class BacklogAlarm {
  /** The age that was reported last. */
  readonly #reported = new Map<LateWork, number>();

  constructor(
    private readonly read: () => Promise<Backlog>,
    private readonly log: Log,
    private readonly report: Report,
  ) {}

  async look(): Promise<void> {
    const { queueSeconds, webhookSeconds, deliverySeconds } = await this.read();
    await this.#judge('queue', queueSeconds);
    await this.#judge('webhooks', webhookSeconds);
    await this.#judge('deliveries', deliverySeconds);
  }

  async #judge(work: LateWork, seconds: number): Promise<void> {
    const reported = this.#reported.get(work);
    if (seconds <= LATE_SECONDS) {
      if (reported === undefined) return;
      this.#reported.delete(work);
      this.log.info({ work }, 'backlog.cleared');
    } else if (reported === undefined || seconds >= 2 * reported) {
      this.log.error({ work, oldest_seconds: seconds, limit_seconds: LATE_SECONDS }, 'backlog.grown');
      // Reported at the next look as well if the database does not answer now.
      await this.report(work, seconds);
      this.#reported.set(work, seconds);
    }
  }
}

/** The alarm with rounds of its own: no other work can hold it up, and a process without workers says it as well. */
export function watchBacklog(read: () => Promise<Backlog>, log: Log, report: Report): Sweeper {
  const alarm = new BacklogAlarm(read, log, report);
  return new Sweeper([{ name: 'backlog', run: () => alarm.look() }], log, () => LOOK_EVERY_MS);
}
