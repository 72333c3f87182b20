import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import type { ListedMember } from '../../../src/core/segments/ports.js';
import { PostgresSegments } from '../../../src/store/segments/segments.js';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { problem } from '../../support/scripted-platform.js';

/** Concurrent changes of audiences and their broadcasts. */

let stage: BroadcastStage;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  await stage.connection('alpha');
});

const nap = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a dry run counts an address that another transaction adds at the same time', async () => {
  const other = await stage.pool.connect();
  await other.query('BEGIN');
  await other.query(
    `SELECT create_listed_contacts($1, ARRAY[(1, NULL, 'alpha', 'alpha-0', '{}', NULL, NULL, NULL)::listed_member])`,
    [stage.workspaceId],
  );
  const told = stage.broadcasts.rehearse(
    {
      id: uuidv7(),
      workspace_id: stage.workspaceId,
      created_by: stage.memberId,
      text: 'Hi',
      draft: true,
      audience: { recipients: addresses('alpha', 1) },
    },
    { included: [], excluded: [], addressForms: {}, cap: null },
    () => undefined,
  );
  await nap(200);
  await other.query('COMMIT');
  other.release();
  expect((await told).samples).toMatchObject([{ platform: 'alpha', text: 'Hi' }]);
});

it('two lists can store the same new addresses at once in different orders', async () => {
  const segments = new PostgresSegments(stage.pool);
  const batch = (address: string): ListedMember[] => [
    { line: 2, userId: null, platform: 'alpha', address, variables: {} },
  ];
  const store = (order: readonly string[]) =>
    segments.createFromList(
      { id: uuidv7(), workspace_id: stage.workspaceId, name: 'List' },
      async function* () {
        for (const address of order) {
          yield batch(address);
          await nap(200);
        }
      },
    );
  const made = await Promise.all([store(['one', 'two']), store(['two', 'one'])]);
  expect(made).toMatchObject([{ size: 2 }, { size: 2 }]);
});

it('a list that cannot acquire its lock is refused as retryable, and leaves nothing behind', async () => {
  const other = await stage.pool.connect();
  await other.query('BEGIN');
  await other.query(`SELECT pg_advisory_xact_lock(hashtextextended('lists ' || $1, 0))`, [stage.workspaceId]);
  const id = uuidv7();
  const list = async function* () {
    yield [];
  };
  const waiting = new PostgresSegments(stage.pool, 150);
  const store = () => waiting.createFromList({ id, workspace_id: stage.workspaceId, name: 'List' }, list);
  await expect(store()).rejects.toMatchObject({
    code: 'service_unavailable',
    details: { reason: 'backlog' },
  });
  expect(await waiting.find(stage.workspaceId, id)).toBeUndefined();
  await other.query('COMMIT');
  other.release();
  expect((await store()).id).toBe(id);
});

it('one of two concurrent retries takes effect, and the other one is refused because the broadcast is being sent', async () => {
  const connection = await stage.connection('beta');
  const id = await stage.create({ audience: { recipients: addresses('beta', 2) } });
  await stage.step(id, 2);
  const worker = stage.deliverer();
  worker.platform.script = () => {
    throw problem({ kind: 'rejected', reason: 'content_rejected' });
  };
  await worker.run(connection);
  expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { failed: 2 } });
  const first = await stage.pool.connect();
  await first.query('BEGIN');
  await first.query('SELECT retry_broadcast($1)', [
    JSON.stringify({ workspace_id: stage.workspaceId, id, max_sending: 5 }),
  ]);
  const second = expect(stage.control.retry(stage.caller, id)).rejects.toMatchObject({
    details: { reason: 'invalid_state', current: 'sending' },
  });
  await nap(200);
  await first.query('COMMIT');
  first.release();
  await second;
});
