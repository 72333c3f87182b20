import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresConnectionRuntime } from '../../../src/store/platforms/connection-runtime.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const NAME = 'gaps';
const MAX_NAMES = 3;

let database: TestDatabase;
let stage: BridgeStage;
let runtime: PostgresConnectionRuntime;

beforeAll(async () => {
  database = await testDatabase();
  stage = await bridgeStage(database.pool);
  // The test opens no sealed values.
  runtime = new PostgresConnectionRuntime(database.pool, {} as never);
});
afterAll(() => database.drop());

const replaced = (id: string, expected: string | null, value: string | null, name = NAME) =>
  runtime.replaceState(id, name, { expected, value }, MAX_NAMES);

it('a saved state is replaced only while it has the expected value', async () => {
  const id = await stage.connection('alpha');
  expect(await replaced(id, 'a', 'b')).toBe('changed');
  expect(await replaced(id, null, null)).toBe('saved');
  expect(await replaced(id, null, 'a')).toBe('saved');
  expect(await replaced(id, null, 'b')).toBe('changed');
  expect(await replaced(id, null, null)).toBe('changed');
  expect(await replaced(id, 'b', null)).toBe('changed');
  expect(await replaced(id, 'a', 'b')).toBe('saved');
  expect(await runtime.loadState(id, NAME)).toBe('b');
  expect(await replaced(id, 'b', null)).toBe('saved');
  expect(await runtime.loadState(id, NAME)).toBeUndefined();
});

it('a connection cannot save states under more names than allowed', async () => {
  const id = await stage.connection('alpha');
  for (let name = 0; name < MAX_NAMES; name += 1)
    expect(await replaced(id, null, 'x', `n${name}`)).toBe('saved');
  expect(await replaced(id, null, 'x', 'one more')).toBe('full');
  expect(await replaced(id, 'x', 'y', 'n0')).toBe('saved');
});

it('a saved state keeps what many processes add to it at once', async () => {
  const id = await stage.connection('alpha');
  const add = async (entry: number): Promise<void> => {
    for (;;) {
      const stored = await runtime.loadState(id, NAME);
      const next = JSON.stringify([...JSON.parse(stored ?? '[]'), entry]);
      if ((await replaced(id, stored ?? null, next)) === 'saved') return;
    }
  };
  const entries = Array.from({ length: 20 }, (_, entry) => entry);
  await Promise.all(entries.map(add));
  const kept: number[] = JSON.parse((await runtime.loadState(id, NAME)) ?? '[]');
  expect(kept.toSorted((a, b) => a - b)).toEqual(entries);
});
