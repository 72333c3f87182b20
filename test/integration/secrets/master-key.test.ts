import { afterAll, beforeAll, expect, it } from 'vitest';
import { MasterKeyMismatchError } from '../../../src/store/secrets/errors.js';
import { checkMasterKey } from '../../../src/store/secrets/master-key.js';
import { countSealed, rotateMasterKey } from '../../../src/store/secrets/rotation.js';
import { sealedColumns } from '../../../src/store/secrets/sealed-columns.js';
import { AesSecretBox } from '../../../src/store/secrets/secret-box.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('the first master key becomes the key of the installation, and another one is refused', async () => {
  const first = new AesSecretBox(Buffer.alloc(32, 1));
  await checkMasterKey(database.pool, first);
  await checkMasterKey(database.pool, first);
  await expect(checkMasterKey(database.pool, new AesSecretBox(Buffer.alloc(32, 2)))).rejects.toThrow(
    MasterKeyMismatchError,
  );
  await checkMasterKey(database.pool, new AesSecretBox(Buffer.alloc(32, 2), Buffer.alloc(32, 1)));
});

it('the rotation knows every binary column that is neither a hash nor a key id', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name !~ 'hash|sha256|fingerprint|master_key|key_id'
       AND table_name <> 'media_signing' AND (table_name, column_name) <> ('sign_in_failures', 'account')`,
  );
  const known = sealedColumns.map(({ name }) => name).filter((name) => name !== 'idempotency_keys.body');
  expect(rows.map(({ name }) => name).sort()).toEqual([...known, 'workspace_keys.wrapped'].sort());
});

it('a rotation is refused while another one runs, and can be reversed after it has ended', async () => {
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
  const forward = () =>
    rotateMasterKey(database.pool, new AesSecretBox(second, first), new AesSecretBox(second));
  const back = () => rotateMasterKey(database.pool, new AesSecretBox(first, second), new AesSecretBox(first));
  const holder = await database.pool.connect();
  await holder.query(`SELECT pg_advisory_lock(hashtext('trunkline master key'))`);
  await expect(forward())
    .rejects.toThrow('Another process is rotating the master key')
    .finally(() => holder.release(true));
  await expect.poll(forward).toMatchObject({ outcome: 'rotated' });
  await expect(checkMasterKey(database.pool, new AesSecretBox(first))).rejects.toThrow(
    MasterKeyMismatchError,
  );
  // The session of the former run holds the lock until the server ends it.
  await expect.poll(forward).toMatchObject({ outcome: 'nothing' });
  await expect.poll(back).toMatchObject({ outcome: 'rotated' });
  await checkMasterKey(database.pool, new AesSecretBox(first));
  expect((await countSealed(database.pool, new AesSecretBox(first))).every(({ other }) => other === 0)).toBe(
    true,
  );
});
