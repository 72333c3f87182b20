import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const script = pathToFileURL(resolve('scripts/calls/generate.mjs')).href;
const { generateCalls } = (await import(script)) as {
  generateCalls: (root: string, client: Pool) => Promise<ReadonlyMap<string, string>>;
};

describe('the typed calls of database functions', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await testDatabase();
  });

  afterAll(() => database.drop());

  test('match the functions and their headers', async () => {
    for (const [file, text] of await generateCalls(resolve('.'), database.pool))
      expect(readFileSync(file, 'utf8'), 'npm run calls writes it').toBe(text);
  });
});
