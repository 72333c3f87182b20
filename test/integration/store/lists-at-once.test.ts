import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ListedMember } from '../../../src/core/segments/ports.js';
import { PostgresSegments } from '../../../src/store/segments/segments.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitFor } from '../../support/wait-for.js';

const AT_ONCE = 4;

let database: TestDatabase;
let stages: BridgeStage[];
/** Opened lists, each with a function that ends it. */
let open: Map<string, () => void>;

beforeEach(async () => {
  database = await testDatabase();
  stages = [];
  for (let each = 0; each < AT_ONCE + 2; each += 1) stages.push(await bridgeStage(database.pool));
  open = new Map();
});
afterEach(async () => {
  for (const end of open.values()) end();
  await database.drop();
});

it('a process reads four uploaded lists at a time, and the next when one of them is stored', async () => {
  const segments = new PostgresSegments(database.pool);
  const stored = stages.map(({ workspaceId }) => {
    const segment = { id: uuidv7(), workspace_id: workspaceId, name: 'List' };
    return segments.createFromList(segment, () => hanging(workspaceId));
  });
  await waitFor(() => expect(open.size).toBe(AT_ONCE));
  const [first = ''] = open.keys();
  open.get(first)?.();
  await stored[stages.findIndex(({ workspaceId }) => workspaceId === first)];
  await waitFor(() => expect(open.size).toBe(AT_ONCE + 1));
  await waitFor(() => {
    for (const end of open.values()) end();
    expect(open.size).toBe(stages.length);
  });
  expect(await Promise.all(stored)).toMatchObject(stages.map(() => ({ size: 1 })));
  expect(peak).toBe(AT_ONCE);
});

let now = 0;
let peak = 0;

/** A list of one member that ends when the test lets it end. */
async function* hanging(workspaceId: string): AsyncGenerator<ListedMember[]> {
  now += 1;
  peak = Math.max(peak, now);
  try {
    await new Promise<void>((end) => open.set(workspaceId, end));
    yield [{ line: 2, userId: null, platform: 'alpha', address: 'a', variables: {} }];
  } finally {
    now -= 1;
  }
}
