import { clock } from '../contract/clock.js';
import { type HealthReport, PlatformError, type RemoteIdentity } from '../contract/index.js';
import type { DeliveryErrorRecord } from '../core/adapters/delivery-error.js';
import type { Redactor } from '../core/adapters/redactor.js';
import { statesBefore } from '../core/common/states.js';
import type { ConnectionGeneration, HealthState } from '../core/platforms/ports.js';
import { type ConnectionStatus, connectionStates } from '../core/platforms/states.js';
import type { Dropped } from './dropped.js';
import type { HostServices } from './host.js';
import { LatestWrite } from './latest-write.js';

/** A transient failure shorter than this does not show as degraded. */
const DEGRADED_AFTER_MS = 60_000;
const MAX_TEXT_LENGTH = 500;
const OK: HealthState = { code: 'ok', message: 'Connected.', fix: null };

/** A health state to store, and the time since when the connection has been failing. */
interface Wanted {
  readonly health: HealthState;
  readonly troubleSince: number | undefined;
  /** The adapter itself failed, so the connection becomes degraded at once. */
  readonly isBroken: boolean;
}

/** Stores the health of one live connection in its row, at most once per second. No method throws. */
export class Health {
  #troubleSince: number | undefined;
  /** A refusal that is not recorded yet. */
  #refusal: unknown;
  /** The account of a connection that is connected, until this is recorded. */
  #identity: RemoteIdentity | undefined;
  #limitTimer: NodeJS.Timeout | undefined;
  /** The state of a working connection, with the advice of the adapter's last `ok` report. */
  #ok = OK;
  #ended = false;
  readonly #writes: LatestWrite<Wanted>;

  constructor(
    private readonly connection: ConnectionGeneration,
    private readonly services: Pick<HostServices, 'runtime' | 'log'>,
    private readonly redactor: Redactor,
    dropped: Dropped,
  ) {
    this.#writes = new LatestWrite({
      write: (wanted) => this.#store(wanted),
      keyOf: (wanted) => JSON.stringify([wanted.health, isLasting(wanted), wanted.isBroken]),
      onReplaced: (count) => dropped.note('health', count),
    });
  }

  async connected(identity: RemoteIdentity): Promise<void> {
    this.#troubleSince = undefined;
    this.#identity = identity;
    await this.#writes.forget();
    await this.recordConnected();
  }

  /** Records that the connection is connected, if this could not be recorded before and nothing has failed since. */
  async recordConnected(): Promise<void> {
    const identity = this.#identity;
    if (identity === undefined || this.#troubleSince !== undefined) return;
    const isRecorded = await this.#move(statesBefore(connectionStates, 'connect'), 'connected', this.#ok, {
      external_id: identity.externalId,
      handle: identity.handle ?? null,
      name: identity.name ?? null,
    });
    if (isRecorded && this.#identity === identity) this.#identity = undefined;
  }

  /** Reports a transient failure or its end. Refusals are reported with `refused`. */
  report(report: HealthReport, isBroken = false): void {
    if (report.code === 'connecting' || this.#ended || this.#refusal !== undefined) return;
    this.#troubleSince = report.code === 'ok' ? undefined : (this.#troubleSince ?? clock.now());
    const fix = report.fix === undefined ? null : this.#cleanText(report.fix);
    const health = { code: report.code, message: this.#cleanText(report.message), fix };
    if (report.code === 'ok') this.#ok = fix === null ? OK : health;
    this.#writes.want({ health, troubleSince: this.#troubleSince, isBroken });
  }

  /** Resolves with false if the state could not be stored. */
  #store(wanted: Wanted): Promise<boolean> {
    const { health, isBroken } = wanted;
    if (health.code === 'ok')
      return this.#move(statesBefore(connectionStates, 'connect'), 'connected', health);
    if (isLasting(wanted)) {
      const from = statesBefore(connectionStates, isBroken ? 'adapter_fails' : 'fail');
      return this.#move(from, 'degraded', health);
    }
    return this.#move(['connecting', 'connected'], null, health);
  }

  /** Reports that the platform refuses the credentials or settings of the connection. */
  async refused(cause: unknown): Promise<void> {
    this.#refusal = cause;
    await this.#writes.forget();
    await this.recordRefusal();
  }

  /** Records a refusal that could not be recorded before. */
  async recordRefusal(): Promise<void> {
    const cause = this.#refusal;
    if (cause === undefined) return;
    const unauthorized = !(cause instanceof PlatformError) || cause.problem.kind === 'unauthorized';
    const code = unauthorized ? 'bad_credentials' : 'misconfigured';
    const { fix, code: platformCode } = cause instanceof PlatformError ? cause : {};
    const message = this.clean(cause);
    const health = { code, message, fix: fix === undefined ? null : this.#cleanText(fix) };
    const isRecorded = await this.#move(
      statesBefore(connectionStates, 'refuse'),
      'error',
      health,
      undefined,
      {
        code: 'auth_revoked',
        message,
        permanent: true,
        platform_code: platformCode === undefined ? null : this.#cleanText(platformCode),
      },
    );
    if (isRecorded) this.#refusal = undefined;
  }

  /** Reports a wait that the platform requested for the account. A long wait makes the connection degraded until it ends. */
  limited(until: Date): void {
    const report: HealthReport = {
      code: 'rate_limited',
      message: `The platform asked to wait until ${until.toISOString()}.`,
      fix: 'Nothing is sent before that. Lower rate_per_second if this happens again.',
    };
    clearTimeout(this.#limitTimer);
    this.report(report);
    const ends = () => {
      const { message, fix } = this.#ok;
      this.report({ code: 'ok', message, ...(fix !== null && { fix }) });
    };
    const lasts = () => {
      this.report(report);
      this.#limitTimer = setTimeout(ends, until.getTime() - clock.now());
    };
    const waitMs = until.getTime() - clock.now();
    this.#limitTimer =
      waitMs > DEGRADED_AFTER_MS ? setTimeout(lasts, DEGRADED_AFTER_MS) : setTimeout(ends, waitMs);
  }

  /** Stops reporting. A report that is waiting is still stored. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#limitTimer);
    await this.#writes.end();
  }

  clean(cause: unknown): string {
    return this.#cleanText(cause instanceof Error ? cause.message : 'The adapter failed.');
  }

  /** If `to` is null, the status stays the same. Resolves with false if the database call failed. */
  async #move(
    from: readonly ConnectionStatus[],
    to: ConnectionStatus | null,
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
    return this.redactor.text(String(text), MAX_TEXT_LENGTH);
  }
}

function isLasting({ troubleSince, isBroken }: Wanted): boolean {
  if (troubleSince === undefined) return false;
  return isBroken || clock.now() - troubleSince >= DEGRADED_AFTER_MS;
}
