import { expect, test } from 'vitest';
import { Dropped } from '../../../src/connections/dropped.js';
import { Health } from '../../../src/connections/health.js';
import type { Caller } from '../../../src/core/access/caller.js';
import { noSecrets } from '../../../src/core/adapters/redactor.js';
import {
  type ConnectionStatus,
  connectionStates,
  connectionStatuses,
} from '../../../src/core/platforms/states.js';
import { ManageConnections } from '../../../src/core/platforms/use-cases.js';
import { PostgresConnectionRuntime } from '../../../src/store/platforms/connection-runtime.js';
import { PostgresConnections } from '../../../src/store/platforms/connections.js';
import { AesSecretBox } from '../../../src/store/secrets/secret-box.js';
import { bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { recordingLog } from '../../support/log.js';
import { problem } from '../../support/scripted-platform.js';
import { observedOutcomes, permittedStatuses, statedOutcomes } from '../../support/state-machine.js';

type Move = keyof typeof connectionStates.moves;

let stage: Awaited<ReturnType<typeof bridgeStage>>;
let connections: PostgresConnections;
let manage: ManageConnections;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  const box = new AesSecretBox(Buffer.alloc(32, 7));
  connections = new PostgresConnections(pool, box);
  manage = new ManageConnections(undefined as never, connections, undefined as never, undefined as never);
});

/** The health report of a worker about a connection. */
function healthOf(id: string): Health {
  const runtime = new PostgresConnectionRuntime(stage.pool, new AesSecretBox(Buffer.alloc(32, 7)));
  const log = recordingLog();
  const dropped = new Dropped(log, { connection_id: id, platform: 'alpha' });
  return new Health({ id, generation: 1 }, { runtime, log }, noSecrets, dropped);
}

const HEALTH = { code: 'ok', message: 'Fine.', fix: null, since: '2026-01-01T00:00:00.000Z' };

async function inState(status: ConnectionStatus): Promise<string> {
  const id = await stage.connection('alpha');
  await stage.pool.query(
    `UPDATE connections SET status = $2, enabled = $2 <> 'disabled', generation = 1, health = $3 WHERE id = $1`,
    [id, status, JSON.stringify(HEALTH)],
  );
  return id;
}

async function report(id: string, send: (health: Health) => unknown): Promise<void> {
  const health = healthOf(id);
  await send(health);
  await health.end();
}

async function perform(id: string, move: Move): Promise<unknown> {
  const change = (patch: object) => connections.change(stage.workspaceId, id, patch, 1);
  switch (move) {
    case 'connect':
      return report(id, (health) => health.connected({ externalId: '1' as never }));
    case 'fail':
      return stage.deliveries.pauseConnection(id, new Date(Date.now() + 3_600_000), 1);
    case 'adapter_fails':
      return report(id, (health) => health.report({ code: 'transient', message: 'It failed.' }, true));
    case 'refuse':
      return report(id, (health) => health.refused(problem({ kind: 'unauthorized' })));
    case 'reconnect':
      return manage.reconnect({ workspaceId: stage.workspaceId } as Caller, id);
    case 'change':
      return change({ settings: { changed: true } });
    case 'enable':
    case 'disable':
      return change({ enabled: move === 'enable' });
  }
}

test('A connection follows its state table in every state and for every move.', async () => {
  const observed = await observedOutcomes(connectionStates, async (status, move) => {
    const id = await inState(status);
    await perform(id, move);
    return (await connections.find(stage.workspaceId, id))?.status;
  });
  expect(observed).toEqual(statedOutcomes(connectionStates));
});

test('The database permits the statuses of the table of connections and no others.', async () => {
  expect(await permittedStatuses(stage.pool, 'connections')).toEqual([...connectionStatuses].sort());
});
