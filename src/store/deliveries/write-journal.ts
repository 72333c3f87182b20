import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { clock } from '../../contract/clock.js';
import type { Log } from '../../core/common/log.js';
import type { WriteJournal } from '../../core/deliveries/ports.js';

/** Above this size, the file is rewritten without the marks of ended writes. */
const MAX_BYTES = 256 * 1024;
/** A file without a write in this time is removed. The attempts of its process then count as begun. */
const KEPT_MS = 86_400_000;
/** Changes when the machine restarts. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const SUFFIX = '.writes';

/** The writes that each process began and did not end, by process: `<attempt>.<part>`. */
export type BegunWrites = Readonly<Record<string, readonly string[]>>;

/**
 * Records on this machine which writes were begun. What a killed process wrote to a file stays in the memory of the kernel, so a
 * later process can distinguish attempts that were only opened from attempts that may have reached a platform. A restart of the
 * machine may lose the last marks, so files from before the restart are ignored.
 */
export class FileWriteJournal implements WriteJournal {
  readonly #folder: string;
  readonly #processId: string;
  readonly #log: Log;
  readonly #bootId: string | undefined;
  readonly #marks = new Map<string, Set<string>>();
  #file: number | undefined;
  #bytes = 0;

  constructor(dataDir: string, processId: string, log: Log) {
    this.#folder = join(dataDir, 'writes');
    this.#processId = processId;
    this.#log = log;
    this.#bootId = bootId();
    if (this.#bootId !== undefined) this.#start();
  }

  begin(attemptId: string, part: number): void {
    if (this.#file === undefined) return;
    const mark = `${attemptId}.${part}`;
    const marks = this.#marks.get(attemptId) ?? new Set();
    this.#marks.set(attemptId, marks.add(mark));
    try {
      if (this.#bytes > MAX_BYTES) this.#rewrite();
      else this.#append(`${mark}\n`);
    } catch (err) {
      this.#giveUp(err);
    }
  }

  end(attemptId: string): void {
    this.#marks.delete(attemptId);
  }

  /**
   * The writes that all processes of this folder began since the machine started. Nothing is known about a process that is not in
   * the result.
   */
  read(): BegunWrites {
    if (this.#bootId === undefined) return {};
    const begun: Record<string, readonly string[]> = {};
    for (const name of filesIn(this.#folder)) {
      const [boot, ...marks] = readFileSync(join(this.#folder, name), 'utf8').split('\n');
      // The last line of a killed process may be incomplete. Otherwise it is empty.
      if (boot === this.#bootId) begun[name.slice(0, -SUFFIX.length)] = marks.slice(0, -1);
    }
    return begun;
  }

  #removeOld(): void {
    for (const name of filesIn(this.#folder)) {
      const path = join(this.#folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found !== undefined && clock.now() - found.mtimeMs > KEPT_MS) rmSync(path, { force: true });
    }
  }

  #start(): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#removeOld();
      this.#rewrite();
    } catch (err) {
      this.#giveUp(err);
    }
  }

  #append(text: string): void {
    this.#bytes += writeSync(this.#file as number, text);
  }

  /** Writes the marks that still count to a new file, which replaces the old one atomically. */
  #rewrite(): void {
    const fresh = join(this.#folder, `${this.#processId}.new`);
    const lines = [this.#bootId, ...[...this.#marks.values()].flatMap((marks) => [...marks])];
    const file = openSync(fresh, 'w', 0o600);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = file;
    this.#bytes = 0;
    this.#append(`${lines.join('\n')}\n`);
    renameSync(fresh, join(this.#folder, this.#processId + SUFFIX));
  }

  /**
   * Removes the journal, because a journal with a gap would report a begun write as not begun. Raises an error when it can't be
   * removed: then nothing may be written.
   */
  #giveUp(err: unknown): void {
    this.#log.warn({ err }, 'write_journal.write_failed');
    this.#file = undefined;
    rmSync(join(this.#folder, this.#processId + SUFFIX), { force: true });
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw err;
  }
}

/** Undefined where the system has none. Then the earlier writes of a process are unknown. */
function bootId(): string | undefined {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    return undefined;
  }
}
