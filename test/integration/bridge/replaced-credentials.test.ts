import { beforeEach, describe, expect, it } from 'vitest';
import { PostgresConnectionRuntime } from '../../../src/store/platforms/connection-runtime.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';
import { problem } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let connection: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
});

const status = async () =>
  (await values<string>(stage.pool, 'SELECT status FROM connections WHERE id = $1', [connection]))[0];

describe('replaced credentials', () => {
  it('are not used for earlier leases, and their refusal does not affect the new ones', async () => {
    const { platform, run } = stage.deliverer();
    const find = platform.find.bind(platform);
    const usedGenerations: number[] = [];
    platform.find = () => {
      const found = find();
      if (found === undefined) return undefined;
      const execute: typeof found.adapter.execute = (step, context) => {
        usedGenerations.push(found.generation);
        return found.adapter.execute(step, context);
      };
      return { ...found, adapter: { ...found.adapter, execute } };
    };
    const refusedGenerations: number[] = [];
    platform.refused = (_id, _cause, generation = 0) => void refusedGenerations.push(generation);
    platform.account = { perSecond: 50, burst: 0 };
    platform.script = (_call, number) => {
      if (number > 1) return undefined;
      platform.generation = 2;
      throw problem({ kind: 'unauthorized' });
    };
    const chats = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const chat of chats) {
      const conversation = await stage.conversation();
      await stage.link(conversation, connection, chat);
      await stage.send(conversation, `to ${chat}`);
    }
    await run(connection);
    await run(connection);
    expect(usedGenerations).toEqual([1, 2, 2, 2, 2, 2, 2]);
    expect(refusedGenerations).toEqual([1]);
    expect(platform.texts().slice(1).sort()).toEqual(chats.map((chat) => `to ${chat}`));
  });

  it('do not change the status of the connection any more', async () => {
    const runtime = new PostgresConnectionRuntime(stage.pool, undefined as never);
    const [generation = 0] = await values<number>(
      stage.pool,
      'UPDATE connections SET generation = generation + 1 WHERE id = $1 RETURNING generation',
      [connection],
    );
    const health = { code: 'bad_credentials', message: 'No.', fix: null };
    const refuse = (of: number) =>
      runtime.move({ id: connection, generation: of }, ['connected'], 'error', health);
    expect([await refuse(generation - 1), await status()]).toEqual([false, 'connected']);
    expect([await refuse(generation), await status()]).toEqual([true, 'error']);
  });
});

describe('a wait of the whole account', () => {
  const WAIT_MS = 600_000;
  let worker: ReturnType<BridgeStage['deliverer']>;

  /** The connection as every process sees it after a change. */
  const changed = async ({ platform }: ReturnType<BridgeStage['deliverer']>) => {
    const [row] = (
      await stage.pool.query<{ generation: number; paused_until: Date | null }>(
        'SELECT generation, paused_until FROM connections WHERE id = $1',
        [connection],
      )
    ).rows;
    platform.generation = row?.generation ?? 0;
    platform.pausedUntil = row?.paused_until ?? null;
  };

  beforeEach(async () => {
    worker = stage.deliverer();
    worker.platform.generation = 1;
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    await stage.send(conversation, 'x');
    worker.platform.script = () => {
      throw problem({ kind: 'rate_limited', retryAfterMs: WAIT_MS, scope: 'account' });
    };
    await worker.run(connection);
    await stage.makeDue();
    worker.platform.calls.length = 0;
    worker.platform.script = () => undefined;
  });

  it('applies to every process after a change of settings', async () => {
    const change = `SELECT change_connection($1, $2, '{"settings": {"uncertain_policy": "hold"}}', NULL, NULL)`;
    await stage.pool.query(change, [stage.workspaceId, connection]);
    const other = stage.deliverer();
    for (const each of [worker, other]) {
      await changed(each);
      await each.run(connection);
    }
    expect([worker.platform.generation, worker.platform.calls, other.platform.calls]).toEqual([2, [], []]);
  });

  it.each([
    ['with other credentials', `SELECT change_connection($1, $2, '{}', '\\x00', '{}')`],
    ['when somebody reconnects', 'SELECT restart_connection($1, $2)'],
  ])('ends %s, and a late report of a wait from before is ignored', async (_when, change) => {
    await stage.pool.query(change, [stage.workspaceId, connection]);
    await stage.deliveries.pauseConnection(connection, new Date(Date.now() + WAIT_MS), 1);
    await changed(worker);
    await worker.run(connection);
    expect(worker.platform.texts()).toEqual(['x']);
  });
});
