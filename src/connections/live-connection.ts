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
import type { ConfiguredConnection } from '../core/ports/connections.js';
import type { SendingConnection } from '../core/ports/deliveries.js';
import { accountRate, writeRate } from '../core/rates/write-rate.js';
import { Health } from './health.js';
import { createHost, type HostServices } from './host.js';

const RETRY_FIRST_MS = 1_000;
const RETRY_LONGEST_MS = 60_000;
/** An adapter that hangs in its end is left behind; the others go on. */
const STOP_LIMIT_MS = 5_000;

/** One connection at work in this process: its adapter, its health, its attempts to connect. Nothing it does throws. */
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
  /** Until the adapter that was reading has stopped: no other one starts meanwhile, and it is not started again. */
  #leaving: Promise<void> | undefined;
  #refused = false;
  #retryMs = RETRY_FIRST_MS;
  #timer: NodeJS.Timeout | undefined;
  readonly #secrets: readonly string[];
  readonly #health: Health;

  constructor(
    private readonly definition: AdapterDefinition,
    private readonly config: ConfiguredConnection,
    private readonly services: HostServices,
  ) {
    this.generation = config.generation;
    this.workspaceId = config.workspaceId;
    this.platform = config.platform;
    this.#secrets = Object.values(config.credentials).filter(
      (value): value is string => typeof value === 'string',
    );
    this.#health = new Health(config, services, this.#secrets);
    // A connection whose credentials were refused stays silent until somebody changes it.
    this.#refused = config.status === 'error';
  }

  /** The adapter, made on first use. It can decode and send before anything is connected. */
  adapter(): Promise<Adapter> {
    this.#adapter ??= this.#create().catch((cause: unknown) => {
      this.#adapter = undefined;
      throw cause;
    });
    return this.#adapter;
  }

  async #create(): Promise<Adapter> {
    return this.definition.create(
      { credentials: this.config.credentials, settings: this.config.settings } as ConnectionConfig,
      createHost(
        this.services,
        { id: this.config.id, platform: this.config.platform, secrets: this.#secrets },
        (report) => this.#told(report),
      ),
    );
  }

  /** Connects, and opens the ingress while `ingress` is true. Tries again by itself after transient failures. */
  async connect(ingress = this.#wantsIngress): Promise<void> {
    this.#wantsIngress = ingress;
    if (this.#refused && !this.#stopped) await this.#health.recordRefusal();
    if (this.#over || this.#connecting || this.#timer !== undefined) return;
    this.#connecting = true;
    try {
      await this.#leaving;
      const adapter = await this.adapter();
      if (this.#ready === undefined && !this.#over) {
        const identity = await adapter.identify();
        if (this.#over) return;
        this.#ready = adapter;
        await this.#health.connected(identity);
        const { pausedUntil } = this.config;
        if (!this.#over && pausedUntil !== null && pausedUntil.getTime() > clock.now())
          this.limited(pausedUntil);
      }
      if (this.#wantsIngress && !this.#ingress && !this.#over) {
        this.#ingress = true;
        await adapter.start();
        if (!this.#ingress) return;
        this.services.log.info({ connection_id: this.config.id }, 'connection.ingress_opened');
        // After a start that had failed; other trouble ends when the adapter says so.
        if (this.#retryMs > RETRY_FIRST_MS) await this.#report({ code: 'ok', message: 'Connected.' });
      }
      this.#retryMs = RETRY_FIRST_MS;
    } catch (cause) {
      // What a start says that was broken off is no failure.
      if (this.#leaving !== undefined) return;
      this.#ingress = false;
      await this.#failed(cause);
    } finally {
      this.#connecting = false;
    }
  }

  /** Nothing that it still answers concerns the connection. */
  get #over(): boolean {
    return this.#stopped || this.#refused;
  }

  sending(): SendingConnection | undefined {
    if (this.#ready === undefined || this.#over) return undefined;
    return {
      generation: this.generation,
      platform: this.platform,
      adapter: this.#ready,
      capabilities: this.#ready.capabilities(),
      uncertainPolicy: this.config.settings.uncertain_policy,
      account: accountRate(this.definition, this.config.settings),
      rate: writeRate(this.definition, this.config.settings, this.#ready),
      pausedUntil: this.config.pausedUntil,
    };
  }

  async decode(envelope: Envelope): Promise<readonly InboundEvent[]> {
    return (await this.adapter()).decode(envelope);
  }

  /** The platform refused us: everything stops until credentials or settings change, or somebody reconnects. */
  async refuse(cause: unknown): Promise<void> {
    if (this.#over) return;
    this.#refused = true;
    await Promise.all([this.#health.refused(cause), this.#silence()]);
  }

  /** The same was recorded by another process. */
  async refusedElsewhere(): Promise<void> {
    if (this.#over) return;
    this.#refused = true;
    await this.#silence();
  }

  async #silence(): Promise<void> {
    this.#ingress = false;
    await this.#stopAdapter();
  }

  /** Nothing is called by it any more. */
  get refused(): boolean {
    return this.#refused;
  }

  limited(until: Date): void {
    this.#health.limited(until);
  }

  /** Resolves when the adapter has stopped. Whoever connects next is served by a new one. */
  async stopIngress(): Promise<void> {
    this.#wantsIngress = false;
    if (this.#ingress) {
      this.#ingress = false;
      this.#leaving = this.#leave();
    }
    await this.#leaving;
  }

  async #leave(): Promise<void> {
    await this.#stopAdapter();
    this.#adapter = undefined;
    this.#ready = undefined;
    this.#leaving = undefined;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#health.end();
    await this.#stopAdapter();
  }

  async #stopAdapter(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const error = new Error(`The adapter did not stop within ${STOP_LIMIT_MS} ms.`);
      timer = setTimeout(() => reject(error), STOP_LIMIT_MS);
    });
    try {
      await Promise.race([this.#adapter?.then((adapter) => adapter.stop()), late]);
    } catch (cause) {
      this.services.log.warn(
        { connection_id: this.config.id, reason: this.#health.clean(cause) },
        'connection.stop_failed',
      );
    } finally {
      clearTimeout(timer);
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
    const message = this.#health.clean(cause);
    await this.#report(
      askedWaitMs(cause) !== undefined
        ? { code: 'rate_limited', message, fix: 'The connection is tried again by itself after that.' }
        : {
            code: 'transient',
            message,
            fix: 'Check api_base_url and the network; the connection is tried again by itself.',
          },
    );
    if (this.#stopped) return;
    const waitMs = this.#waitMs(cause);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.connect();
    }, waitMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_LONGEST_MS);
  }

  #waitMs(cause: unknown): number {
    return Math.max(this.#retryMs, askedWaitMs(cause) ?? 0);
  }

  /**
   * How reading goes is told by the process that reads; who no longer does may be disturbed by the next one. Refused
   * credentials are refused for all.
   */
  #told(report: HealthReport): void {
    if (this.#ingress || report.code === 'bad_credentials') void this.#report(report);
  }

  async #report(report: HealthReport): Promise<void> {
    if (this.#stopped) return;
    if (report.code !== 'bad_credentials' && report.code !== 'misconfigured') {
      await this.#health.report(report);
      return;
    }
    await this.refuse(
      new PlatformError(
        { kind: report.code === 'bad_credentials' ? 'unauthorized' : 'misconfigured' },
        {
          dispatched: 'no',
          message: report.message,
          ...(report.fix === undefined ? {} : { fix: report.fix }),
        },
      ),
    );
  }
}

/** So long the platform asked to wait. */
function askedWaitMs(cause: unknown): number | undefined {
  if (!(cause instanceof PlatformError) || cause.problem.kind !== 'rate_limited') return undefined;
  return cause.problem.retryAfterMs;
}
