import type { AdapterHolds } from '../core/adapters/adapter-holds.js';
import type { Log } from '../core/common/log.js';
import type { Platforms } from '../core/platforms/catalogue.js';
import { type AdapterEnds, type AdapterRecord, ENDS_FILE, MAX_ENDS } from './adapter-ends.js';

const WHAT_TO_DO =
  'Install a release of the adapter that works, or reconnect the connection to try this one again.';

/** Prevents the start of adapters that ended the process repeatedly. The records are read once, at the start. */
export class RecordedHolds implements AdapterHolds {
  readonly #held: Map<string, AdapterRecord>;

  constructor(
    private readonly ends: AdapterEnds,
    private readonly log: Log,
  ) {
    const all = Object.entries(ends.all());
    this.#held = new Map(all.filter(([, record]) => record.ends.length >= MAX_ENDS));
  }

  /** Called when the installed releases are known. An adapter is tried again if its release has changed. */
  compareReleases(platforms: Pick<Platforms, 'find'>): void {
    for (const [adapter, record] of this.#held) {
      const definition = platforms.find(adapter);
      if (definition === undefined) continue;
      if (record.version !== undefined && record.version !== definition.version)
        this.#release(adapter, 'updated');
      else
        this.log.error({ adapter, reason: reasonOf(adapter, record), fix: WHAT_TO_DO }, 'adapter.held_back');
    }
  }

  heldBack(adapter: string, version: string, connectionId: string, generation: number) {
    const record = this.#held.get(adapter);
    if (record === undefined) return undefined;
    const then = record.held?.[connectionId];
    if (then !== undefined && generation > then) {
      this.#release(adapter, 'reconnected');
      return undefined;
    }
    if (then === undefined) {
      this.ends.hold(adapter, version, connectionId, generation);
      this.#held.set(adapter, this.ends.of(adapter));
    }
    return { reason: reasonOf(adapter, record), fix: WHAT_TO_DO };
  }

  /** Why a package must not be loaded: the same release ended the process repeatedly while it was loaded. */
  refusalOf(name: string, release: string): string | undefined {
    const record = this.ends.of(name);
    if (record.version !== undefined && record.version !== release) {
      this.#release(name, 'updated');
      return undefined;
    }
    this.ends.setVersion(name, release);
    if (!this.#held.has(name)) return undefined;
    return `${reasonOf(name, record)} Install a release that works, or remove ${ENDS_FILE} from DATA_DIR.`;
  }

  #release(adapter: string, because: 'updated' | 'reconnected'): void {
    this.#held.delete(adapter);
    this.ends.forget(adapter);
    this.log.info({ adapter, because }, 'adapter.released');
  }
}

function reasonOf(adapter: string, { ends }: AdapterRecord): string {
  const last = ends.at(-1);
  const where = last?.hook === undefined ? '' : ` in its hook ${last.hook}`;
  const how =
    last?.how === 'exit'
      ? 'exited the process'
      : last?.how === 'memory'
        ? 'filled its memory'
        : 'blocked the process';
  return `The adapter ${adapter} ended the service ${ends.length} times and is not started. The last time, it ${how}${where}.`;
}
