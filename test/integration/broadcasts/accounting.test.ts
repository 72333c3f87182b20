import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addresses,
  type BroadcastStage,
  broadcastStage,
  wholeSchedule,
} from '../../support/broadcast-stage.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { problem } from '../../support/scripted-platform.js';

let database: TestDatabase | undefined;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

/** The same few histories by default. ACCOUNTING_RUNS adds more. */
const FEW = 8;
const RUNS = Number(process.env.ACCOUNTING_RUNS ?? FEW);
const RECIPIENTS = 12;
const FINAL = ['completed', 'expired', 'failed', 'canceled'];

/** An event in the life of a broadcast. The number selects a case of its kind. */
const happening = fc.record({
  what: fc.constantFrom(
    'step',
    'step',
    'step',
    'deliver',
    'deliver',
    'receipt',
    'pause',
    'resume',
    'quiet',
    'loud',
    'stop',
    'kill',
    'sweep',
    'fallback',
    'cancel',
    'retry',
  ),
  n: fc.nat(RECIPIENTS - 1),
});

/** The deliverer and its platforms. They record each write with its recipient. */
function deliverers(stage: BroadcastStage, outcomes: readonly number[]) {
  const written: string[] = [];
  const worker = stage.deliverer();
  worker.platform.script = ({ chatId }, number) => {
    const outcome = outcomes[number % outcomes.length] ?? 0;
    if (outcome === 1) throw problem({ kind: 'rate_limited', retryAfterMs: 60_000, scope: 'chat' });
    if (outcome === 2) throw problem({ kind: 'rejected', reason: 'forbidden' });
    written.push(chatId);
    if (outcome === 3) throw problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
    return undefined;
  };
  return { written, worker };
}

/** Performs one event. An event that is refused for its state has no effect. */
async function happen(
  stage: BroadcastStage,
  id: string,
  connections: readonly string[],
  { written, worker }: ReturnType<typeof deliverers>,
  { what, n }: { what: string; n: number },
): Promise<void> {
  const { pool, workspaceId, caller, control } = stage;
  const connection = connections[n % connections.length]!;
  const query = (text: string, parameters: unknown[] = []) => pool.query(text, parameters);
  const refused = () => undefined;
  switch (what) {
    case 'step':
      return void (await stage.step(id));
    case 'deliver':
      return void (await worker.run(connection));
    case 'pause':
    case 'resume':
      return void (await control.move(caller, id, what).catch(refused));
    case 'cancel':
      return void (n < 2 && (await control.cancel(caller, id).catch(refused)));
    case 'retry':
      return void (await control.retry(caller, id).catch(refused));
    case 'quiet':
      await query('UPDATE broadcasts SET schedule = $2 WHERE id = $1', [
        id,
        JSON.stringify(wholeSchedule({ quiet_hours: { from: '00:00', to: '00:00' } })),
      ]);
      return;
    case 'loud':
      return void (await query('UPDATE broadcasts SET schedule = NULL WHERE id = $1', [id]));
    case 'stop':
      await query(
        `SELECT change_consent(u, 'denied', 'keyword', 'STOP') FROM users u JOIN identities i ON i.user_id = u.id
         WHERE i.workspace_id = $1 AND i.external_id = $2`,
        [workspaceId, `alpha-${n}`],
      );
      return;
    case 'receipt':
      await query(
        `SELECT apply_receipt(x.connection_id, x.external_chat_id, x.external_id, $2,
           '{"code":"platform_error","message":"late","permanent":true,"platform_code":null}', now())
         FROM remote_messages x JOIN deliveries d ON d.id = x.delivery_id
         WHERE d.workspace_id = $1 AND d.external_chat_id LIKE $3`,
        [workspaceId, ['delivered', 'read', 'failed'][n % 3], `%-${n}`],
      );
      return;
    case 'kill': {
      // A worker leases, writes in half of the cases, and then disappears.
      const tasks = await stage.deliveries.claim(connection, 2);
      for (const { link, operation } of tasks) {
        if (n % 2 === 0 && operation === 'send') written.push(link.external_id);
      }
      await query(`UPDATE links SET leased_until = now() - interval '1 ms' WHERE id = ANY ($1)`, [
        tasks.map(({ link }) => link.id),
      ]);
      return;
    }
    case 'sweep':
      await stage.makeDue();
      return void (await stage.deliveries.sweep());
    case 'fallback':
      await query(
        `UPDATE broadcast_recipients SET fallback_at = now() - interval '1 ms' WHERE broadcast_id = $1 AND fallback_at IS NOT NULL`,
        [id],
      );
  }
}

/** Runs all work until the broadcast ends. */
async function finish(
  stage: BroadcastStage,
  id: string,
  connections: readonly string[],
  worker: ReturnType<typeof deliverers>['worker'],
): Promise<string> {
  await stage.pool.query('UPDATE broadcasts SET schedule = NULL WHERE id = $1', [id]);
  worker.platform.script = () => undefined;
  for (let round = 0; round < 40; round += 1) {
    const { status } = await stage.get(id);
    if (FINAL.includes(status)) return status;
    await stage.control.move(stage.caller, id, 'resume').catch(() => undefined);
    await stage.step(id);
    await stage.makeDue();
    await stage.deliveries.sweep();
    for (const connection of connections) await worker.run(connection);
    await stage.pool.query(
      `UPDATE broadcast_recipients SET fallback_at = now() - interval '1 ms' WHERE broadcast_id = $1 AND fallback_at IS NOT NULL`,
      [id],
    );
  }
  return (await stage.get(id)).status;
}

async function stageWithPeople() {
  const stage = await broadcastStage(database!.pool);
  const connections = [await stage.connection('alpha'), await stage.connection('beta')];
  // Every second person is also reachable on a second platform.
  for (let n = 0; n < RECIPIENTS; n += 2) {
    await stage.users.create({
      id: crypto.randomUUID(),
      workspace_id: stage.workspaceId,
      display_name: `Person ${n}`,
      identities: ['alpha', 'beta'].map((platform) => ({ platform, external_id: `${platform}-${n}` })),
    } as never);
  }
  return { stage, connections };
}

it('the counts add up at every moment, every broadcast ends, and each recipient gets at most one message per platform', async () => {
  const run = async (
    moments: readonly (readonly { what: string; n: number }[])[],
    outcomes: readonly number[],
  ) => {
    const { stage, connections } = await stageWithPeople();
    const id = await stage.create({
      audience: { recipients: addresses('alpha', RECIPIENTS) },
      fallback: { after_seconds: 60, success_status: 'delivered' },
    });
    await stage.step(id, 2);
    const platforms = deliverers(stage, outcomes);
    for (const moment of moments) {
      await Promise.all(moment.map((one) => happen(stage, id, connections, platforms, one)));
      expect(await stage.countsAgree(id)).toBe(true);
    }
    const before = platforms.worker.platform.calls.length;
    const status = await finish(stage, id, connections, platforms.worker);
    expect(FINAL).toContain(status);
    expect(await stage.countsAgree(id)).toBe(true);
    const all = [
      ...platforms.written,
      ...platforms.worker.platform.calls.slice(before).map(({ chatId }) => chatId),
    ];
    // A recipient whose message failed after the write, by a late receipt, gets it again if a user requests a retry.
    const retried = moments.flat().some(({ what }) => what === 'retry');
    if (!retried) expect(all.length).toBe(new Set(all).size);
    const [open] = await values<number>(
      stage.pool,
      `SELECT count(*)::int FROM deliveries WHERE workspace_id = $1 AND status IN ('queued', 'sending')`,
      [stage.workspaceId],
    );
    expect(open).toBe(0);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(happening, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 10 }),
      fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3), { minLength: 1, maxLength: 12 }),
      run,
    ),
    { numRuns: RUNS, endOnFailure: true, ...(RUNS === FEW ? { seed: 32 } : {}) },
  );
}, 600_000);
