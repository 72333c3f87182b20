import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from 'grammy';
import { type AdapterHost, clock, type HealthReport } from '../../../src/contract/index.js';
import { platformErrorOf } from '../client/errors.js';
import { clientSignal } from '../client/transport.js';
import { connected, reportFailure } from './ingress.js';
import type { MissedUpdates } from './missed-updates.js';

/** Interval between checks of the webhook while it is healthy, and while it fails. */
export const CHECK_INTERVAL_MS = 60_000;
const RECHECK_INTERVAL_MS = 10_000;
/** An older failure may be over. Telegram repeats a delivery within a minute. */
const RECENT_MS = 2 * 60_000;
/** A smaller backlog is normal under load. */
const MANY_PENDING = 100;

type Info = Awaited<ReturnType<Api['raw']['getWebhookInfo']>>;

export interface MonitorOptions {
  readonly api: Api;
  readonly host: AdapterHost;
  readonly register: () => Promise<unknown>;
  readonly missed: MissedUpdates;
  /** The id of the bot. */
  readonly bot: () => string;
  readonly intervalMs: number;
}

/**
 * Checks whether Telegram reaches the webhook. Nothing else shows it: undelivered updates wait at Telegram for a day
 * and are then deleted (https://core.telegram.org/bots/api#getwebhookinfo). A failure becomes the health of the
 * connection.
 */
export class WebhookMonitor {
  readonly #options: MonitorOptions;
  #isWell = true;

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  /** Checks at once and then periodically. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#check(signal);
      const { intervalMs } = this.#options;
      const waitMs = this.#isWell ? intervalMs : Math.min(intervalMs, RECHECK_INTERVAL_MS);
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { api, host } = this.#options;
    try {
      const info = await api.raw.getWebhookInfo(clientSignal(signal));
      if (signal.aborted) return;
      if (info.url === '') await this.#restore();
      else this.#report(problemOf(info, host.webhookUrl));
    } catch (error) {
      if (signal.aborted) return;
      const failure = platformErrorOf(error, false);
      // A failed check says nothing about the webhook.
      if (failure.problem.kind === 'unauthorized') reportFailure(host, failure);
      else host.log.warn('webhook.status_unknown', { kind: failure.problem.kind, code: failure.code });
      return;
    }
    if (this.#isWell) await this.#noteSeen();
  }

  /** Updates arrive. A record that cannot be stored now is stored at the next check. */
  async #noteSeen(): Promise<void> {
    const { host, missed, bot } = this.#options;
    await missed.seen(bot()).catch((error: unknown) => host.log.warn('update.not_stored', { error }));
  }

  #report(problem: HealthReport | undefined): void {
    const { host } = this.#options;
    if (problem !== undefined) host.health(problem);
    else if (!this.#isWell) host.health(connected);
    this.#isWell = problem === undefined;
  }

  /** Another program polled with the same token, which removes the webhook. */
  async #restore(): Promise<void> {
    this.#options.host.log.warn('webhook.removed_elsewhere');
    await this.#options.register();
  }
}

function problemOf(info: Info, own: string): HealthReport | undefined {
  if (info.url !== own) {
    return {
      code: 'transient',
      message: 'The webhook of the bot leads elsewhere: another program uses the same bot.',
      fix: 'Stop the other program and reconnect, or create a bot of your own for it with @BotFather.',
    };
  }
  const { pending_update_count: pending, last_error_message: said, last_error_date: failedAt = 0 } = info;
  const isFailing = failedAt * 1000 > clock.now() - RECENT_MS;
  if (pending === 0 || !(isFailing || pending >= MANY_PENDING)) return undefined;
  const why = isFailing && said !== undefined ? ` (${said.slice(0, 200)})` : '';
  return {
    code: 'transient',
    message: `${pending} updates wait at Telegram, which can't deliver them${why}.`,
    fix: 'Check that PUBLIC_URL is reachable from the internet and has a valid certificate. Telegram keeps updates for a day.',
  };
}
