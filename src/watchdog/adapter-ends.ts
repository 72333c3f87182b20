import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HookName } from '../core/adapters/hook-trace.js';

/** After this many ends of the process an adapter is not started any more. */
export const MAX_ENDS = 3;

/** In DATA_DIR. */
export const ENDS_FILE = 'adapter-ends.json';

/** How an adapter ended the process, or is suspected to end it. */
export interface AdapterEnd {
  readonly at: string;
  readonly how: 'blocked' | 'exit' | 'memory';
  /** Absent if the code was not started by a known hook. */
  readonly hook?: HookName;
  readonly connection_id?: string;
}

export interface AdapterRecord {
  readonly ends: readonly AdapterEnd[];
  /** The current suspicion. If it is found at a start, it is how the previous process ended. */
  readonly suspect?: AdapterEnd;
  /** The release of the adapter. Another release starts without recorded ends. */
  readonly version?: string;
  /** Connections that are held back, with the generation that they had then. */
  readonly held?: Readonly<Record<string, number>>;
}

type Records = Readonly<Record<string, AdapterRecord>>;

/**
 * Records in a small file which adapters ended the process, for the next process. All operations are synchronous, because the
 * process may end right after them. A file that cannot be read counts as empty. A failed write is reported and not repeated.
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

  /** Called at a start. Adapters that were suspected when the previous process ended are recorded as its cause. */
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

  /** Removes the records of adapters that are not held back, because they have worked since the start. */
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
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o755 });
      const draft = `${this.path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify(records, null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, this.path);
    } catch (error) {
      this.onFault(error);
    }
  }
}
