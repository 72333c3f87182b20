import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SecretUnreadableError } from '../../../src/store/secrets/errors.js';
import { InstallationSecretBox } from '../../../src/store/secrets/installation-secret-box.js';
import { checkMasterKey } from '../../../src/store/secrets/master-key.js';
import { AesSecretBox } from '../../../src/store/secrets/secret-box.js';
import { unwrapKey, wrappedKeys } from '../../../src/store/secrets/workspace-keys.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { makeWebhooks, makeWorkspaces, webhookLocation } from '../../support/sealed-webhooks.js';

const master = new AesSecretBox(randomBytes(32));
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await checkMasterKey(database.pool, master);
});
afterAll(() => database.drop());

/** Another process on the same database, without cached keys. */
const another = () => new InstallationSecretBox(database.pool, master);

it('a workspace has one first key, however many processes create it at once', async () => {
  const [workspace] = (await makeWorkspaces(database.pool, 1)) as [string];
  const place = webhookLocation(workspace, 'row');
  const processes = Array.from({ length: 8 }, another);
  const sealed = await Promise.all(
    processes.map(async (box, n) => (await box.sealer(workspace)).seal(`text ${n}`, place)),
  );
  const keys = await values(database.pool, 'SELECT key_id FROM workspace_keys WHERE workspace_id = $1', [
    workspace,
  ]);
  expect(keys).toHaveLength(1);
  for (const box of processes) {
    const opened = await Promise.all(sealed.map((value) => box.open(value, place)));
    expect(opened).toEqual(processes.map((_, n) => `text ${n}`));
  }
});

it('values without a workspace share one key, however many processes create it at once', async () => {
  const place = { workspaceId: '', rowId: 'row', field: 'answer.secret' };
  const processes = Array.from({ length: 8 }, another);
  const sealed = await Promise.all(
    processes.map(async (box) => (await box.sealer(null)).seal('text', place)),
  );
  expect(
    await values(database.pool, 'SELECT key_id FROM workspace_keys WHERE workspace_id IS NULL'),
  ).toHaveLength(1);
  for (const value of sealed) expect(await another().open(value, place)).toBe('text');
});

it('a secret opens in its own workspace and at its own place only', async () => {
  const [own, other] = (await makeWorkspaces(database.pool, 2)) as [string, string];
  const box = another();
  const sealer = await box.sealer(own);
  const sealed = sealer.seal('text', webhookLocation(own, 'row'));
  expect(() => sealer.seal('text', webhookLocation(other, 'row'))).toThrow('another workspace');
  for (const place of [webhookLocation(other, 'row'), webhookLocation(own, 'other')])
    await expect(box.open(sealed, place)).rejects.toThrow(SecretUnreadableError);
  const altered = Buffer.from(sealed);
  altered[30]! ^= 1;
  await expect(box.open(altered, webhookLocation(own, 'row'))).rejects.toThrow(SecretUnreadableError);
});

it('a wrapped key cannot be used by another workspace', async () => {
  const [own, other] = (await makeWorkspaces(database.pool, 2)) as [string, string];
  const sealed = (await another().sealer(own)).seal('text', webhookLocation(own, 'row'));
  await database.pool.query('UPDATE workspace_keys SET workspace_id = $2 WHERE workspace_id = $1', [
    own,
    other,
  ]);
  for (const workspace of [own, other])
    await expect(another().open(sealed, webhookLocation(workspace, 'row'))).rejects.toThrow(
      SecretUnreadableError,
    );
  await expect(another().sealer(other)).rejects.toThrow(SecretUnreadableError);
});

it('the key is deleted with its workspace, and nothing is stored under it afterwards', async () => {
  const { pool } = database;
  const [ended, going] = (await makeWorkspaces(pool, 2)) as [string, string];
  const box = another();
  const sealer = await box.sealer(ended);
  const sealed = sealer.seal('text', webhookLocation(ended, 'row'));
  await pool.query('DELETE FROM users WHERE workspace_id = $1', [ended]);
  await pool.query('DELETE FROM workspaces WHERE id = $1', [ended]);
  expect(await values(pool, 'SELECT key_id FROM workspace_keys WHERE workspace_id = $1', [ended])).toEqual(
    [],
  );
  await expect(another().open(sealed, webhookLocation(ended, 'row'))).rejects.toThrow(SecretUnreadableError);
  // A process with a cached key cannot store values that no other process can open.
  const late = { seal: () => sealed };
  await expect(makeWebhooks(pool, going, late, 1)).rejects.toThrow('a key that is not stored');
  await expect(box.sealer(ended)).rejects.toThrow();
});

it('no error and no printed object shows a key', async () => {
  const [workspace] = (await makeWorkspaces(database.pool, 1)) as [string];
  const box = another();
  const sealer = await box.sealer(workspace);
  const sealed = sealer.seal('text', webhookLocation(workspace, 'row'));
  const keys: Buffer[] = [...master.keys];
  for await (const page of wrappedKeys(database.pool))
    for (const row of page) {
      if (row.workspace_id === workspace) keys.push(unwrapKey(master, row).key);
    }
  expect(keys).toHaveLength(2);
  await database.pool.query(
    'UPDATE workspace_keys SET wrapped = set_byte(wrapped, 30, get_byte(wrapped, 30) # 1) WHERE workspace_id = $1',
    [workspace],
  );
  const errors = await Promise.all(
    [another().sealer(workspace), another().open(sealed, webhookLocation(workspace, 'row'))].map((failed) =>
      Promise.resolve(failed).then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  );
  expect(errors.every((error) => error instanceof SecretUnreadableError)).toBe(true);
  const shown = [box, sealer, master, ...errors]
    .flatMap((each) => [inspect(each, { depth: 12, showHidden: true }), JSON.stringify(each, withoutPools)])
    .join('\n');
  for (const key of keys)
    for (const text of [key.toString('hex'), key.toString('base64'), inspect(key), JSON.stringify(key)])
      expect(shown).not.toContain(text);
});

/** A pool has circular references. */
function withoutPools(name: string, value: unknown): unknown {
  return name === 'pool' ? undefined : value;
}
