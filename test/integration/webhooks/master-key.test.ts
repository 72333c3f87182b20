import { afterAll, beforeAll, expect, it } from 'vitest';
import { MasterKeyMismatchError } from '../../../src/store/secrets/errors.js';
import { checkMasterKey } from '../../../src/store/secrets/master-key.js';
import { AesSecretBox } from '../../../src/store/secrets/secret-box.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('the first master key used is the one of the installation; another one is refused', async () => {
  const first = new AesSecretBox(Buffer.alloc(32, 1));
  await checkMasterKey(database.pool, first);
  await checkMasterKey(database.pool, first);
  await expect(checkMasterKey(database.pool, new AesSecretBox(Buffer.alloc(32, 2)))).rejects.toThrow(
    MasterKeyMismatchError,
  );
  await checkMasterKey(database.pool, new AesSecretBox(Buffer.alloc(32, 2), Buffer.alloc(32, 1)));
});
