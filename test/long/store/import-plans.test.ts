import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { smsDefinition } from '../../../adapters/sms/definition.js';
import type { AdapterDefinition } from '../../../src/contract/index.js';
import { RunContactImports } from '../../../src/core/contact-imports/run.js';
import { Addresses } from '../../../src/core/platforms/addresses.js';
import { Platforms } from '../../../src/core/platforms/catalogue.js';
import { readMembers } from '../../../src/core/segments/member-list.js';
import { openDatabase } from '../../../src/store/connection/database.js';
import { PostgresContactImports } from '../../../src/store/people/contact-imports.js';
import { PostgresSegments } from '../../../src/store/segments/segments.js';
import { bridgeStage } from '../../support/bridge.js';
import { silentLog } from '../../support/log.js';
import { type Plan, planReader, rowsRead } from '../../support/plans.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const ROWS = 1_000;
/** A few rows for each item of the list. Reading a whole table or index for each item would read at least half a million. */
const MAX_READ = 50 * ROWS;

let database: TestDatabase;
let plans: Plan[];
let pool: Pool;
let stop: () => Promise<void>;

beforeEach(async () => {
  database = await testDatabase();
  const reader = await planReader(database);
  const opened = await openDatabase({ databaseUrl: database.url, dataDir: 'unused', log: silentLog });
  ({ pool } = opened);
  plans = reader.of(pool);
  stop = () => opened.stop();
});

afterEach(async () => {
  await stop();
  await database.drop();
});

it('a list of 1,000 new numbers is stored without JIT and without reading a table again for each', async () => {
  const { workspaceId } = await bridgeStage(pool);
  const addresses = new Addresses(new Platforms([smsDefinition] as AdapterDefinition[]));
  const numbers = Array.from({ length: ROWS }, (_, at) => `sms,+49151${10_000_000 + at}\n`);
  const file = async function* () {
    yield Buffer.from(`platform,address\n${numbers.join('')}`);
  };
  plans.length = 0;
  const made = await new PostgresSegments(pool).createFromList(
    { id: uuidv7(), workspace_id: workspaceId, name: 'Numbers' },
    () => readMembers(file, addresses),
  );
  expect(made.size).toBe(ROWS);
  expect(plans.length).toBeGreaterThan(5);
  expect(plans.filter((plan) => plan.JIT !== undefined)).toEqual([]);
  expect(plans.every((plan) => plan.Settings?.jit === 'off')).toBe(true);
  const read = plans.map(rowsRead).reduce((sum, rows) => sum + rows, 0);
  expect(read).toBeLessThan(MAX_READ);
});

it.each(['email', 'phone', 'username'] as const)(
  'an import of 1,000 contacts finds each by its %s without reading the others',
  async (field) => {
    const { workspaceId, memberId } = await bridgeStage(pool);
    const imports = new PostgresContactImports(pool);
    const cellOf = {
      email: (at: number) => `p${at}@example.com`,
      phone: (at: number) => `+49151${10_000_000 + at}`,
      username: (at: number) => `person_${at}`,
    };
    const rows = Array.from({ length: ROWS }, (_, at) => ({
      number: at + 1,
      line: at + 2,
      cells: [cellOf[field](at)],
    }));
    const id = uuidv7();
    const owner = { id, workspace_id: workspaceId, created_by: memberId };
    const batches = async function* () {
      yield rows;
    };
    await imports.create({ ...owner, file_name: 'x.csv', header: [field] }, batches());
    await imports.start(workspaceId, id, memberId, { columns: [field], match_by: field, existing: 'update' });
    plans.length = 0;
    const addresses = new Addresses(new Platforms([smsDefinition] as AdapterDefinition[]));
    await new RunContactImports(imports, addresses, silentLog).run(id, new AbortController().signal);
    expect(await imports.find(workspaceId, id)).toMatchObject({ counts: { created: ROWS } });
    expect(plans.length).toBeGreaterThan(5);
    expect(plans.map(rowsRead).reduce((sum, read) => sum + read, 0)).toBeLessThan(MAX_READ);
  },
);
