import { randomUUID } from 'node:crypto';
import {
  type Adapter,
  type AdapterDefinition,
  type Envelope,
  type InboundEvent,
  PlatformError,
} from '../contract/index.js';
import { type AdapterHolds, nothingHeld } from '../core/adapters/adapter-holds.js';
import { isDatabaseAway } from '../core/common/database-away.js';
import { statesBefore } from '../core/common/states.js';
import type { SendingConnection, SendingConnections } from '../core/deliveries/ports.js';
import type { Decoders } from '../core/inbound/ports.js';
import type { PlatformMedia, RemoteFile } from '../core/media/ports.js';
import type { Platforms } from '../core/platforms/catalogue.js';
import type { ConfiguredConnection } from '../core/platforms/ports.js';
import { connectionStates } from '../core/platforms/states.js';
import type { AdapterFactory } from '../core/platforms/test-connection.js';
import type { HostServices } from './host.js';
import { LiveConnection } from './live-connection.js';

/** Interval of checking for changes and renewing leases. It is well below the duration of a lease. */
const CHECK_EVERY_MS = 2_000;
/** A process closes its ingress this long before its lease ends. */
const MARGIN_MS = 1_000;

/**
 * Keeps one live adapter per enabled connection. Every process can send and decode on all of them; the ingress of each
 * belongs to the one process that holds its lease.
 */
export class Supervisor implements SendingConnections, Decoders, AdapterFactory, PlatformMedia {
  readonly #owner = randomUUID();
  readonly #live = new Map<string, LiveConnection>();
  /** Connections that no adapter serves here. Each is reported once. */
  readonly #unserved = new Set<string>();
  readonly #holds: AdapterHolds;
  #timer: NodeJS.Timeout | undefined;
  #lapses: readonly NodeJS.Timeout[] = [];
  #looking: Promise<void> | undefined;
  #again = false;
  #stopped = true;

  constructor(
    private readonly platforms: Platforms,
    private readonly services: HostServices,
    private readonly options: { readonly ingress: boolean; readonly holds?: AdapterHolds },
  ) {
    this.#holds = options.holds ?? nothingHeld;
  }

  async start(): Promise<void> {
    this.#stopped = false;
    this.#timer = setInterval(() => void this.poll(), CHECK_EVERY_MS);
    await this.poll();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#looking;
    for (const lapse of this.#lapses) clearTimeout(lapse);
    await Promise.all([...this.#live.values()].map((connection) => connection.stop()));
    this.#live.clear();
    await this.services.runtime.releaseLeases(this.#owner).catch(() => undefined);
  }

  /** Checks for changed connections now instead of at the next tick. Does nothing after `stop`. */
  poll(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#again = this.#looking !== undefined;
    this.#looking ??= this.#reconcile().finally(() => {
      this.#looking = undefined;
      if (this.#again && !this.#stopped) void this.poll();
    });
    return this.#looking;
  }

  async #reconcile(): Promise<void> {
    try {
      const enabled = await this.services.runtime.enabled();
      const wanted = new Map(enabled.map(({ id, generation }) => [id, generation]));
      await Promise.all(
        [...this.#live].map(([id, live]) => this.#stopUnlessWanted(id, live, wanted.get(id))),
      );
      await Promise.allSettled([...wanted.keys()].map((id) => this.#ensure(id)));
      for (const { id, generation, status } of enabled)
        if (status === 'error') void this.#of(id, generation)?.refusedElsewhere();
      const held = this.options.ingress ? await this.#hold() : new Set<string>();
      for (const [id, live] of this.#live) {
        if (!this.options.ingress || held.has(id)) void live.connect(this.options.ingress);
        else this.#leaveReading(live);
      }
    } catch (err) {
      this.services.log.warn({ err }, 'connections.check_failed');
    }
  }

  /** Leases of connections that were refused here are left to other processes, where the refusal may not occur. */
  async #hold(): Promise<ReadonlySet<string>> {
    const { runtime } = this.services;
    const ids = [...this.#live].filter(([, live]) => !live.refused).map(([id]) => id);
    const askedAt = performance.now();
    const leases = await runtime.holdLeases(ids, this.#owner);
    const spentMs = performance.now() - askedAt + MARGIN_MS;
    const held = [...leases].filter(([, leftMs]) => leftMs > spentMs);
    // Timers close the ingress before its lease ends, even if the database or the next check fails.
    for (const lapse of this.#lapses) clearTimeout(lapse);
    this.#lapses = held.map(([id, leftMs]) => setTimeout(() => this.#lapsed(id), leftMs - spentMs));
    return new Set(held.map(([id]) => id));
  }

  #lapsed(id: string): void {
    const live = this.#live.get(id);
    if (live !== undefined) this.#leaveReading(live);
  }

  #leaveReading(live: LiveConnection): void {
    // By then the lease may be held again, so `connect` uses the latest request for ingress.
    void live.stopIngress().then(() => live.connect());
  }

  async #stopUnlessWanted(id: string, live: LiveConnection, generation: number | undefined): Promise<void> {
    if (generation === live.generation) return;
    this.#live.delete(id);
    await live.stop();
  }

  /** Undefined if the connection does not exist or cannot be used here. Rejects while the database is unavailable. */
  async #ensure(id: string): Promise<LiveConnection | undefined> {
    const known = this.#live.get(id);
    if (known !== undefined) return known;
    try {
      const config = await this.services.runtime.configured(id);
      if (config === undefined || this.#stopped) return undefined;
      const definition = this.platforms.find(config.platform);
      if (definition === undefined) return await this.#tellUnserved(config, notServed(config.platform));
      const held = this.#heldBack(definition, config);
      if (held !== undefined) return await this.#tellUnserved(config, held);
      this.#unserved.delete(id);
      // Another caller may have created it in the meantime.
      const other = this.#live.get(id);
      if (other !== undefined) return other;
      const live = new LiveConnection(definition, config, this.services);
      this.#live.set(id, live);
      return live;
    } catch (err) {
      if (isDatabaseAway(err)) throw err;
      this.services.log.error({ err, connection_id: id }, 'connection.unusable');
      return undefined;
    }
  }

  /** Marks a connection without an adapter as degraded. It connects automatically once an adapter is installed. */
  async #tellUnserved(
    { id, generation, platform }: ConfiguredConnection,
    { reason, fix }: Unserved,
  ): Promise<undefined> {
    if (!this.options.ingress || this.#unserved.has(id)) return;
    this.#unserved.add(id);
    this.services.log.warn({ connection_id: id, platform, reason }, 'connection.unserved');
    await this.services.runtime.move(
      { id, generation },
      statesBefore(connectionStates, 'adapter_fails'),
      'degraded',
      { code: 'misconfigured', message: reason, fix },
    );
  }

  #heldBack({ version }: AdapterDefinition, { platform, id, generation }: ConfiguredConnection) {
    return this.#holds.heldBack(platform, version, id, generation);
  }

  find(connectionId: string): SendingConnection | undefined {
    return this.#live.get(connectionId)?.sending();
  }

  refused(connectionId: string, cause: unknown, generation: number): void {
    void this.#of(connectionId, generation)?.refuse(cause);
  }

  limited(connectionId: string, until: Date, generation: number): void {
    this.#of(connectionId, generation)?.limited(until);
  }

  /** The live connection of this generation. Undefined if a newer one has replaced it. */
  #of(connectionId: string, generation: number): LiveConnection | undefined {
    const live = this.#live.get(connectionId);
    return live?.generation === generation ? live : undefined;
  }

  async decode(connectionId: string, envelope: Envelope): Promise<readonly InboundEvent[]> {
    const live = await this.#ensure(connectionId);
    if (live === undefined) throw new Error(`Connection ${connectionId} has no installed adapter.`);
    return live.decode(envelope);
  }

  redeliveryOf(connectionId: string): number | undefined {
    return this.#live.get(connectionId)?.redeliveryS;
  }

  open(connectionId: string, ref: string, signal: AbortSignal): Promise<RemoteFile> | undefined {
    const adapter = this.find(connectionId)?.adapter;
    if (adapter === undefined) return undefined;
    if (adapter.openMedia !== undefined) return adapter.openMedia(ref, signal);
    const message = 'The adapter fetches no files.';
    return Promise.reject(
      new PlatformError({ kind: 'rejected', reason: 'unsupported' }, { dispatched: 'no', message }),
    );
  }

  /** Creates an adapter for the caller only. The caller must stop it. */
  async once(connectionId: string): Promise<Adapter | undefined> {
    const config = await this.services.runtime.configured(connectionId);
    const definition = config === undefined ? undefined : this.platforms.find(config.platform);
    if (config === undefined || definition === undefined) return undefined;
    const held = this.#heldBack(definition, config);
    if (held !== undefined) {
      const { reason: message, fix } = held;
      throw new PlatformError({ kind: 'misconfigured' }, { dispatched: 'no', message, fix });
    }
    return new LiveConnection(definition, config, this.services, false).adapter();
  }

  /**
   * The adapter that handles the platform's webhooks for a connection. With `refused`, changes that this process has
   * not seen yet count.
   */
  async hook(
    connectionId: string,
    refused = false,
  ): Promise<{ platform: string; adapter: Adapter; url: string } | undefined> {
    if (refused) await this.#catchUp(connectionId);
    const live = await this.#ensure(connectionId);
    if (live === undefined) return undefined;
    const url = `${this.services.publicUrl()}/hooks/${live.platform}/${connectionId}`;
    return { platform: live.platform, adapter: await live.adapter(), url };
  }

  /** Checks for changed connections if this one has changed. */
  async #catchUp(id: string): Promise<void> {
    const known = this.#live.get(id);
    if (known === undefined) return;
    const stored = await this.services.runtime.configured(id);
    if (known.generation === stored?.generation) return;
    await this.poll();
    // A check that was running already may have begun before the change.
    if (this.#live.get(id) === known) await this.poll();
  }
}

/** Why a connection is not served, and how an operator can fix it. */
interface Unserved {
  readonly reason: string;
  readonly fix: string;
}

const notServed = (platform: string): Unserved => ({
  reason: `No adapter serves ${platform}: its package is not loaded, or was refused.`,
  fix: 'See adapter.refused in the log, install a package that fits, and start the service again.',
});
