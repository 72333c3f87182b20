import { clock } from '../contract/clock.js';
import { type HealthReport, PlatformError, type RemoteIdentity } from '../contract/index.js';
import type { DeliveryErrorRecord } from '../core/messages/record.js';
import type { ConnectionStatus } from '../core/platforms/record.js';
import type { ConnectionGeneration, HealthState } from '../core/ports/connections.js';
import { type HostServices, redactText } from './host.js';

/** A transient failure shorter than this does not show as degraded. */
const DEGRADED_AFTER_MS = 60_000;
const LIVE: readonly ConnectionStatus[] = ['connecting', 'connected', 'degraded'];
const OK: HealthState = { code: 'ok', message: 'Connected.', fix: null };

/** How one live connection does, as its row shows it. Nothing here throws. */
export class Health {
  #troubleSince: number | undefined;
  /** A refusal that is not recorded yet. */
  #refusal: unknown;
  #limitTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: ConnectionGeneration,
    private readonly services: HostServices,
    private readonly secrets: readonly string[],
  ) {}

  async connected(identity: RemoteIdentity): Promise<void> {
    this.#troubleSince = undefined;
    await this.#move(LIVE, 'connected', OK, {
      external_id: identity.externalId,
      handle: identity.handle ?? null,
      name: identity.name ?? null,
    });
  }

  /** Anything but a refusal: a transient failure, or its end. */
  async report(report: HealthReport): Promise<void> {
    const health = { code: report.code, message: this.#cleanText(report.message), fix: report.fix ?? null };
    if (report.code === 'connecting') return;
    if (report.code === 'ok') {
      this.#troubleSince = undefined;
      await this.#move(LIVE, 'connected', health);
      return;
    }
    this.#troubleSince ??= clock.now();
    const lasting = clock.now() - this.#troubleSince >= DEGRADED_AFTER_MS;
    if (lasting) await this.#move(['connected', 'degraded'], 'degraded', health);
    else {
      await this.#move(['connecting'], 'connecting', health);
      await this.#move(['connected'], 'connected', health);
    }
  }

  /** The platform accepts no calls of ours. */
  async refused(cause: unknown): Promise<void> {
    this.#refusal = cause;
    await this.recordRefusal();
  }

  /** Does it once more when it could not be done before. */
  async recordRefusal(): Promise<void> {
    const cause = this.#refusal;
    if (cause === undefined) return;
    const unauthorized = !(cause instanceof PlatformError) || cause.problem.kind === 'unauthorized';
    const code = unauthorized ? 'bad_credentials' : 'misconfigured';
    const fix = cause instanceof PlatformError ? (cause.fix ?? null) : null;
    const message = this.clean(cause);
    const isRecorded = await this.#move(LIVE, 'error', { code, message, fix }, undefined, {
      code: 'auth_revoked',
      message,
      permanent: true,
      platform_code: cause instanceof PlatformError ? (cause.code ?? null) : null,
    });
    if (isRecorded) this.#refusal = undefined;
  }

  /** A wait that the platform asks of the account shows; one that lasts makes the connection degraded until its end. */
  limited(until: Date): void {
    const report: HealthReport = {
      code: 'rate_limited',
      message: `The platform asked to wait until ${until.toISOString()}.`,
      fix: 'Nothing is sent before that. Lower rate_per_second if this happens again.',
    };
    clearTimeout(this.#limitTimer);
    void this.report(report);
    const ends = () => void this.report({ code: 'ok', message: 'Connected.' });
    const lasts = () => {
      void this.report(report);
      this.#limitTimer = setTimeout(ends, until.getTime() - clock.now());
    };
    const waitMs = until.getTime() - clock.now();
    this.#limitTimer =
      waitMs > DEGRADED_AFTER_MS ? setTimeout(lasts, DEGRADED_AFTER_MS) : setTimeout(ends, waitMs);
  }

  /** Nothing more is told by itself. */
  end(): void {
    clearTimeout(this.#limitTimer);
  }

  clean(cause: unknown): string {
    return this.#cleanText(cause instanceof Error ? cause.message : 'The adapter failed.');
  }

  /** False: the database could not be asked. */
  async #move(
    from: readonly ConnectionStatus[],
    to: ConnectionStatus,
    health: HealthState,
    identity?: { external_id: string; handle: string | null; name: string | null },
    error?: DeliveryErrorRecord,
  ): Promise<boolean> {
    try {
      await this.services.runtime.move(this.connection, from, to, health, identity, error);
      return true;
    } catch (err) {
      this.services.log.warn({ err, connection_id: this.connection.id }, 'connection.health_not_recorded');
      return false;
    }
  }

  #cleanText(text: string): string {
    return redactText(text, this.secrets).slice(0, 500);
  }
}
