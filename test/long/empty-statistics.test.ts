import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../../src/store/connection/pools.js';
import { PostgresConversations } from '../../src/store/conversations/conversations.js';
import { PostgresUsers } from '../../src/store/people/users.js';
import { PostgresSegments } from '../../src/store/segments/segments.js';
import { bridgeStage } from '../support/bridge.js';
import { addresses, broadcastStage } from '../support/broadcast-stage.js';
import { silentLog } from '../support/log.js';
import { loopbackReceiver } from '../support/loopback-receiver.js';
import { values } from '../support/people.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { webhookStage } from '../support/webhook-stage.js';

const ROUNDS = 4;

let database: TestDatabase;
let worker: Pool;

beforeEach(async () => {
  database = await testDatabase();
  // Plans are cached per connection. With a single connection, all of them are made while the tables are empty.
  worker = createPool({ ...database.connection, options: '-c random_page_cost=1.1', max: 1 }, silentLog);
  const tables = await values<string>(
    worker,
    `SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  for (const table of tables) await worker.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
});

afterEach(async () => {
  await worker.end();
  await database.drop();
});

/** Rows read so far, in all tables. */
async function rowsRead(): Promise<number> {
  await worker.query('SELECT pg_stat_force_next_flush()');
  const [rows = 0] = await values<number>(
    worker,
    'SELECT sum(seq_tup_read + idx_tup_fetch)::int FROM pg_stat_user_tables',
  );
  return rows;
}

/** Runs the same work in rounds. A scan of a whole table would read more rows with each round. */
async function expectEqualRounds(made: number, round: (number: number) => Promise<unknown>): Promise<void> {
  const reads: number[] = [];
  for (let number = 0; number < ROUNDS; number += 1) {
    const before = await rowsRead();
    await round(number);
    reads.push((await rowsRead()) - before);
  }
  const [, second = 0, ...later] = reads;
  // Autovacuum may change a plan during one of the rounds.
  expect(Math.min(...later)).toBeLessThan(second + made);
}

async function times(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  for (let number = 0; number < count; number += 1) await work(number);
}

describe('in a new database, the rows read per item do not grow with the number of', () => {
  it.each([true, false])('recipients of a broadcast, with a subscriber: %s', async (heard) => {
    const stage = await broadcastStage(worker);
    if (!heard) await worker.query('DELETE FROM event_interest');
    const connection = await stage.connection('alpha');
    const { run, platform } = stage.deliverer();
    const id = await stage.create({ audience: { recipients: addresses('alpha', ROUNDS * 250) } });
    await stage.step(id);
    await expectEqualRounds(250, async () => {
      await stage.work.sendChunk(id, 250);
      await run(connection);
    });
    expect(platform.calls).toHaveLength(ROUNDS * 250);
  });

  it('recipients in an audience, even if the statistics date from empty tables', async () => {
    const stage = await broadcastStage(worker);
    await stage.connection('alpha');
    const audience = { recipients: addresses('alpha', 250) };
    await stage.step(await stage.create({ audience }));
    for (const table of ['users', 'identities'])
      await worker.query(
        `SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', $1::text, 'relpages', 1000, 'reltuples', 0::real)`,
        [table],
      );
    const before = await rowsRead();
    await stage.step(await stage.create({ audience }));
    expect((await rowsRead()) - before).toBeLessThan(20 * 250);
  });

  it('members of lists', async () => {
    const stage = await bridgeStage(worker);
    const segments = new PostgresSegments(worker);
    await expectEqualRounds(250, async (round) => {
      const lines = addresses('alpha', 250, round * 250).map((at, n) => ({
        ...at,
        line: n + 1,
        userId: null,
      }));
      const made = { id: uuidv7(), workspace_id: stage.workspaceId, name: `List ${round}` };
      async function* list() {
        yield lines;
      }
      expect((await segments.createFromList(made, list)).size).toBe(250);
    });
  });

  it('contacts', async () => {
    const stage = await bridgeStage(worker);
    const users = new PostgresUsers(worker);
    await expectEqualRounds(50, (round) =>
      times(50, (n) =>
        users.create({
          id: uuidv7(),
          workspace_id: stage.workspaceId,
          display_name: 'Ann',
          email: '',
          channel_priority: [],
          consent: {},
          metadata: {},
          identities: [{ platform: 'alpha', external_id: `${round}-${n}`, handle: null }],
        }),
      ),
    );
  });

  it('people who write', async () => {
    const stage = await bridgeStage(worker);
    const connection = await stage.connection('alpha');
    await expectEqualRounds(50, (round) =>
      times(50, (n) =>
        stage.post(connection, `chat ${round}-${n}`, 'Hi', { sender: `${round}-${n}`, kind: 'direct' }),
      ),
    );
  });

  it('people who receive messages', async () => {
    const stage = await bridgeStage(worker);
    const connection = await stage.connection('alpha');
    const conversations = new PostgresConversations(worker);
    const { run } = stage.deliverer();
    await expectEqualRounds(50, async (round) => {
      await times(50, (n) =>
        conversations.open({
          id: uuidv7(),
          workspace_id: stage.workspaceId,
          creator_id: stage.memberId,
          title: null,
          team: null,
          labels: [],
          priority: 'none',
          metadata: {},
          platform: null,
          participant_ids: [],
          recipient: { platform: 'alpha', address: `${round}-${n}` },
          message: { id: uuidv7(), text: 'Hi' },
        }),
      );
      await run(connection);
    });
  });

  it('deliveries to a webhook', async () => {
    const receiver = await loopbackReceiver((_request, response) => response.end());
    try {
      const stage = webhookStage({ ...database, pool: worker });
      const caller = await stage.caller();
      const { id } = await stage.register(caller, receiver.url);
      const event = { type: 'call.created', data: { id: uuidv7() } };
      await expectEqualRounds(100, async () => {
        await stage.emit(caller, ...Array.from({ length: 100 }, () => event));
        await stage.deliver(id);
      });
      expect(receiver.received).toHaveLength(ROUNDS * 100);
    } finally {
      await receiver.close();
    }
  });
});
