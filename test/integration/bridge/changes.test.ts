import { describe, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf, values } from '../../support/people.js';
import { problem } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let first: string;
let second: string;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  [first, second] = [await stage.connection('alpha'), await stage.connection('beta')];
  conversation = await stage.conversation();
  await stage.link(conversation, first, 'a');
  await stage.link(conversation, second, 'b');
});

/** Lets both deliverers do due work. Returns what they wrote. */
async function deliver(...connections: string[]): Promise<string[]> {
  const written: string[] = [];
  for (const connection of connections) {
    const { platform, run } = stage.deliverer();
    await run(connection);
    written.push(...platform.calls.map(({ chatId, action, text }) => `${chatId} ${action} ${text}`.trim()));
  }
  return written;
}

describe('an edit of a relayed message', () => {
  it('reaches every copy that was written, part by part', async () => {
    const { id } = await stage.send(conversation, 'one\ntwo');
    await deliver(first, second);
    await stage.messages.edit(stage.scope, id, { text: 'uno' });
    expect(await deliver(first, second)).toEqual(['a update uno', 'a remove', 'b update uno', 'b remove']);
    const { deliveries, revision } = await stage.message(id);
    expect(deliveries.map((delivery) => [delivery.revision, delivery.parts.length])).toEqual([
      [revision, 1],
      [revision, 1],
    ]);
    expect(await deliver(first, second)).toEqual([]);
    await stage.messages.edit(stage.scope, id, { text: 'uno\ndos\ntres' });
    expect(await deliver(first)).toEqual(['a update uno', 'a create dos', 'a create tres']);
  });

  it('is part of the first send when nothing was written yet', async () => {
    const { id } = await stage.send(conversation, 'draft');
    await stage.messages.edit(stage.scope, id, { text: 'final' });
    expect(await deliver(first)).toEqual(['a create final']);
    expect((await stage.message(id)).deliveries[0]?.revision).toBe(2);
  });

  it('that arrives while the message is being sent follows it', async () => {
    const { id } = await stage.send(conversation, 'before');
    const { platform, run } = stage.deliverer();
    platform.script = (call) => {
      if (call.action !== 'create') return undefined;
      return stage.messages
        .edit(stage.scope, id, { text: 'after' })
        .then(() => ({ remoteId: 'r1' as never }));
    };
    await run(first);
    expect(platform.calls.map(({ action, text }) => [action, text])).toEqual([
      ['create', 'before'],
      ['update', 'after'],
    ]);
  });

  it('updates parts of an earlier attempt after they are complete', async () => {
    const { id } = await stage.send(conversation, 'old 1\nold 2');
    const { platform, run } = stage.deliverer();
    platform.script = (_call, number) => {
      if (number === 2) throw problem({ kind: 'unavailable', cause: 'network' });
      return undefined;
    };
    await run(first);
    await stage.messages.edit(stage.scope, id, { text: 'new 1\nnew 2' });
    await stage.makeDue();
    await run(first);
    expect(platform.calls.slice(2).map(({ action, text }) => [action, text])).toEqual([
      ['create', 'new 2'],
      ['update', 'new 1'],
      ['update', 'new 2'],
    ]);
    expect((await stage.message(id)).deliveries[0]).toMatchObject({ status: 'sent', revision: 2 });
  });

  it('without changes writes no event', async () => {
    const { id } = await stage.send(conversation, 'same');
    await stage.messages.edit(stage.scope, id, { text: 'same' });
    expect(await eventsOf(stage.pool, stage.workspaceId, 'message.updated')).toEqual([]);
    expect((await stage.message(id)).revision).toBe(1);
  });

  it('is refused for failed messages and for inbound messages', async () => {
    const { id } = await stage.send(conversation, 'x');
    await stage.pool.query("UPDATE messages SET status = 'failed' WHERE id = $1", [id]);
    await expect(stage.messages.edit(stage.scope, id, { text: 'y' })).rejects.toMatchObject({
      details: { reason: 'invalid_state', current: 'failed' },
    });
    const { message } = await stage.post(first, 'a', 'Theirs');
    await expect(stage.messages.edit(stage.scope, message!.id, { text: 'y' })).rejects.toMatchObject({
      details: { current: 'received' },
    });
  });
});

describe('an edit or removal that fails temporarily', () => {
  const down = () => {
    throw problem({ kind: 'unavailable', cause: 'platform_down' }, 'unknown');
  };

  /** Lets the deliverer try this many times. Returns the planned delay in seconds after each try. */
  async function tries(id: string, times: number, run: () => Promise<void>): Promise<(number | null)[]> {
    const waits: (number | null)[] = [];
    for (let n = 0; n < times; n += 1) {
      await run();
      const [wait] = await values<number | null>(
        stage.pool,
        `SELECT extract(epoch FROM next_attempt_at - now())::float FROM deliveries WHERE message_id = $1 AND connection_id = $2`,
        [id, first],
      );
      waits.push(wait ?? null);
      await stage.makeDue();
    }
    return waits;
  }

  const nearly = (seconds: number) =>
    expect.toSatisfy((wait: number) => wait > seconds * 0.8 && wait < seconds * 1.11, `about ${seconds} s`);

  it('is attempted five times, at growing intervals, and then given up', async () => {
    const { id } = await stage.send(conversation, 'x');
    const { platform, run } = stage.deliverer();
    await run(first);
    await stage.messages.edit(stage.scope, id, { text: 'y' });
    platform.script = down;
    const waits = await tries(id, 7, () => run(first));
    expect(waits).toEqual([nearly(10), nearly(60), nearly(600), nearly(2_700), null, null, null]);
    expect(platform.texts()).toEqual(['x', ...Array(5).fill('y')]);
    expect((await stage.message(id)).deliveries[0]).toMatchObject({
      status: 'sent',
      attempt_count: 1,
      revision: 1,
      degradations: ['edit'],
    });
    await stage.messages.delete(stage.scope, id, stage.memberId);
    expect(await tries(id, 6, () => run(first))).toEqual([
      nearly(10),
      nearly(60),
      nearly(600),
      nearly(2_700),
      null,
      null,
    ]);
  });

  it('loses its degradation once a later edit is shown', async () => {
    const { id } = await stage.send(conversation, 'x');
    const { platform, run } = stage.deliverer();
    await run(first);
    const edited = async (text: string) => {
      await stage.messages.edit(stage.scope, id, { text });
      await tries(id, 5, () => run(first));
      return (await stage.message(id)).deliveries[0];
    };
    platform.script = down;
    expect(await edited('y')).toMatchObject({ revision: 1, degradations: ['edit'] });
    platform.script = () => undefined;
    expect(await edited('z')).toMatchObject({ revision: 3, degradations: [] });
  });

  it('has its own attempts, independent of the send, and a new edit has new ones', async () => {
    const { id } = await stage.send(conversation, 'x');
    const { platform, run } = stage.deliverer();
    platform.script = (_call, number) => {
      if (number < 5) throw problem({ kind: 'unavailable', cause: 'platform_down' });
      return undefined;
    };
    await tries(id, 5, () => run(first));
    platform.script = down;
    for (const text of ['y', 'z']) {
      await stage.messages.edit(stage.scope, id, { text });
      await tries(id, 3, () => run(first));
    }
    platform.script = () => undefined;
    await run(first);
    expect(platform.texts().slice(5)).toEqual(['y', 'y', 'y', 'z', 'z', 'z', 'z']);
    expect((await stage.message(id)).deliveries[0]).toMatchObject({ attempt_count: 5, degradations: [] });
  });
});

describe('a deletion of a relayed message', () => {
  it('cancels queued sends and removes written ones, part by part', async () => {
    const { id } = await stage.send(conversation, 'one\ntwo');
    await deliver(first);
    await stage.messages.delete(stage.scope, id, stage.memberId);
    expect(await deliver(first, second)).toEqual(['a remove', 'a remove']);
    const { deliveries } = await stage.message(id);
    expect(deliveries.map(({ status }) => status)).toEqual(['sent', 'canceled']);
    expect(await stage.messages.find(stage.scope, id)).toBeUndefined();
    expect(await deliver(first, second)).toEqual([]);
    await expect(stage.messages.delete(stage.scope, id, stage.memberId)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('also removes the parts of an incomplete send', async () => {
    const { id } = await stage.send(conversation, 'one\ntwo');
    const { platform, run } = stage.deliverer();
    platform.script = (_call, number) => {
      if (number === 2) throw problem({ kind: 'unavailable', cause: 'network' });
      return undefined;
    };
    await run(first);
    await stage.messages.delete(stage.scope, id, stage.memberId);
    await stage.makeDue();
    expect(await deliver(first)).toEqual(['a remove']);
    expect((await stage.message(id)).deliveries[0]?.status).toBe('canceled');
  });

  it('that arrives while the message is being sent removes it afterwards', async () => {
    const { id } = await stage.send(conversation, 'x');
    const { platform, run } = stage.deliverer();
    platform.script = (call) => {
      if (call.action !== 'create') return undefined;
      return stage.messages.delete(stage.scope, id, stage.memberId).then(() => ({ remoteId: 'r2' as never }));
    };
    await run(first);
    expect(platform.calls.map(({ action }) => action)).toEqual(['create', 'remove']);
  });

  it('keeps the lookup of an uncertain copy, and removes the copy once it is found', async () => {
    const asking = await stage.connection('gamma', { uncertain_policy: 'reconcile' });
    const own = await stage.conversation();
    await stage.link(own, asking, 'g');
    const { id } = await stage.send(own, 'x');
    const { platform, run } = stage.deliverer();
    platform.policy = 'reconcile';
    platform.script = (_call, number) => {
      if (number === 1) throw problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
      return undefined;
    };
    await run(asking);
    await stage.messages.delete(stage.scope, id, stage.memberId);
    await stage.makeDue();
    platform.lookups = [{ outcome: 'found', remoteId: 'found-it' as never }];
    await run(asking);
    expect(platform.calls.map(({ action }) => action)).toEqual(['create', 'remove']);
  });

  it('is reported as a degradation when the platform refuses it', async () => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await stage.messages.delete(stage.scope, id, stage.memberId);
    const { platform, run } = stage.deliverer();
    platform.script = () => {
      throw problem({ kind: 'rejected', reason: 'forbidden' });
    };
    await run(first);
    expect((await stage.message(id)).deliveries[0]).toMatchObject({
      status: 'sent',
      degradations: ['delete'],
    });
    expect(await deliver(first)).toEqual([]);
  });
});
