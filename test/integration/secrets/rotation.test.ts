import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSealed } from '../../../src/cli/doctor/master-key.js';
import { readConfig } from '../../../src/config.js';
import { createPool } from '../../../src/store/connection/pools.js';
import {
  FormerMasterKeyNeededError,
  MasterKeyMismatchError,
  SecretUnreadableError,
} from '../../../src/store/secrets/errors.js';
import { InstallationSecretBox } from '../../../src/store/secrets/installation-secret-box.js';
import { checkMasterKey } from '../../../src/store/secrets/master-key.js';
import { countSealed, rotateMasterKey } from '../../../src/store/secrets/rotation.js';
import { AesSecretBox } from '../../../src/store/secrets/secret-box.js';
import { PostgresWebhooks } from '../../../src/store/webhooks/webhooks.js';
import { silentLog } from '../../support/log.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import {
  madeByFormerRelease,
  makeWebhooks,
  makeWorkspaces,
  openAll,
  versionsOf,
  webhookLocation,
} from '../../support/sealed-webhooks.js';

const [FIRST, SECOND] = [randomBytes(32), randomBytes(32)] as [Buffer, Buffer];
const knowing = (current: Buffer, ...former: Buffer[]) => new AesSecretBox(current, ...former);
const processWith = (pool: Pool, current: Buffer, ...former: Buffer[]) =>
  new InstallationSecretBox(pool, knowing(current, ...former));
const rotate = (pool: Pool, current: Buffer, ...former: Buffer[]) =>
  rotateMasterKey(pool, knowing(current, ...former), knowing(current));

const config = readConfig({});
let database: TestDatabase;
let pool: Pool;
const extra: Pool[] = [];
beforeEach(async () => {
  database = await testDatabase();
  pool = database.pool;
});
afterEach(async () => {
  await Promise.all(extra.splice(0).map((each) => each.end()));
  await database.drop();
});

/** Every stored secret with the transaction that wrote it last. */
const secretRows = () =>
  values<string>(pool, `SELECT concat(id, xmin, encode(secret, 'hex')) FROM webhooks ORDER BY id`);
const wrappedUnder = (box: AesSecretBox) =>
  values<number>(pool, 'SELECT count(*)::int FROM workspace_keys WHERE master_key = $1', [box.wrappingId]);

async function fill(workspaces: readonly string[], box: InstallationSecretBox, each: number): Promise<void> {
  await Promise.all(workspaces.map(async (id) => makeWebhooks(pool, id, await box.sealer(id), each)));
}

describe('a rotation of an installation with keys of workspaces', () => {
  it('rewraps 200 keys and changes none of 2,000 secrets', async () => {
    await checkMasterKey(pool, knowing(FIRST));
    await fill(await makeWorkspaces(pool, 200), processWith(pool, FIRST), 10);
    expect(await versionsOf(pool)).toEqual([3]);
    const before = await secretRows();
    expect(before).toHaveLength(2_000);
    const both = processWith(pool, SECOND, FIRST);
    expect(await openAll(pool, both)).toBe(2_000);

    expect(await rotate(pool, SECOND, FIRST)).toMatchObject({
      outcome: 'rotated',
      wrappedAgain: 200,
      sealedAgain: 0,
      proven: 200,
      unreadable: [],
    });

    expect(await secretRows()).toEqual(before);
    expect(await wrappedUnder(knowing(SECOND))).toEqual([200]);
    for (const box of [both, processWith(pool, SECOND)]) expect(await openAll(pool, box)).toBe(2_000);
    await expect(openAll(pool, processWith(pool, FIRST))).rejects.toThrow(SecretUnreadableError);
    expect(await countSealed(pool, knowing(SECOND))).toContainEqual({
      name: 'webhooks.secret',
      current: 2_000,
      other: 0,
    });
  });

  it('continues where it was interrupted, and needs the former key until it completes', async () => {
    await checkMasterKey(pool, knowing(FIRST));
    // More keys than one page.
    await fill(await makeWorkspaces(pool, 220), processWith(pool, FIRST), 1);
    const cut = createPool({ ...database.connection, application_name: 'cut', max: 4 }, silentLog);
    extra.push(cut);
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM workspace_keys ORDER BY key_id DESC LIMIT 1 FOR UPDATE');
    const running = rotate(cut, SECOND, FIRST);
    const failed = expect(running).rejects.toThrow();
    await expect.poll(() => wrappedUnder(knowing(SECOND))).toEqual([200]);
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'cut'`,
    );
    await failed;
    await holder.query('ROLLBACK');
    holder.release();

    await expect(checkMasterKey(pool, knowing(SECOND))).rejects.toThrow(FormerMasterKeyNeededError);
    await expect(checkMasterKey(pool, knowing(FIRST))).rejects.toThrow(MasterKeyMismatchError);
    expect(await openAll(pool, processWith(pool, SECOND, FIRST))).toBe(220);

    await expect
      .poll(() => rotate(pool, SECOND, FIRST))
      .toMatchObject({
        outcome: 'rotated',
        wrappedAgain: 20,
        sealedAgain: 0,
      });
    await checkMasterKey(pool, knowing(SECOND));
    expect(await openAll(pool, processWith(pool, SECOND))).toBe(220);
  });

  it('lets a process with only the former key open and seal until the rotation, and not afterwards', async () => {
    await checkMasterKey(pool, knowing(FIRST));
    const [workspace, other, late] = (await makeWorkspaces(pool, 3)) as [string, string, string];
    const [old, both] = [processWith(pool, FIRST), processWith(pool, SECOND, FIRST)];
    await makeWebhooks(pool, workspace, await old.sealer(workspace), 1);
    await makeWebhooks(pool, other, await both.sealer(other), 1);
    expect([await openAll(pool, old), await openAll(pool, both)]).toEqual([2, 2]);
    expect(await wrappedUnder(knowing(SECOND))).toEqual([0]);

    await rotate(pool, SECOND, FIRST);

    for (const id of [workspace, late]) await expect(old.sealer(id)).rejects.toThrow(MasterKeyMismatchError);
    await makeWebhooks(pool, late, await both.sealer(late), 1);
    await expect(openAll(pool, old)).rejects.toThrow(SecretUnreadableError);
    expect(await openAll(pool, processWith(pool, SECOND))).toBe(3);
  });

  it('names the key that it cannot open, and needs the former master key until that key is replaced', async () => {
    await checkMasterKey(pool, knowing(FIRST));
    const [workspace, other] = (await makeWorkspaces(pool, 2)) as [string, string];
    await fill([workspace, other], processWith(pool, FIRST), 1);
    await pool.query(
      'UPDATE workspace_keys SET wrapped = set_byte(wrapped, 30, get_byte(wrapped, 30) # 1) WHERE workspace_id = $1',
      [workspace],
    );
    expect(await checkSealed(pool, knowing(FIRST), config)).toMatchObject([
      { level: 'problem', found: expect.stringContaining(`key of workspace ${workspace}`) },
    ]);
    expect(await rotate(pool, SECOND, FIRST)).toMatchObject({
      outcome: 'unreadable',
      unreadable: [`key of workspace ${workspace}`],
      wrappedAgain: 1,
    });
    await expect(checkMasterKey(pool, knowing(SECOND))).rejects.toThrow(FormerMasterKeyNeededError);

    // The advice of "trunkline doctor" if there is no backup.
    await pool.query('DELETE FROM workspace_keys WHERE workspace_id = $1', [workspace]);
    expect((await rotate(pool, SECOND, FIRST)).unreadable).toEqual([expect.stringMatching(/^webhook /)]);
    const [id] = (await values<string>(pool, 'SELECT id FROM webhooks WHERE workspace_id = $1', [
      workspace,
    ])) as [string];
    const sealer = await processWith(pool, SECOND, FIRST).sealer(workspace);
    const secret = sealer.seal(`of ${id}`, webhookLocation(workspace, id));
    await pool.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [id, secret]);
    expect(await rotate(pool, SECOND, FIRST)).toMatchObject({ outcome: 'rotated', unreadable: [] });
    await checkMasterKey(pool, knowing(SECOND));
    expect(await openAll(pool, processWith(pool, SECOND))).toBe(2);
  });
});

it('a rotation ends once the webhook whose secret it cannot open is deleted', async () => {
  await checkMasterKey(pool, knowing(FIRST));
  const [workspace] = (await makeWorkspaces(pool, 1)) as [string];
  await fill([workspace], processWith(pool, FIRST), 2);
  await pool.query(
    `UPDATE webhooks SET secret = set_byte(secret, 40, get_byte(secret, 40) # 1)
     WHERE id = (SELECT id FROM webhooks LIMIT 1)`,
  );
  await madeByFormerRelease(pool, FIRST);
  const stopped = await rotate(pool, SECOND, FIRST);
  expect(stopped).toMatchObject({ outcome: 'unreadable', proven: 2 });
  const [name] = stopped.unreadable as [string];
  expect(await checkSealed(pool, knowing(SECOND, FIRST), config)).toMatchObject([
    { level: 'problem', found: expect.stringContaining(name), fix: expect.stringContaining('Delete') },
  ]);

  await new PostgresWebhooks(pool, processWith(pool, SECOND, FIRST)).delete(
    workspace,
    name.replace('webhook ', ''),
  );

  expect(await rotate(pool, SECOND, FIRST)).toMatchObject({ outcome: 'rotated', unreadable: [] });
  await checkMasterKey(pool, knowing(SECOND));
});

describe('a workspace whose first key is made while a rotation runs', () => {
  beforeEach(() => checkMasterKey(pool, knowing(FIRST)));

  it('has a key under the new master key when the rotation ends', async () => {
    const [first, ...others] = (await makeWorkspaces(pool, 9)) as [string, ...string[]];
    await fill([first], processWith(pool, FIRST), 1);
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM workspace_keys FOR UPDATE');
    const running = rotate(pool, SECOND, FIRST);
    await expect
      .poll(() => values(pool, 'SELECT former_master_key IS NOT NULL FROM installation'))
      .toEqual([true]);
    await fill(others, processWith(pool, SECOND, FIRST), 1);
    await holder.query('ROLLBACK');
    holder.release();
    expect(await running).toMatchObject({ outcome: 'rotated' });
    expect(await wrappedUnder(knowing(SECOND))).toEqual([9]);
    expect(await openAll(pool, processWith(pool, SECOND))).toBe(9);
  });

  it('has its key wrapped again when the rotation ends between wrapping and storing it', async () => {
    const [workspace] = (await makeWorkspaces(pool, 1)) as [string];
    let inserts = 0;
    const delayed = new Proxy(pool, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name);
        return async (text: string, list: unknown[]) => {
          if (text.includes('INSERT INTO workspace_keys') && ++inserts === 1)
            await rotate(pool, SECOND, FIRST);
          return target.query(text, list);
        };
      },
    });
    const box = processWith(delayed, SECOND, FIRST);
    await makeWebhooks(pool, workspace, await box.sealer(workspace), 1);
    expect(inserts).toBe(2);
    expect(await wrappedUnder(knowing(SECOND))).toEqual([1]);
    expect(await openAll(pool, processWith(pool, SECOND))).toBe(1);
  });
});

describe('a database of a release without keys of workspaces', () => {
  it('is read and written as before, until a rotation to the same master key gives every workspace a key', async () => {
    await madeByFormerRelease(pool, FIRST);
    const [one, two] = (await makeWorkspaces(pool, 2)) as [string, string];
    const former = knowing(FIRST);
    await makeWebhooks(pool, one, former, 250);
    const box = processWith(pool, FIRST);
    await makeWebhooks(pool, two, await box.sealer(two), 1);
    // A process of the former release reads the values that this one wrote.
    expect(await openAll(pool, former)).toBe(251);
    expect(await openAll(pool, box)).toBe(251);
    expect(await versionsOf(pool)).toEqual([1]);
    expect(await checkSealed(pool, former, config)).toMatchObject([
      { level: 'ok' },
      { level: 'warning', fix: expect.stringContaining('rotate-master') },
    ]);
    const kept = former.seal('text', webhookLocation(one, 'row'));

    expect(await rotate(pool, FIRST)).toMatchObject({
      outcome: 'rotated',
      wrappedAgain: 0,
      sealedAgain: 251,
      proven: 253,
      unreadable: [],
    });

    expect(await versionsOf(pool)).toEqual([3]);
    expect(await openAll(pool, box)).toBe(251);
    expect(await checkSealed(pool, former, config)).toMatchObject([
      { level: 'ok', found: expect.stringContaining('all') },
    ]);
    const late = { seal: () => kept };
    await expect(makeWebhooks(pool, one, late, 1)).rejects.toThrow('former master key');
    expect(await rotate(pool, FIRST)).toMatchObject({ outcome: 'nothing', proven: 253 });
  });

  it('receives keys under the new master key when the first rotation replaces it', async () => {
    await madeByFormerRelease(pool, FIRST);
    const [workspace] = (await makeWorkspaces(pool, 1)) as [string];
    await makeWebhooks(pool, workspace, knowing(FIRST), 3);
    const both = processWith(pool, SECOND, FIRST);
    await makeWebhooks(pool, workspace, await both.sealer(workspace), 1);
    expect(await openAll(pool, knowing(FIRST))).toBe(4);
    expect(await rotate(pool, SECOND, FIRST)).toMatchObject({ outcome: 'rotated', sealedAgain: 4 });
    expect(await openAll(pool, processWith(pool, SECOND))).toBe(4);
    await expect(checkMasterKey(pool, knowing(FIRST))).rejects.toThrow(MasterKeyMismatchError);
    // The way back, which only wraps keys.
    const before = await secretRows();
    expect(await rotate(pool, FIRST, SECOND)).toMatchObject({
      outcome: 'rotated',
      wrappedAgain: 1,
      sealedAgain: 0,
    });
    expect(await secretRows()).toEqual(before);
    expect(await openAll(pool, processWith(pool, FIRST))).toBe(4);
  });
});
