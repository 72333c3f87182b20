import { beforeEach, describe, expect, it } from 'vitest';
import type { LookupResult } from '../../../src/contract/index.js';
import type { UncertainPolicy } from '../../../src/core/platforms/uncertain-policy.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';
import { problem } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;
let message: string;
let worker: ReturnType<BridgeStage['deliverer']>;

/** A message of one part that was sent and then edited to have two parts. */
beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
  await stage.link(conversation, connection, 'a');
  worker = stage.deliverer();
  message = (await stage.send(conversation, 'one')).id;
  await worker.run(connection);
  await stage.messages.edit(stage.scope, message, { text: 'uno\ndos' });
});
const delivery = async () => (await stage.message(message)).deliveries[0]!;
const shown = async () => {
  const { status, revision, degradations, parts } = await delivery();
  return [status, revision, degradations, parts.map((part) => part.status)];
};
const attempts = () =>
  values<string>(
    stage.pool,
    `SELECT operation || ' ' || coalesce(outcome, 'open') FROM attempts WHERE delivery_id =
       (SELECT id FROM deliveries WHERE message_id = $1) ORDER BY started_at`,
    [message],
  );

/** Another worker of a connection with this policy. Its platform gives these answers to lookups. */
function successor(policy: UncertainPolicy, ...answers: LookupResult[]) {
  const next = stage.deliverer();
  next.platform.policy = policy;
  next.platform.lookups = answers;
  return next;
}

/** A worker's call of this kind gets no answer, and its lease ends. */
async function dieOver(dying: typeof worker, kind: 'create' | 'update') {
  const { platform } = dying;
  platform.script = ({ action }) => (action === kind ? new Promise(() => undefined) : undefined);
  const before = platform.calls.length;
  dying.run(connection).catch(() => undefined);
  await expect.poll(() => platform.calls.slice(before).some(({ action }) => action === kind)).toBe(true);
  await stage.pool.query(
    `UPDATE links SET leased_until = now() - interval '1 s' WHERE conversation_id = $1`,
    [conversation],
  );
  await stage.deliveries.sweep();
}

const creates = ({ platform }: { platform: typeof worker.platform }) =>
  platform.calls.filter(({ action }) => action === 'create').map(({ text }) => text);

describe('a part that an edit was creating when its worker died', () => {
  beforeEach(async () => {
    await dieOver(worker, 'create');
  });

  it('is not created again when the platform has it', async () => {
    const next = successor('reconcile', { outcome: 'found', remoteId: 'dos' as never });
    await next.run(connection);
    expect(creates(next)).toEqual([]);
    expect(await shown()).toEqual(['sent', 2, [], ['sent', 'sent']]);
    expect((await delivery()).parts[1]?.external_id).toBe('dos');
    expect(await attempts()).toEqual(['send sent', 'edit uncertain', 'edit sent']);
  });

  it('is created when the platform certainly lacks it', async () => {
    const next = successor('reconcile', { outcome: 'absent', resend: 'settled' });
    await next.run(connection);
    expect(creates(next)).toEqual(['dos']);
    expect(await shown()).toEqual(['sent', 2, [], ['sent', 'sent']]);
  });

  it('is looked up as long as it may still appear, without using an attempt, and kept when it is found', async () => {
    const next = successor(
      'reconcile',
      ...Array.from({ length: 7 }, () => ({ outcome: 'absent' as const })),
      { outcome: 'found', remoteId: 'dos' as never },
    );
    for (let look = 0; look < 8; look += 1) {
      await stage.makeDue();
      await next.run(connection);
    }
    expect([creates(next), next.platform.lookups.length]).toEqual([[], 0]);
    expect(await shown()).toEqual(['sent', 2, [], ['sent', 'sent']]);
    expect((await delivery()).parts[1]?.external_id).toBe('dos');
  });

  it('is given up when it has not appeared for an hour', async () => {
    await stage.pool.query(`UPDATE attempts SET started_at = now() - interval '61 minutes'`);
    const next = successor('reconcile', { outcome: 'absent' });
    await next.run(connection);
    expect(creates(next)).toEqual([]);
    expect(await shown()).toEqual(['sent', 2, ['edit'], ['sent', 'uncertain']]);
  });

  it.each([['hold' as const], ['reconcile' as const]])(
    'is given up when its outcome stays unknown, with the policy %s',
    async (policy) => {
      const next = successor(policy, { outcome: 'undecidable' });
      await next.run(connection);
      await next.run(connection);
      expect(creates(next)).toEqual([]);
      expect(await shown()).toEqual(['sent', 2, ['edit'], ['sent', 'uncertain']]);
      expect(await attempts()).toEqual(['send sent', 'edit uncertain', 'edit failed']);
    },
  );

  it('is neither looked up nor created with the text of a later edit', async () => {
    await stage.messages.edit(stage.scope, message, { text: 'uno\nDOS' });
    const next = successor('reconcile', { outcome: 'absent' });
    await next.run(connection);
    expect([creates(next), next.platform.lookups.length]).toEqual([[], 1]);
    expect(await shown()).toEqual(['sent', 3, ['edit'], ['sent', 'uncertain']]);
  });

  it('is not created with the text of a later edit when the worker of that edit also died', async () => {
    await stage.messages.edit(stage.scope, message, { text: 'UNO\nDOS' });
    await dieOver(successor('reconcile', { outcome: 'absent' }), 'update');
    const last = successor('reconcile', { outcome: 'absent' });
    await last.run(connection);
    expect(creates(last)).toEqual([]);
    expect(await shown()).toEqual(['sent', 3, ['edit'], ['sent', 'uncertain']]);
  });
});

describe('a part that an edit created and whose response was lost', () => {
  const lose = (dispatched: 'no' | 'unknown') => {
    worker.platform.script = ({ action }) => {
      if (action === 'create') throw problem({ kind: 'unavailable', cause: 'network' }, dispatched);
      return undefined;
    };
  };

  it('is looked up, and kept when it is found', async () => {
    worker.platform.policy = 'reconcile';
    worker.platform.lookups = [{ outcome: 'found', remoteId: 'dos' as never }];
    lose('unknown');
    await worker.run(connection);
    expect(await shown()).toEqual(['sent', 1, [], ['sent', 'uncertain']]);
    await stage.makeDue();
    await worker.run(connection);
    expect(creates(worker)).toEqual(['one', 'dos']);
    expect(await shown()).toEqual(['sent', 2, [], ['sent', 'sent']]);
  });

  it('is shown as uncertain when the policy allows no lookup', async () => {
    lose('unknown');
    await worker.run(connection);
    await stage.makeDue();
    await worker.run(connection);
    expect(creates(worker)).toEqual(['one', 'dos']);
    expect(await shown()).toEqual(['sent', 2, ['edit'], ['sent', 'uncertain']]);
    expect((await attempts()).at(-1)).toBe('edit uncertain');
  });

  it('is created by the next attempt when it was certainly not written', async () => {
    lose('no');
    await worker.run(connection);
    expect((await shown()).at(-1)).toEqual(['sent']);
    await stage.makeDue();
    worker.platform.script = () => undefined;
    await worker.run(connection);
    expect(creates(worker)).toEqual(['one', 'dos', 'dos']);
    expect(await shown()).toEqual(['sent', 2, [], ['sent', 'sent']]);
  });
});
