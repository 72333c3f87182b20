import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PostgresMessageActions } from '../../../src/store/messages/message-actions.js';
import { type BridgeStage, bridgeStage, ended } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { problem } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha', { uncertain_policy: 'reconcile' });
  conversation = await stage.conversation();
  await stage.link(conversation, connection, 'a');
});

type State = 'sent' | 'delivered' | 'read' | 'failed';

const receipt = (messageId: string, status: State) =>
  stage.report(connection, {
    type: 'receipt',
    chat: { id: 'a', kind: 'direct' },
    messageId,
    status,
    ...(status === 'failed' ? { failure: { reason: 'platform_error', message: 'Refused late.' } } : {}),
  });
const status = async (id: string) => (await stage.message(id)).status;

describe('the receipts of a message in several parts', () => {
  const lost = () => problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
  const rejected = () => problem({ kind: 'rejected', reason: 'content_rejected' });

  /** Sends three parts with the ids p1 to p3, unless the platform fails at one. */
  async function threeParts(failsAt?: number, failure?: Error, meanwhile?: () => Promise<void>) {
    const worker = stage.deliverer();
    worker.platform.policy = 'reconcile';
    const { id } = await stage.send(conversation, 'one\ntwo\nthree');
    worker.platform.script = async (_call, number) => {
      if (number !== failsAt) return { remoteId: `p${number}` as never };
      await meanwhile?.();
      throw failure;
    };
    await worker.run(connection);
    return { id, ...worker };
  }

  const delivery = async (id: string) => (await stage.message(id)).deliveries[0]!;
  const parts = async (id: string) => (await delivery(id)).parts.map((part) => part.status);

  it('make it delivered once every part is delivered, and failed once any part fails, in any order', async () => {
    const reports = fc.record({
      part: fc.constantFrom('p1', 'p2', 'p3'),
      state: fc.constantFrom<State>('sent', 'delivered', 'read', 'failed'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(reports, { minLength: 3, maxLength: 9 }), async (reported) => {
        await stage.pool.query('DELETE FROM remote_messages WHERE connection_id = $1', [connection]);
        const { id } = await threeParts();
        for (const { part, state } of reported) await receipt(part, state);
        const ends = ['p1', 'p2', 'p3'].map((part) =>
          furthestOf(reported.filter((report) => report.part === part).map(({ state }) => state)),
        );
        const [least] = ends.sort((a, b) => order.indexOf(a) - order.indexOf(b));
        // A failed delivery stays failed until every part has been reported.
        const hasFailed = reported.some(({ state }) => state === 'failed');
        if (least === 'sent' && hasFailed) expect(['sent', 'failed']).toContain(await status(id));
        else expect(await status(id)).toBe(least);
      }),
      { numRuns: 30 },
    );
  });

  const order: readonly State[] = ['failed', 'sent', 'delivered', 'read'];
  const furthestOf = (states: readonly State[]): State =>
    (['read', 'delivered', 'failed'] as const).find((state) => states.includes(state)) ?? 'sent';

  it('do not resolve a part whose response was lost: it is looked up, and the rest is sent', async () => {
    const { id, platform, run } = await threeParts(2, lost(), () => receipt('p1', 'delivered'));
    expect([await status(id), await parts(id)]).toEqual(['uncertain', ['sent', 'uncertain', 'pending']]);
    await stage.makeDue();
    platform.lookups = [{ outcome: 'absent', resend: 'settled' }];
    await run(connection);
    expect(platform.texts()).toEqual(['one', 'two', 'two', 'three']);
    expect([await status(id), await parts(id)]).toEqual(['sent', ['sent', 'sent', 'sent']]);
    await receipt('p3', 'delivered');
    expect(await status(id)).toBe('sent');
    await receipt('p4', 'delivered');
    expect(await status(id)).toBe('delivered');
  });

  it('do not resolve the parts that a dead sender may have written', async () => {
    const { id } = await stage.send(conversation, 'one\ntwo');
    const { platform, run } = stage.deliverer();
    platform.script = (_call, number) =>
      number === 1 ? { remoteId: 'first' as never } : new Promise(() => undefined);
    run(connection).catch(() => undefined);
    await expect.poll(() => platform.calls.length).toBe(2);
    await stage.pool.query(
      `UPDATE links SET leased_until = now() - interval '1 s' WHERE conversation_id = $1`,
      [conversation],
    );
    await stage.deliveries.sweep();
    await receipt('first', 'sent');
    await receipt('first', 'read');
    expect([await status(id), await parts(id)]).toEqual(['uncertain', ['sent', 'pending']]);
  });

  it('do not hide a part that the platform refused', async () => {
    const { id } = await threeParts(2, rejected());
    await receipt('p1', 'read');
    expect([await status(id), await parts(id)]).toEqual(['failed', ['sent', 'failed', 'pending']]);
  });

  it('that report a part as failed make a retry send it again with the rest', async () => {
    const { id, platform, run } = await threeParts(2, rejected());
    await receipt('p1', 'failed');
    platform.script = () => undefined;
    await new PostgresMessageActions(stage.pool).retry(stage.scope, id);
    await run(connection);
    expect(platform.texts().slice(2)).toEqual(['one', 'two', 'three']);
  });

  it('do not wait for a part that an edit removed before it was written', async () => {
    const { id, platform, run } = await threeParts(2, problem({ kind: 'unavailable', cause: 'network' }));
    await stage.messages.edit(stage.scope, id, { text: 'uno\ndos' });
    await stage.makeDue();
    platform.script = ({ action }, number) =>
      action === 'create' ? { remoteId: `p${number}` as never } : undefined;
    await run(connection);
    expect(await parts(id)).toEqual(['sent', 'sent']);
  });
});

describe('an uncertain message that a receipt settles', () => {
  it('shows the content of its last attempt', async () => {
    const { id } = await stage.send(conversation, 'x');
    const task = await stage.claimOne(connection);
    await stage.deliveries.progress(task, [{ index: 0, kind: 'text', status: 'sent', external_id: 'shown' }]);
    await stage.deliveries.settle([ended(task, 'uncertain')]);
    await receipt('shown', 'delivered');
    expect((await stage.message(id)).deliveries[0]).toMatchObject({ status: 'delivered', revision: 1 });
    await expect(stage.claimOne(connection)).rejects.toThrow();
  });
});
