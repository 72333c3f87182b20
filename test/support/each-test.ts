import { afterAll, beforeEach } from 'vitest';
import { type TestDatabase, testDatabase } from './postgres.js';

/** Prepares each test of a file on one database, which is dropped after all tests. */
export function beforeEachOn(prepare: (database: TestDatabase) => Promise<void>): void {
  let database: TestDatabase | undefined;
  beforeEach(async () => {
    database ??= await testDatabase();
    await prepare(database);
  });
  afterAll(() => database?.drop());
}
