import { afterAll, beforeAll, describe, it } from 'vitest';
import { describeConformance } from '../../../src/testing/index.js';
import { bundledKits } from '../../conformance/kits/index.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { durableStore } from '../../support/durable-store.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

/** The checks about commits, which run here with the real store. */
const COMMITTED = [6, 7, 25];

let database: TestDatabase;
let stage: BridgeStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = await bridgeStage(database.pool);
});
afterAll(() => database.drop());

describe('the conformance kit on the tables of the service', () => {
  for (const kit of bundledKits)
    describeConformance(
      kit,
      { describe, it },
      { effort: 'quick', only: COMMITTED, store: () => durableStore(stage) },
    );
});
