import { beforeEach, describe, expect, it } from 'vitest';
import { type PlatformProblem, remoteMessageId } from '../../../src/contract/index.js';
import { taskKeys } from '../../../src/core/deliveries/task-result.js';
import { PostgresMessageActions } from '../../../src/store/messages/message-actions.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';
import { problem, type ScriptedPlatform } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let connection: string;
let platform: ScriptedPlatform;
let worker: ReturnType<BridgeStage['deliverer']>;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha', { uncertain_policy: 'reconcile' });
  worker = stage.deliverer();
  platform = worker.platform;
  platform.policy = 'reconcile';
});

/** A message in its own chat. */
async function sendTo(chat: string): Promise<string> {
  const conversation = await stage.conversation();
  await stage.link(conversation, connection, chat);
  return (await stage.send(conversation, chat)).id;
}

/** Messages whose responses were lost and whose lookups are due now. */
async function areLost(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await sendTo(`chat ${n}`));
  platform.script = () => {
    throw problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
  };
  await worker.run(connection);
  platform.script = () => undefined;
  await stage.makeDue();
  platform.calls.length = 0;
  return ids;
}

/** The due work, and in how many seconds it is due. */
const duties = () =>
  values<string>(
    stage.pool,
    `SELECT duty || ' ' || CASE WHEN next_attempt_at > now() + interval '50 s' THEN 'later' WHEN next_attempt_at IS NULL THEN 'never'
       ELSE 'soon' END FROM deliveries WHERE connection_id = $1 ORDER BY 1`,
    [connection],
  );

describe('lookups of lost messages', () => {
  it.each<[string, PlatformProblem, string[]]>([
    ['refuses the credentials', { kind: 'unauthorized' }, ['lookup soon', 'lookup soon', 'lookup soon']],
    [
      'asks the account to wait',
      { kind: 'rate_limited', retryAfterMs: 60_000, scope: 'account' },
      ['lookup later', 'lookup later', 'lookup later'],
    ],
  ])('use the account’s rate limit, and none is made after the platform %s', async (_, cause, then) => {
    await areLost(3);
    platform.account = { perSecond: 20, burst: 0 };
    platform.lookups = [problem(cause), { outcome: 'absent' }, { outcome: 'absent' }];
    await worker.run(connection);
    expect(platform.lookups).toHaveLength(2);
    expect(await duties()).toEqual(then);
  });

  it('are made once if the platform refuses them, write no event, and leave the message uncertain', async () => {
    const [id] = await areLost(1);
    const told = () =>
      values(
        stage.pool,
        `SELECT data->>'status' FROM events WHERE type = 'delivery.updated' AND data->>'message_id' = $1 ORDER BY position`,
        [id],
      );
    expect(await told()).toEqual(['queued', 'sending', 'uncertain']);
    platform.lookups = [problem({ kind: 'rejected', reason: 'forbidden' }), { outcome: 'absent' }];
    await worker.run(connection);
    await stage.makeDue();
    await worker.run(connection);
    expect(platform.lookups).toHaveLength(1);
    expect(await duties()).toEqual(['hold never']);
    expect(await told()).toEqual(['queued', 'sending', 'uncertain']);
  });
});

describe('a message that was edited while its send was uncertain', () => {
  let id: string;
  const calls = () => platform.calls.map(({ action, text }) => `${action} ${text}`);

  beforeEach(async () => {
    [id = ''] = await areLost(1);
    await stage.messages.edit(stage.scope, id, { text: 'new' });
  });

  it('is edited where it is found, because it has the old text there', async () => {
    platform.lookups = [{ outcome: 'found', remoteId: remoteMessageId('x') }];
    await worker.run(connection);
    expect(calls()).toEqual(['update new']);
    expect((await stage.message(id)).deliveries[0]).toMatchObject({ status: 'sent', revision: 2 });
  });

  it('is not sent again if its new text is not found', async () => {
    platform.lookups = [{ outcome: 'absent' }];
    await worker.run(connection);
    expect(calls()).toEqual([]);
    expect(await duties()).toEqual(['lookup soon']);
  });

  it('is sent again if the platform recognises it, and then edited, because it may have the old text', async () => {
    platform.lookups = [
      { outcome: 'absent', resend: 'recognised' },
      { outcome: 'absent', resend: 'recognised' },
    ];
    await worker.run(connection);
    expect(calls()).toEqual(['create new', 'update new']);
    expect((await stage.message(id)).deliveries[0]).toMatchObject({ status: 'sent', revision: 2 });
  });
});

it('a lookup without a result is repeated at the time the platform asks for', async () => {
  const [id] = await areLost(1);
  platform.lookups = [
    { outcome: 'undecidable', askAgainAfterMs: 8_000 },
    { outcome: 'absent', resend: 'settled' },
  ];
  await worker.run(connection);
  expect(await duties()).toEqual(['lookup soon']);
  await stage.makeDue();
  await worker.run(connection);
  expect(platform.calls).toHaveLength(1);
  expect((await stage.message(id ?? '')).status).toBe('sent');
});

it('a delivery that a user resolved during a lookup has no next attempt', async () => {
  const [id = ''] = await areLost(1);
  const task = await stage.claimOne(connection);
  const { id: delivery } = await stage.delivery(id);
  await new PostgresMessageActions(stage.pool).resolveDelivery(stage.scope, delivery, 'sent');
  const later = new Date(Date.now() + 60_000).toISOString();
  const unanswered = { outcome: 'uncertain' as const, error: null, parts: [], move: null };
  await stage.deliveries.settle([{ ...taskKeys(task), ...unanswered, change: { next_attempt_at: later } }]);
  expect(await stage.delivery(id)).toMatchObject({ status: 'sent', next_attempt_at: null });
});
