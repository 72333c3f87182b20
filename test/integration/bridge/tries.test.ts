import { describe, expect, it } from 'vitest';
import { remoteMessageId } from '../../../src/contract/index.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf } from '../../support/people.js';
import { problem, type ScriptedPlatform } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;
let link: string;
let platform: ScriptedPlatform;
let worker: ReturnType<BridgeStage['deliverer']>;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
  link = await stage.link(conversation, connection, 'a');
  worker = stage.deliverer();
  platform = worker.platform;
});

describe('a message in several parts', () => {
  it('is recorded part by part, so that a retry continues where it stopped', async () => {
    const message = await stage.send(conversation, 'one\ntwo\nthree');
    platform.script = (_call, number) => {
      if (number === 2) throw problem({ kind: 'unavailable', cause: 'platform_down' });
      return undefined;
    };
    await worker.run(connection);
    const stopped = await stage.delivery(message.id);
    expect([stopped.status, stopped.attempt_count, stopped.parts.map(({ status }) => status)]).toEqual([
      'queued',
      1,
      ['sent', 'pending', 'pending'],
    ]);
    await stage.makeDue();
    await worker.run(connection);
    expect(platform.texts()).toEqual(['one', 'two', 'two', 'three']);
    const keys = platform.calls.map(({ key }) => key);
    expect(keys[1]).toBe(keys[2]);
    expect(new Set(keys).size).toBe(3);
    const done = await stage.delivery(message.id);
    expect([done.status, done.attempt_count, done.parts.map(({ status }) => status)]).toEqual([
      'sent',
      2,
      ['sent', 'sent', 'sent'],
    ]);
  });

  it('keeps the degradations of parts that an earlier try wrote', async () => {
    const message = await stage.send(conversation, 'one\ntwo\nthree');
    platform.script = (_call, number) => {
      if (number === 2) throw problem({ kind: 'unavailable', cause: 'platform_down' });
      const lost = number === 1 ? (['thread'] as const) : (['persona_override'] as const);
      return { remoteId: remoteMessageId(`p${number}`), degradations: lost };
    };
    await worker.run(connection);
    expect((await stage.delivery(message.id)).degradations).toEqual(['thread']);
    await stage.makeDue();
    await worker.run(connection);
    const { status, degradations } = await stage.delivery(message.id);
    expect([status, degradations]).toEqual(['sent', ['persona_override', 'thread']]);
  });

  it('is not continued after its lane was taken over', async () => {
    const message = await stage.send(conversation, 'one\ntwo\nthree');
    platform.script = async () => {
      await stage.pool.query("UPDATE links SET leased_until = now() - interval '1 s' WHERE id = $1", [link]);
      await stage.deliveries.sweep();
      return undefined as never;
    };
    await worker.run(connection);
    expect(platform.texts()).toEqual(['one']);
    expect((await stage.delivery(message.id)).status).toBe('uncertain');
  });

  it('whose worker died between two parts is looked up, and the rest is written once', async () => {
    const message = await stage.send(conversation, 'one\ntwo\nthree');
    await stage.pool.query(
      `UPDATE connections SET settings = settings || '{"uncertain_policy":"reconcile"}' WHERE id = $1`,
      [connection],
    );
    platform.script = (_call, number) => (number === 2 ? new Promise(() => undefined) : undefined);
    worker.run(connection).catch(() => undefined);
    await expect.poll(() => platform.calls.length).toBe(2);
    await expect.poll(async () => (await stage.delivery(message.id)).parts[0]?.status).toBe('sent');
    await stage.deliveries.releaseAllLanes();
    await stage.deliveries.sweep();
    await stage.makeDue();
    const successor = stage.deliverer();
    successor.platform.policy = 'reconcile';
    successor.platform.lookups = [{ outcome: 'found', remoteId: 'two' as never }, { outcome: 'absent' }];
    await successor.run(connection);
    expect(successor.platform.texts()).toEqual(['three']);
    const done = await stage.delivery(message.id);
    expect([done.status, done.resolution, done.parts.map(({ external_id }) => external_id).at(1)]).toEqual([
      'sent',
      'reconciled',
      'two',
    ]);
  });
});

describe('an outage of the platform', () => {
  it('fails the delivery after five attempts', async () => {
    const message = await stage.send(conversation, 'x');
    platform.script = () => {
      throw problem({ kind: 'unavailable', cause: 'network' });
    };
    for (let n = 0; n < 8; n += 1) {
      await worker.run(connection);
      await stage.makeDue();
    }
    expect(platform.calls).toHaveLength(5);
    expect(await stage.delivery(message.id)).toMatchObject({
      status: 'failed',
      attempt_count: 5,
      error: { code: 'network' },
    });
  });

  it('during a write is not retried: held, or sent again if the policy says so but never for marketing', async () => {
    const lost = problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
    platform.policy = 'retry';
    const [marketing, other] = [
      await stage.send(conversation, 'Buy', { category: 'marketing' }),
      await stage.send(conversation, 'Hi'),
    ];
    platform.script = (_call, number) => {
      if (number <= 2) throw lost;
      return undefined;
    };
    await worker.run(connection);
    await stage.makeDue();
    await worker.run(connection);
    expect(platform.texts()).toEqual(['Buy', 'Hi', 'Hi']);
    expect((await stage.delivery(marketing.id)).status).toBe('uncertain');
    expect(await eventsOf(stage.pool, stage.workspaceId, 'delivery.uncertain')).toMatchObject(
      [marketing, other].map(({ id }) => ({ data: { message_id: id, status: 'uncertain' } })),
    );
    expect(await stage.delivery(other.id)).toMatchObject({ status: 'sent', resolution: 'retried' });
  });

  it('that is an error of the adapter makes the delivery uncertain, and delays no other message', async () => {
    const message = await stage.send(conversation, 'x');
    await stage.send(conversation, 'y');
    platform.script = (_call, number) => {
      if (number === 1) throw new TypeError('undefined is not a function');
      return undefined;
    };
    await worker.run(connection);
    expect(await stage.delivery(message.id)).toMatchObject({
      status: 'uncertain',
      error: { code: 'provider_error' },
    });
    expect(platform.texts()).toEqual(['x', 'y']);
    expect(worker.log.lines.map(({ event }) => event)).toContain('adapter.failed');
  });
});

describe('a connection with a rate limit', () => {
  it('stays below its rate', async () => {
    platform.account = { perSecond: 20, burst: 0 };
    for (let n = 0; n < 12; n += 1) await stage.elsewhere(connection, `m${n}`);
    const startedAt = Date.now();
    await worker.run(connection);
    expect(platform.calls).toHaveLength(12);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(450);
  });
});

describe('a refusal whose effects could not be applied', () => {
  it.each([
    ['of the chat', 'markLinkBroken', { kind: 'rejected', reason: 'recipient_gone' }, 'failed'],
    ['of the person', 'suppressRecipient', { kind: 'rejected', reason: 'blocked_by_recipient' }, 'blocked'],
    [
      'of the account',
      'pauseConnection',
      { kind: 'rate_limited', retryAfterMs: 60_000, scope: 'account' },
      'queued',
    ],
  ] as const)('%s is still recorded as the outcome of the message', async (_, follow, cause, status) => {
    const message = await stage.send(conversation, 'x');
    platform.script = () => {
      throw problem(cause);
    };
    stage.deliveries[follow] = async () => {
      throw new Error('Connection terminated unexpectedly');
    };
    await worker.run(connection);
    expect((await stage.delivery(message.id)).status).toBe(status);
    expect(worker.log.lines.map(({ event }) => event)).toContain('refusal.not_followed');
  });
});

it('an adapter that ignores an abort does not block the stop: its write is uncertain', async () => {
  const message = await stage.send(conversation, 'x');
  platform.script = () => new Promise(() => undefined);
  const run = worker.run(connection);
  await expect.poll(() => platform.calls.length).toBe(1);
  worker.stop.abort();
  await run;
  expect((await stage.delivery(message.id)).status).toBe('uncertain');
});
