import type { Adapter } from '../contract/index.js';
import { createAdapter } from '../core/adapters/contract-versions.js';
import { Bench, configOf } from './bench.js';
import type { AnyKit, ConformanceOptions, ConformanceStore } from './kit.js';
import { MemoryStore } from './memory-store.js';
import { ReferenceHost, Remains } from './reference-host.js';
import type { UnprovedCell } from './report.js';
import { must, patience, Skipped } from './verdict.js';

const TIMEOUT_MS = 10_000;
const NO_ACCOUNT = { credentials: {}, settings: {} };

/** One numbered check. It resolves with optional figures, raises Skipped, or fails with any other error. */
export interface Check {
  readonly number: number;
  readonly title: string;
  run(stage: Stage): Promise<string | undefined>;
}

/** The resources of one check. They are closed after it. */
export class Stage {
  readonly effort: 'quick' | 'full';
  /** Claims of the adapter that this run could not prove. */
  readonly cells: UnprovedCell[] = [];
  readonly #benches: Bench[] = [];
  readonly #makeStore: () => ConformanceStore;
  #store: ConformanceStore | undefined;

  constructor(
    readonly kit: AnyKit,
    { effort = 'full', store = () => new MemoryStore(), patienceMs = TIMEOUT_MS }: ConformanceOptions,
  ) {
    this.effort = effort;
    this.#makeStore = store;
    patience.ms = patienceMs;
  }

  get full(): boolean {
    return this.effort === 'full';
  }

  /** Records a claim that could not be tested. */
  unproved(cell: string, reason: string): void {
    this.cells.push({ cell, reason });
  }

  /** The store of this check. All its connections share it. */
  get store(): ConformanceStore {
    this.#store ??= this.#makeStore();
    return this.#store;
  }

  get hasNetwork(): boolean {
    const { simulator, offline, definition } = this.kit;
    const { hostname } = new URL(definition.defaultApiBaseUrl);
    const reserved = hostname === 'invalid' || hostname.endsWith('.invalid');
    must(
      simulator !== undefined || offline !== undefined || reserved,
      'The kit needs a simulator, or a reason in `offline`, or a definition whose defaultApiBaseUrl is under .invalid.',
    );
    return simulator !== undefined;
  }

  /** The id of a person on the platform, if the kit pins one. */
  get person(): string | undefined {
    return this.kit.pinned.find(({ userId }) => userId !== undefined)?.userId;
  }

  /** Whether there is a platform for the rest of a check. Without one, the rest is recorded as unproved. */
  hasPlatformFor(rest: string): boolean {
    if (this.hasNetwork) return true;
    if (this.kit.offline !== undefined) this.unproved(rest, this.kit.offline.reason);
    return false;
  }

  /** Why there is no platform. */
  get absence(): string {
    return (
      this.kit.offline?.reason ?? 'nothing leaves the process: the address of the platform is under .invalid'
    );
  }

  /** Opens a simulator and a connection to it. */
  async open(connection = `connection-${this.#benches.length + 1}`): Promise<Bench> {
    if (!this.hasNetwork || this.kit.simulator === undefined) throw new Skipped(this.absence);
    const bench = await Bench.open(this.kit, await this.kit.simulator(), this.store, connection);
    this.#benches.push(bench);
    return bench;
  }

  /** An adapter for its pure functions. It needs no simulator. */
  async bare(): Promise<Adapter> {
    if (this.hasNetwork) return (await this.open()).adapter;
    const host = new ReferenceHost({
      webhookUrl: 'https://bridge.example/hooks/conformance/1',
      connection: 'bare',
      store: this.store,
      remains: new Remains(),
      allowed: () => [],
    });
    return createAdapter(
      this.kit.definition,
      configOf(this.kit, this.kit.offline?.account ?? NO_ACCOUNT),
      host,
    );
  }

  /** Fails if an adapter used its host in a way that the bridge refuses or limits. */
  mustHaveUsedItsHost(): void {
    const [problem] = this.#benches.flatMap((bench) => bench.misuses);
    must(problem === undefined, `${problem}`);
  }

  async close(): Promise<void> {
    for (const bench of this.#benches) await bench.close();
  }
}
