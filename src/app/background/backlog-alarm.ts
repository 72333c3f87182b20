import type { Log } from '../../core/common/log.js';
import type { LateWork } from '../../core/workspaces/service-faults.js';
import type { Backlog } from '../../store/maintenance/housekeeping.js';
import { Sweeper } from './sweeper.js';

/** Work that waits longer than this shows that the service does not keep up. */
export const LATE_SECONDS = 60;

const CHECK_EVERY_MS = 15_000;

/** Writes an event for webhooks and alerts in chats. */
type Report = (work: LateWork, seconds: number) => Promise<unknown>;

/**
 * Reports when the oldest work waits too long and again each time its age has doubled. A report is an event and a log line at
 * level error, for alerts on logs. A log line also says when the backlog is cleared.
 */
export class BacklogAlarm {
  /** The age in the last report. */
  readonly #reported = new Map<LateWork, number>();

  constructor(
    private readonly read: () => Promise<Backlog>,
    private readonly log: Log,
    private readonly report: Report,
  ) {}

  async check(): Promise<void> {
    const { queueSeconds, webhookSeconds, deliverySeconds } = await this.read();
    await this.#evaluate('queue', queueSeconds);
    await this.#evaluate('webhooks', webhookSeconds);
    await this.#evaluate('deliveries', deliverySeconds);
  }

  async #evaluate(work: LateWork, seconds: number): Promise<void> {
    const reported = this.#reported.get(work);
    if (seconds <= LATE_SECONDS) {
      if (reported === undefined) return;
      this.#reported.delete(work);
      this.log.info({ work }, 'backlog.cleared');
    } else if (reported === undefined || seconds >= 2 * reported) {
      this.log.error({ work, oldest_seconds: seconds, limit_seconds: LATE_SECONDS }, 'backlog.grown');
      // If this fails, the age is not recorded, and the next check reports again.
      await this.report(work, seconds);
      this.#reported.set(work, seconds);
    }
  }
}

/** Runs the alarm in its own sweeper. Other sweeps cannot delay it, and processes without workers also report. */
export function watchBacklog(read: () => Promise<Backlog>, log: Log, report: Report): Sweeper {
  const alarm = new BacklogAlarm(read, log, report);
  return new Sweeper([{ name: 'backlog', run: () => alarm.check() }], log, () => CHECK_EVERY_MS);
}
