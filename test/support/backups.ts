import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InstallationSecretBox } from '../../src/store/secrets/installation-secret-box.js';
import { checkMasterKey } from '../../src/store/secrets/master-key.js';
import { AesSecretBox } from '../../src/store/secrets/secret-box.js';
import { bridgeStage, ended } from './bridge.js';
import { CommandHost } from './command-line.js';
import { values } from './people.js';
import { type TestDatabase, testDatabase } from './postgres.js';
import { makeWebhooks, makeWorkspaces, openAll } from './sealed-webhooks.js';

export const MEDIA = '0190b0a0-0000-7000-8000-0000000000ab';
/** Its row exists, and its file does not. */
export const LOST = '0190b0a0-0000-7000-8000-0000000000ac';
const MASTER_KEY = Buffer.alloc(32, 7);

/** An installation with rows of every kind, and commands for it. */
export class BackupStage {
  readonly #host = new CommandHost();

  private constructor(
    readonly source: TestDatabase,
    readonly folder: string,
  ) {}

  static async open(): Promise<BackupStage> {
    const source = await testDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'trunkline-backup-'));
    await fill(source);
    await mkdir(join(folder, 'source', 'media', 'ab'), { recursive: true });
    await writeFile(join(folder, 'source', 'media', 'ab', MEDIA), 'A picture.');
    return new BackupStage(source, folder);
  }

  environment(url: string, data: string, more: Readonly<Record<string, string>> = {}) {
    return {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      TRUNKLINE_MASTER_KEY: MASTER_KEY.toString('base64'),
      DATA_DIR: join(this.folder, data),
      DATABASE_URL: url,
      ...more,
    };
  }

  run(url: string, args: readonly string[], data: string, more?: Readonly<Record<string, string>>) {
    return this.#host.run(args, this.environment(url, data, more));
  }

  runIn(environment: Readonly<Record<string, string>>, args: readonly string[]) {
    return this.#host.run(args, environment);
  }

  /** The number of secrets in a database, each opened with the master key. */
  openSecrets({ pool }: Pick<TestDatabase, 'pool'>): Promise<number> {
    return openAll(pool, new InstallationSecretBox(pool, new AesSecretBox(MASTER_KEY)));
  }

  /** The name of the master key in `trunkline keys status`. */
  get keyName(): string {
    return new AesSecretBox(MASTER_KEY).wrappingId.toString('hex');
  }

  async close(): Promise<void> {
    await this.#host.stop();
    await this.source.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function fill({ pool }: TestDatabase): Promise<void> {
  const stage = await bridgeStage(pool);
  const connection = await stage.connection('alpha');
  const conversation = await stage.conversation();
  await stage.link(conversation, connection, 'chat-7');
  await stage.send(conversation, 'Line\nbreak \\ tab\t “quoted” \u0001 🚂');
  await stage.deliveries.settle([ended(await stage.claimOne(connection), 'uncertain') as never]);
  await stage.post(connection, '+49111', 'Hello', { kind: 'direct' });
  for (const id of [MEDIA, LOST])
    await pool.query(
      `INSERT INTO media (id, workspace_id, source, state, size, mime_type, name)
       SELECT '${id}', id, 'upload', 'ready', 10, 'text/plain', E'a\\u001b.txt' FROM workspaces LIMIT 1`,
    );
  const box = new AesSecretBox(MASTER_KEY);
  await checkMasterKey(pool, box);
  const [workspace] = (await makeWorkspaces(pool, 1)) as [string];
  await makeWebhooks(pool, workspace, await new InstallationSecretBox(pool, box).sealer(workspace), 1);
}

/** All rows of all permanent tables, without transaction numbers and the place of the installation. */
export async function contents({ pool }: Pick<TestDatabase, 'pool'>): Promise<Map<string, string[]>> {
  const tables = await values<string>(
    pool,
    `SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND relpersistence = 'p' AND relname <> 'schema_migrations' ORDER BY 1`,
  );
  const found = new Map<string, string[]>();
  for (const table of tables) {
    const without = `'xid', 'seen', 'next_xid', 'until', 'event_xid'${table === 'installation' ? ", 'place'" : ''}`;
    const text = `SELECT (to_jsonb(t) - ARRAY[${without}])::text FROM public."${table}" t ORDER BY 1`;
    found.set(table, await values<string>(pool, text));
  }
  return found;
}

/** Constraints, triggers and sequences. */
export function shape({ pool }: Pick<TestDatabase, 'pool'>): Promise<string[]> {
  return values<string>(
    pool,
    `SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace UNION ALL
    SELECT concat_ws(' ', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal UNION ALL
    SELECT concat_ws(' ', sequencename, last_value) FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`,
  );
}
