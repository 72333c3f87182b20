import { clock } from '../contract/clock.js';
import {
  type Adapter,
  type AdapterDefinition,
  type ConnectionConfig,
  type Envelope,
  type HealthReport,
  type InboundEvent,
  PlatformError,
} from '../contract/index.js';
import { createAdapter } from '../core/adapters/contract-versions.js';
import { guardAdapter } from '../core/adapters/guarded-adapter.js';
import { HOOK_LIMITS_MS, HookOverdue, HookRunner } from '../core/adapters/hook-runner.js';
import { liveRedactors, Redactor } from '../core/adapters/redactor.js';
import { secretsOf } from '../core/adapters/secret-forms.js';
import type { SendingConnection } from '../core/deliveries/ports.js';
import { callWithTimeout } from '../core/deliveries/send/call-with-timeout.js';
import type { ConfiguredConnection } from '../core/platforms/ports.js';
import { accountRate, writeRate } from '../core/rates/write-rate.js';
import { Dropped } from './dropped.js';
import { failureReport, isOfAdapter, requestedWaitMs } from './failure-report.js';
import { Health } from './health.js';
import { HookTroubles } from './hook-troubles.js';
import { createHost, type HostServices } from './host.js';

const RETRY_FIRST_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** One live connection of this process: its adapter, its health and its attempts to connect. */
export class LiveConnection {
  readonly generation: number;
  readonly workspaceId: string;
  readonly platform: string;
  #adapter: Promise<Adapter> | undefined;
  #ready: Adapter | undefined;
  #ingress = false;
  #wantsIngress = false;
  #stopped = false;
  #connecting = false;
  /** Set until the previous adapter has stopped. No adapter is started before that. */
  #previousStop: Promise<void> | undefined;
  #refused = false;
  /** The last start did not end in time. */
  #startHung = false;
  #retryMs = RETRY_FIRST_MS;
  #timer: NodeJS.Timeout | undefined;
  readonly #redactor: Redactor;
  readonly #dropped: Dropped;
  readonly #health: Health;
  readonly #runner: HookRunner;

  constructor(
    private readonly definition: AdapterDefinition,
    private readonly config: ConfiguredConnection,
    private readonly services: HostServices,
    /** If false, failing hooks do not change the health of the connection. */
    isObserved = true,
  ) {
    const { id, platform } = config;
    this.generation = config.generation;
    this.workspaceId = config.workspaceId;
    this.platform = config.platform;
    this.#redactor = new Redactor(secretsOf(definition, config.credentials));
    if (isObserved) liveRedactors.add(this.#redactor);
    this.#dropped = new Dropped(services.log, { connection_id: id, platform });
    this.#health = new Health(config, services, this.#redactor, this.#dropped);
    const observer = new HookTroubles((report) => this.#report(report), services.log, {
      connection_id: id,
      platform,
    });
    this.#runner = new HookRunner({
      adapter: platform,
      connectionId: id,
      redactor: this.#redactor,
      ...(isObserved ? { observer } : {}),
    });
    // A connection whose credentials were refused stays silent until it is changed.
    this.#refused = config.status === 'error';
  }

  /** The adapter, created on first use. It can decode before it is connected. */
  adapter(): Promise<Adapter> {
    this.#adapter ??= this.#create().catch((cause: unknown) => {
      this.#adapter = undefined;
      throw cause;
    });
    return this.#adapter;
  }

  async #create(): Promise<Adapter> {
    const { credentials, settings, id, platform } = this.config;
    const redactor = this.#redactor;
    const connection = { id, platform, redactor, dropped: this.#dropped };
    const host = createHost(this.services, connection, (report) => this.#reported(report));
    let making: Promise<Adapter> | undefined;
    try {
      const adapter = await this.#runner.async('create', async () => {
        making = createAdapter(this.definition, { credentials, settings } as ConnectionConfig, host);
        return making;
      });
      return guardAdapter(adapter, this.#runner, redactor, this.definition.capabilities);
    } catch (cause) {
      // An adapter that is created too late is discarded and stopped.
      if (cause instanceof HookOverdue) void making?.then((late) => late.stop()).catch(() => undefined);
      throw cause;
    }
  }

  /** Connects, and opens the ingress if `ingress` is true. Retries automatically after transient failures. */
  async connect(ingress = this.#wantsIngress): Promise<void> {
    this.#wantsIngress = ingress;
    if (this.#refused && !this.#stopped) await this.#health.recordRefusal();
    if (this.#over || this.#connecting || this.#timer !== undefined) return;
    this.#connecting = true;
    try {
      await this.#previousStop;
      const adapter = await this.adapter();
      if (this.#ready !== undefined) await this.#health.recordConnected();
      else if (!this.#over) {
        const identity = await adapter.identify();
        if (this.#over) return;
        this.#ready = adapter;
        // After a start that hung, the health keeps that failure until a start succeeds.
        if (!this.#startHung) await this.#health.connected(identity);
        const { pausedUntil } = this.config;
        if (!this.#over && pausedUntil !== null && pausedUntil.getTime() > clock.now())
          this.limited(pausedUntil);
      }
      if (this.#wantsIngress && !this.#ingress && !this.#over) {
        this.#ingress = true;
        await adapter.start();
        if (!this.#ingress) return;
        this.#startHung = false;
        this.services.log.info({ connection_id: this.config.id }, 'connection.ingress_opened');
        // Only a failed start ends here. The adapter reports the end of other failures.
        if (this.#retryMs > RETRY_FIRST_MS) this.#report({ code: 'ok', message: 'Connected.' });
      }
      this.#retryMs = RETRY_FIRST_MS;
    } catch (cause) {
      // An error of a start that `stopIngress` interrupted is not a failure.
      if (this.#previousStop !== undefined) return;
      this.#ingress = false;
      if (cause instanceof HookOverdue) await this.#abandon(cause);
      await this.#failed(cause);
    } finally {
      this.#connecting = false;
    }
  }

  /** Whether the connection was stopped or refused. Late results of the adapter are ignored. */
  get #over(): boolean {
    return this.#stopped || this.#refused;
  }

  sending(): SendingConnection | undefined {
    if (this.#ready === undefined || this.#over) return undefined;
    return {
      generation: this.generation,
      workspaceId: this.workspaceId,
      platform: this.platform,
      adapter: this.#ready,
      capabilities: this.#ready.capabilities(),
      buttons: this.definition.buttons,
      uncertainPolicy: this.config.settings.uncertain_policy,
      account: accountRate(this.definition, this.config.settings),
      rate: writeRate(this.definition, this.config.settings, this.#ready),
      pausedUntil: this.config.pausedUntil,
    };
  }

  get redeliveryS(): number | undefined {
    return this.definition.redeliveryS;
  }

  async decode(envelope: Envelope): Promise<readonly InboundEvent[]> {
    return (await this.adapter()).decode(envelope);
  }

  /** Handles a refusal by the platform: stops until credentials or settings change, or a user reconnects. */
  async refuse(cause: unknown): Promise<void> {
    if (this.#over) return;
    this.#refused = true;
    await Promise.all([this.#health.refused(cause), this.#stopReading()]);
  }

  /** Handles a refusal that another process recorded. */
  async refusedElsewhere(): Promise<void> {
    if (this.#over) return;
    this.#refused = true;
    await this.#stopReading();
  }

  async #stopReading(): Promise<void> {
    this.#ingress = false;
    await this.#stopAdapter();
  }

  /** Whether the platform refused the connection. The adapter is not called any more. */
  get refused(): boolean {
    return this.#refused;
  }

  limited(until: Date): void {
    this.#health.limited(until);
  }

  /** Resolves when the adapter has stopped. The next connect uses a new one. */
  async stopIngress(): Promise<void> {
    this.#wantsIngress = false;
    if (this.#ingress) {
      this.#ingress = false;
      this.#previousStop = this.#discardAdapter();
    }
    await this.#previousStop;
  }

  async #discardAdapter(): Promise<void> {
    await this.#stopAdapter();
    this.#adapter = undefined;
    this.#ready = undefined;
    this.#previousStop = undefined;
  }

  /** Stops an adapter that hung. It is not used again. */
  async #abandon({ hook }: HookOverdue): Promise<void> {
    this.#startHung = hook === 'start';
    this.#previousStop = this.#discardAdapter();
    await this.#previousStop;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#health.end(), this.#stopAdapter()]);
    this.#runner.release();
    liveRedactors.delete(this.#redactor);
    this.#dropped.flush();
  }

  /** Stops the adapter. An adapter whose `stop` hangs is abandoned after a timeout. */
  async #stopAdapter(): Promise<void> {
    const adapter = this.#adapter;
    if (adapter === undefined) return;
    try {
      await callWithTimeout(async () => (await adapter).stop(), HOOK_LIMITS_MS.stop);
    } catch (cause) {
      this.services.log.warn(
        { connection_id: this.config.id, reason: this.#health.clean(cause) },
        'connection.stop_failed',
      );
    }
  }

  async #failed(cause: unknown): Promise<void> {
    if (this.#over) return;
    if (cause instanceof PlatformError && ['unauthorized', 'misconfigured'].includes(cause.problem.kind)) {
      await this.refuse(cause);
      return;
    }
    this.services.log.warn(
      { connection_id: this.config.id, reason: this.#health.clean(cause) },
      'connection.failed',
    );
    this.#health.report(failureReport(cause, this.#health.clean(cause)), isOfAdapter(cause));
    if (this.#stopped) return;
    const waitMs = this.#waitMs(cause);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.connect();
    }, waitMs);
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  #waitMs(cause: unknown): number {
    return Math.max(this.#retryMs, requestedWaitMs(cause) ?? 0);
  }

  /**
   * Only the process that holds the ingress lease reports ingress health. A former holder may see errors caused by its
   * successor, so its reports are ignored. Every process reports refused credentials.
   */
  #reported(report: HealthReport): void {
    if (this.#ingress || report.code === 'bad_credentials') this.#report(report);
  }

  #report(report: HealthReport): void {
    if (this.#stopped) return;
    const { code, message, fix } = report;
    if (code !== 'bad_credentials' && code !== 'misconfigured') return this.#health.report(report);
    const kind = code === 'bad_credentials' ? 'unauthorized' : 'misconfigured';
    const options = { dispatched: 'no' as const, message, ...(fix === undefined ? {} : { fix }) };
    void this.refuse(new PlatformError({ kind }, options));
  }
}
