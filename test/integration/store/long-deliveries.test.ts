import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFilters } from '../../../src/core/listing/filter.js';
import { listInMemory } from '../../../src/core/listing/list-in-memory.js';
import type { ListQuery } from '../../../src/core/listing/list-spec.js';
import { type DeliveryRecord, deliveryList } from '../../../src/core/messages/record.js';
import { bridgeStage } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const COUNT = 120;
const LIMIT = 7;
/** Each status in turn. Some have the same time, and some belong to deleted messages. */
const FILL = `
  WITH made AS (
    INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status, created_at, deleted_at)
    SELECT uuid7(), $1, $2, 1, $3, 'm' || n, 'outbound', (ARRAY['queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'expired', 'blocked',
      'uncertain', 'canceled', 'sent', 'sent', 'sent'])[n % 13 + 1], timestamptz '2026-01-01T00:00:00Z' + (n / 3) * interval '17 min',
      CASE WHEN n % 29 = 3 THEN now() END
    FROM generate_series(1, $6::int) n RETURNING *)
  INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id, status, created_at)
  SELECT workspace_id, id, conversation_id, $4, $5, 'alpha', 'chat', status, created_at FROM made`;

let database: TestDatabase;
let stage: Awaited<ReturnType<typeof bridgeStage>>;

beforeAll(async () => {
  database = await testDatabase();
  stage = await bridgeStage(database.pool);
  const [connection, conversation] = [await stage.connection('alpha'), await stage.conversation()];
  const link = await stage.link(conversation, connection, 'chat');
  const values = [stage.workspaceId, conversation, stage.memberId, link, connection, COUNT];
  await database.pool.query(FILL, values);
});
afterAll(() => database.drop());

async function all(): Promise<DeliveryRecord[]> {
  const { rows } = await database.pool.query<{ record: DeliveryRecord }>(
    `SELECT delivery_record(d) AS record FROM deliveries d JOIN messages m ON m.id = d.message_id WHERE m.deleted_at IS NULL`,
  );
  return rows.map(({ record }) => record);
}

async function walk(wanted: Omit<ListQuery, 'at'>): Promise<string[]> {
  const seen: string[] = [];
  let at: ListQuery['at'] = { mode: 'first' };
  for (;;) {
    const page = await stage.messages.listDeliveries(stage.scope, { ...wanted, at });
    seen.push(...page.items.map(({ id }) => id));
    if (!page.hasNext || page.lastKey === null) return seen;
    at = { mode: 'after', key: page.lastKey, inclusive: false };
  }
}

describe('a list of deliveries', () => {
  it.each([
    'status:failed|canceled|expired',
    'status:failed|queued',
    'status:queued|sending',
    '-status:sent|delivered|read',
    '-status:sent|delivered|read|queued|sending',
    '-status:sent',
  ])('contains the matches of "%s" in order', async (filter) => {
    for (const order of ['asc', 'desc'] as const) {
      const wanted = {
        filter: readFilters([filter], deliveryList),
        sort: 'created_at',
        order,
        limit: LIMIT,
        count: true,
      };
      const at = { mode: 'first' } as const;
      const expected = listInMemory(await all(), deliveryList, { ...wanted, at, limit: 1_000 });
      expect(expected.items.length).toBeGreaterThan(LIMIT);
      expect([order, await walk(wanted)]).toEqual([order, expected.items.map(({ id }) => id)]);
    }
  });
});
