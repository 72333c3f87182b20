import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresConnectionRuntime } from '../../../src/store/platforms/connection-runtime.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const [ours, theirs] = ['019b76da-a800-7000-8000-000000000001', '019b76da-a800-7000-8000-000000000002'];

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

it('the ingress lease belongs to one process until it expires', async () => {
  const id = await stage.connection('alpha');
  const [left] = (await runtime.holdLeases([id], ours)).values();
  expect([left! > 9_000, left! <= 10_000]).toEqual([true, true]);
  expect([...(await runtime.holdLeases([id], theirs))]).toEqual([]);
  await database.pool.query("UPDATE connections SET leased_until = now() - interval '1 ms'");
  expect([...(await runtime.holdLeases([id], theirs)).keys()]).toEqual([id]);
  expect([...(await runtime.holdLeases([id], ours))]).toEqual([]);
});

it('a connection whose removal takes long does not prevent another one from being read', async () => {
  const [busy, free] = [await stage.connection('alpha'), await stage.connection('alpha')];
  await runtime.holdLeases([busy, free], ours);
  await database.pool.query("UPDATE connections SET leased_until = now() + interval '4 s' WHERE id = $1", [
    busy,
  ]);
  const removal = await database.pool.connect();
  await removal.query('BEGIN');
  await removal.query('SELECT FROM connections WHERE id = $1 FOR UPDATE', [busy]);
  const held = await runtime.holdLeases([busy, free], ours);
  expect([held.get(busy)! <= 4_000, held.get(free)! > 9_000]).toEqual([true, true]);
  await database.pool.query("UPDATE connections SET leased_until = now() - interval '1 ms' WHERE id = $1", [
    free,
  ]);
  expect([...(await runtime.holdLeases([busy, free], theirs)).keys()]).toEqual([free]);
  await removal.query('ROLLBACK');
  removal.release();
  expect((await runtime.holdLeases([busy], ours)).get(busy)).toBeGreaterThan(9_000);
});
