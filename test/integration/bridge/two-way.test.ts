import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let stage: BridgeStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = await bridgeStage(database.pool);
});

afterAll(() => database.drop());

const CHATS = 8;
const EACH = 25;

const deadlocks = async () =>
  (
    await values<string>(
      stage.pool,
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    )
  )[0];

it('the bridge relays both ways under load: one copy per chat, in order, without a deadlock', async () => {
  const sides = [await stage.connection('alpha'), await stage.connection('beta')] as const;
  for (let chat = 0; chat < CHATS; chat += 1) {
    const conversation = await stage.conversation();
    for (const side of sides) await stage.link(conversation, side, `chat-${chat}`);
  }
  const before = await deadlocks();
  // Two processes, each with live adapters for both sides.
  const workers = [stage.deliverer(), stage.deliverer()];
  const copies = new Map<string, string[]>(sides.map((side) => [side, []]));
  let posting = true;
  const working = workers.flatMap(({ platform, run }) =>
    sides.map(async (side) => {
      platform.script = async () => void (await new Promise((resolve) => setTimeout(resolve, 1))) as never;
      while (posting || (await waiting()) > 0) await run(side);
    }),
  );
  const waiting = async () =>
    (
      await values<number>(
        stage.pool,
        `SELECT count(*)::int FROM deliveries WHERE status IN ('queued', 'sending')`,
      )
    )[0] ?? 0;
  const people = sides.flatMap((side, index) =>
    Array.from({ length: CHATS }, async (_, chat) => {
      for (let n = 0; n < EACH; n += 1) {
        const text = n % 10 === 9 ? 'STOP' : `${index}/${n}`;
        await stage.post(side, `chat-${chat}`, text, { sender: `p${index}-${chat % 3}` });
      }
    }),
  );
  await Promise.all(people);
  posting = false;
  await Promise.all(working);

  expect(await deadlocks()).toBe(before);
  expect(workers.flatMap(({ log }) => log.lines.filter(({ level }) => level === 'error'))).toEqual([]);
  for (const { platform } of workers)
    for (const { chatId, text } of platform.calls) copies.get(sides[0])?.push(`${chatId} ${text}`);
  const all = copies.get(sides[0]) ?? [];
  expect(all).toHaveLength(2 * CHATS * EACH);
  const statuses = await values(stage.pool, 'SELECT DISTINCT status FROM deliveries');
  expect(statuses).toEqual(['sent']);
  expect(await outOfOrder()).toEqual([]);
});

/** Lanes in which a later delivery began before an earlier one had ended. */
function outOfOrder(): Promise<string[]> {
  return values<string>(
    stage.pool,
    `SELECT id::text FROM (
       SELECT d.id, a.started_at, max(a.finished_at) OVER (PARTITION BY d.link_id ORDER BY d.position
         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
       FROM deliveries d JOIN attempts a ON a.delivery_id = d.id) x WHERE started_at < before`,
  );
}
