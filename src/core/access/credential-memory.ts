import { LRUCache } from 'lru-cache';

const KNOWN_MS = 30_000;
const BRIEFLY_MS = 1_000;
const ENTRIES = 10_000;

export interface CredentialMemoryOptions {
  readonly now?: () => number;
  /** Whether this process receives revocations from other processes. If not, nothing is cached for over a second. */
  readonly listening?: () => boolean;
}

interface Remembered<Known> {
  readonly known: Known | undefined;
  readonly readAt: number;
}

/**
 * Caches recently used credentials by their hash, so that most requests need no lookup.
 *
 * A revocation must call {@link evict} in every process. `evictAll` must be called after each reconnect of the
 * listener.
 */
export class CredentialMemory<Known> {
  private readonly remembered = new LRUCache<string, Remembered<Known>>({ max: ENTRIES });
  /** Lookups in progress, shared by concurrent requests. */
  private readonly reading = new Map<string, Promise<Remembered<Known>>>();
  private readonly now: () => number;
  private readonly listening: () => boolean;
  private evictions = 0;

  /** `concerns` decides whether a cached credential depends on the record with this id: the credential, its user or its app. */
  constructor(
    private readonly lookUp: (hash: Buffer) => Promise<Known | undefined>,
    private readonly concerns: (known: Known, id: string) => boolean,
    options: CredentialMemoryOptions = {},
  ) {
    // The monotonic clock measures the age of an entry.
    this.now = options.now ?? (() => performance.now());
    this.listening = options.listening ?? (() => true);
  }

  /** Finds a credential. One that is neither cached nor `wellFormed` is not looked up. */
  async find(hash: Buffer, wellFormed: () => boolean = () => true): Promise<Known | undefined> {
    const name = hash.toString('latin1');
    const entry = this.fresh(name);
    if (entry !== undefined) return entry.known;
    return wellFormed() ? (await this.read(name, hash)).known : undefined;
  }

  evict(id: string): void {
    this.forgetReading();
    for (const [name, { known }] of this.remembered.entries()) {
      if (known === undefined || this.concerns(known, id)) this.remembered.delete(name);
    }
  }

  evictAll(): void {
    this.forgetReading();
    this.remembered.clear();
  }

  /** Makes later requests read again, because a read in progress may return the state before the eviction. */
  private forgetReading(): void {
    this.evictions += 1;
    this.reading.clear();
  }

  private fresh(name: string): Remembered<Known> | undefined {
    const entry = this.remembered.get(name);
    if (entry === undefined) return undefined;
    const keepMs = entry.known !== undefined && this.listening() ? KNOWN_MS : BRIEFLY_MS;
    return this.now() - entry.readAt < keepMs ? entry : undefined;
  }

  private read(name: string, hash: Buffer): Promise<Remembered<Known>> {
    const running = this.reading.get(name);
    if (running !== undefined) return running;
    const reading = this.load(name, hash).finally(() => {
      if (this.reading.get(name) === reading) this.reading.delete(name);
    });
    this.reading.set(name, reading);
    return reading;
  }

  private async load(name: string, hash: Buffer): Promise<Remembered<Known>> {
    const evictionsBefore = this.evictions;
    const readAt = this.now();
    const entry = { known: await this.lookUp(hash), readAt };
    // A value read before an eviction may be the one that was evicted.
    if (evictionsBefore === this.evictions) this.remembered.set(name, entry);
    return entry;
  }
}
