import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HookName } from '../core/adapters/hook-trace.js';

/** After this many ends of the process an adapter is not started any more. */
export const MAX_ENDS = 3;

/** In DATA_DIR. */
export const ENDS_FILE = 'adapter-ends.json';

/** How an adapter ended the process, or was about to. */
export interface AdapterEnd {
  readonly at: string;
  readonly how: 'blocked' | 'exit' | 'memory';
  /** Absent where the code that ran was started by no hook that is known. */
  readonly hook?: HookName;
  readonly connection_id?: string;
}

export interface AdapterRecord {
  readonly ends: readonly AdapterEnd[];
  /** What it does just now. Found at a start, it is how the process before it ended. */
  readonly suspect?: AdapterEnd;
  /** Which release of the adapter it was. Another one begins without ends. */
  readonly version?: string;
  /** Connections that are held back, by the generation that they had then. */
  readonly held?: Readonly<Record<string, number>>;
}

type Records = Readonly<Record<string, AdapterRecord>>;

/**
 * Which adapters ended the process, in a small file, so that the next process knows. Everything here is synchronous: the process
 * may end right after. A file that can't be read counts as empty, and one that can't be written is given up.
 */
export class AdapterEnds {
  constructor(
    private readonly path: string,
    private readonly onFault: (error: unknown) => void,
  ) {}

  all(): Records {
    try {
      const parsed: unknown = JSON.parse(readFileSync(this.path, 'utf8'));
      return typeof parsed === 'object' && parsed !== null ? (parsed as Records) : {};
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.onFault(error);
      return {};
    }
  }

  of(adapter: string): AdapterRecord {
    const { ends, ...rest } = this.all()[adapter] ?? {};
    return { ...rest, ends: Array.isArray(ends) ? ends : [] };
  }

  suspect(adapter: string, suspect: AdapterEnd | undefined): void {
    const { suspect: _, ...rest } = this.of(adapter);
    this.#put(adapter, suspect === undefined ? rest : { ...rest, suspect });
  }

  add(adapter: string, end: AdapterEnd): void {
    const { suspect: _, ...rest } = this.of(adapter);
    this.#put(adapter, { ...rest, ends: [...rest.ends, end].slice(-MAX_ENDS) });
  }

  /** At a start: what was suspected when the process before ended did end it. */
  confirmSuspects(): void {
    for (const [adapter, { suspect }] of Object.entries(this.all())) if (suspect) this.add(adapter, suspect);
  }

  hold(adapter: string, version: string, connectionId: string, generation: number): void {
    const record = this.of(adapter);
    this.#put(adapter, { ...record, version, held: { ...record.held, [connectionId]: generation } });
  }

  setVersion(adapter: string, version: string): void {
    const record = this.of(adapter);
    if (record.ends.length > 0 && record.version !== version) this.#put(adapter, { ...record, version });
  }

  forget(adapter: string): void {
    const { [adapter]: known, ...rest } = this.all();
    if (known !== undefined) this.#write(rest);
  }

  /** Forgets those that were not held back: they have worked since. */
  forgetHarmless(): void {
    for (const [adapter, { ends, suspect }] of Object.entries(this.all()))
      if (ends.length < MAX_ENDS && suspect === undefined) this.forget(adapter);
  }

  #put(adapter: string, record: AdapterRecord): void {
    const all = this.all();
    const isEmpty = record.ends.length === 0 && record.suspect === undefined;
    const { [adapter]: _, ...rest } = all;
    this.#write(isEmpty ? rest : { ...all, [adapter]: record });
  }

  #write(records: Records): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      const draft = `${this.path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify(records, null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, this.path);
    } catch (error) {
      this.onFault(error);
    }
  }
}
