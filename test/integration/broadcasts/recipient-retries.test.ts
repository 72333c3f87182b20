import { describe, expect, it } from 'vitest';
import {
  addresses,
  type BroadcastStage,
  broadcastStage,
  wholeSchedule,
} from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { problem, type Script } from '../../support/scripted-platform.js';

let stage: BroadcastStage;
let connection: string;
let worker: ReturnType<BroadcastStage['deliverer']>;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  connection = await stage.connection('alpha', { uncertain_policy: 'reconcile' });
  worker = stage.deliverer();
  worker.platform.policy = 'reconcile';
});

/** A broadcast of this text to one recipient. The script gives the platform's responses. */
async function sent(text: string, script: Script): Promise<string> {
  const id = await stage.create({ text, audience: { recipients: addresses('alpha', 1) } });
  await stage.step(id, 2);
  worker.platform.script = script;
  await worker.run(connection);
  return id;
}

async function sentAgain(id: string): Promise<void> {
  worker.platform.script = () => undefined;
  await stage.control.retry(stage.caller, id);
  await stage.step(id, 2);
  await worker.run(connection);
}

describe('a failed message of a broadcast that is sent again', () => {
  it('continues after the parts that were written', async () => {
    const id = await sent('one\ntwo', (_call, number) => {
      if (number === 2) throw problem({ kind: 'rejected', reason: 'content_rejected' });
      return undefined;
    });
    await sentAgain(id);
    expect(worker.platform.texts()).toEqual(['one', 'two', 'two']);
    expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { sent: 1 } });
  });

  it('is sent even after the end of its broadcast', async () => {
    const id = await sent('one', () => {
      throw problem({ kind: 'rejected', reason: 'content_rejected' });
    });
    await stage.pool.query(
      `UPDATE broadcasts SET status = 'expired', schedule = $2::jsonb || jsonb_build_object('expires_at', wire_time(now())) WHERE id = $1`,
      [id, JSON.stringify(wholeSchedule({}))],
    );
    await sentAgain(id);
    expect(await stage.get(id)).toMatchObject({
      status: 'completed',
      counts: { sent: 1, expired: 0 },
      schedule: { expires_at: null },
    });
  });

  it('is sent again when a lookup found it and the platform then reported a failure', async () => {
    const id = await sent('one', () => {
      throw problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
    });
    await stage.makeDue();
    worker.platform.lookups = [{ outcome: 'found', remoteId: 'found' as never }];
    await worker.run(connection);
    await stage.report(connection, {
      type: 'receipt',
      chat: { id: 'alpha-0', kind: 'direct' },
      messageId: 'found',
      status: 'failed',
      failure: { reason: 'platform_error', message: 'Refused late.' },
    });
    expect((await stage.get(id)).counts).toMatchObject({ failed: 1, sent: 0 });
    await sentAgain(id);
    expect(worker.platform.texts()).toEqual(['one', 'one']);
    expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { sent: 1 } });
  });
});
