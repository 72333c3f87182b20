import { stat } from 'node:fs/promises';
import type { Config } from '../../config.js';
import type { Log } from '../../core/common/log.js';
import { brokenParts, type ChangedTable, changedTables } from '../../store/backup/verify.js';
import { connectClient } from '../../store/connection/client.js';
import { install } from '../../store/install.js';
import { createLog } from '../log.js';
import { version } from '../version.js';
import { checkKey, checkSchema } from './checks.js';
import { Progress } from './progress.js';
import { type BackupStart, load, verify } from './restore.js';
import { openScratchPlace, type ScratchPlace } from './scratch-place.js';

export const rehearsalSteps = ['check', 'create', 'restore', 'migrate', 'verify'] as const;
export type RehearsalStep = (typeof rehearsalSteps)[number];

/** The result of a rehearsal. Times are in milliseconds. */
export interface RehearsalReport {
  result: 'passed' | 'failed';
  /** The step that failed, and the reason. */
  error: { step: RehearsalStep; message: string } | null;
  backup: { file: string; bytes: number; at: string; release: string; schema: number } | null;
  /** The release to which the backup is upgraded. */
  release: string;
  place: ScratchPlace['kind'] | null;
  server: string | null;
  steps: { step: RehearsalStep; ms: number }[];
  migrations: { name: string; ms: number }[];
  /** Number of restored rows, tables and files. */
  restored: { rows: number; tables: number; files: number } | null;
  /** Number of rows after the migrations, in the tables of the backup. */
  rows: number | null;
  changed: readonly ChangedTable[];
}

export interface RehearsalOptions {
  readonly config: Config;
  readonly path: string;
  readonly embedded: boolean;
  /** Called at the start of each step. */
  readonly onStep: (step: RehearsalStep) => void;
  readonly write: (line: string) => void;
  readonly signal: AbortSignal;
  /** Folder with `schema/` and `functions/`. Default: those of this version. */
  readonly directory?: string;
}

/** Restores a backup into a temporary database, migrates it, verifies it and removes it. */
export async function rehearse(options: RehearsalOptions): Promise<RehearsalReport> {
  return new Rehearsal(options).run();
}

class Rehearsal {
  readonly #log = createLog('error', process.stderr);
  readonly #progress: Progress;
  #place: ScratchPlace | undefined;
  #step: RehearsalStep = 'check';
  readonly #report: RehearsalReport = {
    result: 'failed',
    error: null,
    backup: null,
    release: version,
    place: null,
    server: null,
    steps: [],
    migrations: [],
    restored: null,
    rows: null,
    changed: [],
  };

  constructor(private readonly options: RehearsalOptions) {
    this.#progress = new Progress(options.write, options.signal);
  }

  async run(): Promise<RehearsalReport> {
    const { signal } = this.options;
    const work = this.#perform();
    const interrupted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    try {
      await Promise.race([work, interrupted]);
      this.#report.result = 'passed';
    } catch (error) {
      this.#report.error = { step: this.#step, message: (error as Error).message };
    } finally {
      // If the database is created only after this point, the work itself removes it.
      await this.#place?.remove();
      await work.catch(() => undefined);
    }
    return this.#report;
  }

  async #perform(): Promise<void> {
    const start = await this.#timed('check', () => this.#check());
    const place = await this.#timed('create', () => this.#create());
    const client = await connectClient(place.database.connection);
    try {
      const counts = await this.#timed('restore', () => this.#restore(place, client, start));
      await this.#timed('migrate', () => this.#install(place));
      await this.#timed('verify', () => this.#verify(client, counts));
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #timed<T>(step: RehearsalStep, work: () => Promise<T>): Promise<T> {
    this.options.signal.throwIfAborted();
    this.#step = step;
    this.options.onStep(step);
    const begin = performance.now();
    const result = await work();
    this.#report.steps.push({ step, ms: Math.round(performance.now() - begin) });
    return result;
  }

  async #check(): Promise<BackupStart> {
    const { path, config } = this.options;
    const { size } = await stat(path);
    const start = await verify(path, this.#progress);
    const { at, release, schema } = start;
    this.#report.backup = { file: path, bytes: size, at, release, schema: schema.length };
    await checkSchema(start);
    await checkKey(config, start);
    return start;
  }

  async #create(): Promise<ScratchPlace> {
    const { config, embedded, signal } = this.options;
    const place = await openScratchPlace({ databaseUrl: config.databaseUrl, embedded, log: this.#log });
    if (signal.aborted) {
      await place.remove();
      signal.throwIfAborted();
    }
    this.#place = place;
    this.#report.place = place.kind;
    const { rows } = await place.database.pool.query<{ server: string }>(
      "SELECT split_part(current_setting('server_version'), ' ', 1) AS server",
    );
    this.#report.server = rows[0]?.server ?? null;
    return place;
  }

  async #restore(
    { database }: ScratchPlace,
    client: Awaited<ReturnType<typeof connectClient>>,
    { schema }: BackupStart,
  ): Promise<ReadonlyMap<string, number>> {
    const { path } = this.options;
    await this.#install({ database }, schema.length);
    const loaded = await load(path, { client, dataDir: undefined, progress: this.#progress });
    const rows = [...loaded.tables.values()].reduce((sum, count) => sum + count, 0);
    this.#report.restored = { rows, tables: loaded.tables.size, files: loaded.files };
    // Migrations to the schema of the backup are not part of the upgrade.
    this.#report.migrations.length = 0;
    return loaded.tables;
  }

  async #install({ database }: Pick<ScratchPlace, 'database'>, upTo?: number): Promise<void> {
    const { directory } = this.options;
    const more = {
      ...(upTo === undefined ? {} : { upTo }),
      ...(directory === undefined ? {} : { directory }),
    };
    await install(database.pool, { log: this.#listening(), release: version, ...more });
  }

  /** A log that collects the duration of each migration, which the installer reports. */
  #listening(): Log {
    return {
      debug: () => undefined,
      info: ({ migration, durationMs }, event) => {
        const name = event === 'functions.installed' ? 'database functions' : migration;
        if (typeof name !== 'string') return;
        this.options.write(`  ${name}: ${durationMs} ms\n`);
        this.#report.migrations.push({ name, ms: Number(durationMs) });
      },
      warn: (fields, event) => this.#log.warn(fields, event),
      error: (fields, event) => this.#log.error(fields, event),
    };
  }

  async #verify(
    client: Awaited<ReturnType<typeof connectClient>>,
    counts: ReadonlyMap<string, number>,
  ): Promise<void> {
    const { rows, changed } = await changedTables(client, counts);
    this.#report.rows = rows;
    this.#report.changed = changed;
    const broken = await brokenParts(client);
    if (broken.length > 0) throw new Error(`After the migrations ${broken.join(', ')}.`);
  }
}
