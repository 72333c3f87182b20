import type { Log } from '../../core/common/log.js';
import type { Backlog } from '../../store/maintenance/housekeeping.js';
import { Sweeper } from './sweeper.js';

/** Work that waits longer than this says that the service does not keep up. */
export const LATE_SECONDS = 60;

const LOOK_EVERY_MS = 15_000;

type Work = 'queue' | 'webhooks' | 'deliveries';

/**
 * Raises its voice when the oldest work gets too old, again each time its age has doubled, and says when it is over:
 * a line of the log at level error, for alerts on the logs.
 */
export class BacklogAlarm {
  /** The age that was reported last. */
  readonly #reported = new Map<Work, number>();

  constructor(
    private readonly read: () => Promise<Backlog>,
    private readonly log: Log,
  ) {}

  async look(): Promise<void> {
    const { queueSeconds, webhookSeconds, deliverySeconds } = await this.read();
    this.#judge('queue', queueSeconds);
    this.#judge('webhooks', webhookSeconds);
    this.#judge('deliveries', deliverySeconds);
  }

  #judge(work: Work, seconds: number): void {
    const reported = this.#reported.get(work);
    if (seconds <= LATE_SECONDS) {
      if (reported === undefined) return;
      this.#reported.delete(work);
      this.log.info({ work }, 'backlog.cleared');
    } else if (reported === undefined || seconds >= 2 * reported) {
      this.#reported.set(work, seconds);
      this.log.error({ work, oldest_seconds: seconds, limit_seconds: LATE_SECONDS }, 'backlog.grown');
    }
  }
}

/** The alarm with rounds of its own: no other work can hold it up, and a process without workers says it as well. */
export function watchBacklog(read: () => Promise<Backlog>, log: Log): Sweeper {
  const alarm = new BacklogAlarm(read, log);
  return new Sweeper([{ name: 'backlog', run: () => alarm.look() }], log, () => LOOK_EVERY_MS);
}
