import { describe, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let connection: string;
let ids: string[];

/** Three chats with one message each. */
beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  ids = [];
  for (const chat of ['a', 'b', 'c']) {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, chat);
    ids.push((await stage.send(conversation, chat)).id);
  }
});

const claimAhead = (atOnce: number) => stage.deliveries.claim(connection, 10, { atOnce });
const deliveries = async () =>
  Promise.all(ids.map(async (id) => (await stage.message(id)).deliveries[0])) as Promise<
    { status: string; attempt_count: number }[]
  >;
const attempts = () =>
  values<string>(
    stage.pool,
    'SELECT a.outcome FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.connection_id = $1 ORDER BY d.position',
    [connection],
  );
const killWorkers = () =>
  stage.pool.query("UPDATE links SET leased_until = now() - interval '1 s' WHERE workspace_id = $1", [
    stage.workspaceId,
  ]);

describe('a send that is leased ahead', () => {
  it('has no attempt until it is opened, and one attempt afterwards', async () => {
    const tasks = await claimAhead(1);
    expect(tasks.map(({ attempt_id: attempt }) => attempt !== null)).toEqual([true, false, false]);
    expect((await deliveries()).map(({ status }) => status)).toEqual(['sending', 'sending', 'sending']);
    expect(await attempts()).toEqual([null]);
    const opened = await stage.deliveries.openAttempts(tasks.slice(1));
    expect([...opened.keys()].sort()).toEqual(
      tasks
        .slice(1)
        .map(({ delivery_id: id }) => id)
        .sort(),
    );
    const all = tasks.map((task) => ({
      ...task,
      attempt_id: task.attempt_id ?? opened.get(task.delivery_id) ?? null,
    }));
    await stage.deliveries.settle(all.map((task) => sent(task)));
    expect(await attempts()).toEqual(['sent', 'sent', 'sent']);
    expect((await deliveries()).map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
  });

  it('is recorded with the content that was sent, even if its message was edited before it was opened', async () => {
    const tasks = await claimAhead(0);
    await stage.messages.edit(stage.scope, ids[0]!, { text: 'edited' });
    await stage.deliveries.openAttempts(tasks);
    const revisions = await values<number>(
      stage.pool,
      'SELECT a.revision FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.connection_id = $1 ORDER BY d.position',
      [connection],
    );
    expect(revisions).toEqual([1, 1, 1]);
  });

  it('is due again when its worker died, and only started sends are uncertain', async () => {
    const tasks = await claimAhead(1);
    await stage.deliveries.openAttempts(tasks.slice(1, 2));
    await killWorkers();
    expect(await stage.deliveries.sweep()).toContain(connection);
    expect((await deliveries()).map(({ status, attempt_count: tries }) => [status, tries])).toEqual([
      ['uncertain', 1],
      ['uncertain', 1],
      ['queued', 0],
    ]);
    const [again] = await claimAhead(1);
    expect(again).toMatchObject({ message: { text: 'c' }, attempt_count: 1 });
  });

  it('is not opened any more once its lane was taken over', async () => {
    const tasks = await claimAhead(0);
    await killWorkers();
    await stage.deliveries.sweep();
    expect(await stage.deliveries.openAttempts(tasks)).toEqual(new Map());
    await claimAhead(0);
    expect(await stage.deliveries.openAttempts(tasks)).toEqual(new Map());
    expect(await attempts()).toEqual([]);
  });

  it('is canceled with its message when its worker died', async () => {
    await claimAhead(0);
    await stage.pool.query("UPDATE deliveries SET removal = 'wanted' WHERE message_id = $1", [ids[0]]);
    await killWorkers();
    await stage.deliveries.sweep();
    expect((await deliveries()).map(({ status }) => status)).toEqual(['canceled', 'queued', 'queued']);
  });

  it('is taken over only after a running opening has ended', async () => {
    const tasks = await claimAhead(0);
    await killWorkers();
    const client = await stage.pool.connect();
    try {
      await client.query('BEGIN');
      const { rowCount } = await client.query('SELECT id FROM open_attempts($1, $2, $3, $4, $5)', [
        connection,
        tasks.map(({ delivery_id: id }) => id),
        tasks.map(({ link }) => link.id),
        tasks.map(({ fence }) => fence),
        tasks.map(({ message }) => message.revision),
      ]);
      expect(rowCount).toBe(3);
      const swept = stage.deliveries.sweep();
      await expect
        .poll(() => values(stage.pool, "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
        .not.toEqual([]);
      await client.query('COMMIT');
      await swept;
    } finally {
      client.release();
    }
    expect((await deliveries()).map(({ status }) => status)).toEqual(['uncertain', 'uncertain', 'uncertain']);
  });
});
