import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/core/access/caller.js';
import { noopTelemetry } from '../../../src/core/deliveries/telemetry.js';
import { DeliverDue } from '../../../src/webhooks/deliver-due.js';
import type { ReceivedRequest } from '../../support/loopback-receiver.js';
import { waitFor } from '../../support/wait-for.js';
import type { WebhookStage } from '../../support/webhook-stage.js';
import { beforeWebhooks, receivers } from '../../support/webhook-tests.js';

let stage: WebhookStage;
let caller: Caller;

beforeWebhooks((made) => {
  stage = made;
});
const { receiver } = receivers();

/** A receiver that answers when the test lets it. */
async function gate() {
  const open: ((status?: number) => void)[] = [];
  const target = await receiver((_request, response) => {
    open.push((status = 200) => response.writeHead(status).end());
  });
  const reach = (count: number) => waitFor(() => expect(target.received.length).toBe(count));
  return { target, open, reach };
}

const about = (...subjects: string[]) =>
  subjects.map((id, n) => ({ type: 'call.ended', data: { id, n, status: 'ended' } }));
const numbers = (received: readonly ReceivedRequest[]) => received.map(({ body }) => JSON.parse(body).data.n);

const statuses = async (id: string) => (await stage.records(id)).map(({ status }) => status);
const settled = (id: string, ...wanted: string[]) =>
  waitFor(async () => expect(await statuses(id)).toEqual(wanted));

describe('fanning out', () => {
  it('attempts an unblocked delivery at once and without a reminder', async () => {
    caller = await stage.caller();
    const { id, open, reach } = await registered();
    const positions = await stage.append(caller, ...about('a', 'b'));
    await Promise.all([stage.fanOutHere.run(positions), stage.fanOutHere.run(positions)]);
    await reach(2);
    for (const answer of open) answer();
    await settled(id, 'succeeded', 'succeeded');
    await stage.fanOutHere.run(positions);
    expect(await statuses(id)).toHaveLength(2);
    expect(await stage.takeReminders()).toEqual([]);
  });

  it('allows one delivery in flight per subject, and continues with the next without a reminder', async () => {
    caller = await stage.caller();
    const { id, target, open, reach } = await registered();
    for (const batch of [about('a', 'b', 'a'), about('a', 'a', 'a', 'a').slice(3)]) {
      await stage.fanOutHere.run(await stage.append(caller, ...batch));
    }
    await reach(2);
    expect(numbers(target.received).sort()).toEqual([0, 1]);
    open[0]!();
    open[1]!();
    await reach(3);
    open[2]!();
    await reach(4);
    open[3]!();
    expect(numbers(target.received).slice(2)).toEqual([2, 3]);
    await settled(id, 'succeeded', 'succeeded', 'succeeded', 'succeeded');
  });

  it('allows ten deliveries in flight per endpoint', async () => {
    caller = await stage.caller();
    const { id, target, open, reach } = await registered();
    const all = about(...Array.from({ length: 25 }, (_, n) => `c${n}`));
    await stage.fanOutHere.run(await stage.append(caller, ...all.slice(0, 12)));
    await reach(10);
    await stage.fanOutHere.run(await stage.append(caller, ...all.slice(12)));
    for (let answered = 0; answered < 25; answered += 1) {
      await reach(Math.min(answered + 10, 25));
      expect(target.received.length - answered).toBeLessThanOrEqual(10);
      open[answered]!();
    }
    await settled(id, ...all.map(() => 'succeeded'));
  });

  it('also attempts a failing endpoint, and leaves a reminder for the next attempt', async () => {
    caller = await stage.caller();
    const { id, open, reach } = await registered();
    await stage.pool.query('UPDATE webhooks SET failing_since = now() WHERE id = $1', [id]);
    await stage.fanOutHere.run(await stage.append(caller, ...about('a')));
    await reach(1);
    open[0]!(500);
    await waitFor(async () => {
      const [reminder] = await stage.takeReminders();
      expect(reminder?.runAt).toEqual(new Date((await stage.records(id))[0].next_attempt_at));
    });
    expect(await statuses(id)).toEqual(['pending']);
  });

  it('records missed deliveries as dead while an endpoint is disabled for its failures', async () => {
    caller = await stage.caller();
    const { id, target } = await registered();
    await stage.pool.query(
      "UPDATE webhooks SET status = 'auto_disabled', disabled_reason = 'failing' WHERE id = $1",
      [id],
    );
    await stage.fanOutHere.run(await stage.append(caller, ...about('a')));
    expect(await statuses(id)).toEqual(['dead']);
    expect(target.received).toEqual([]);
  });

  it('leaves the remaining deliveries to the queue when the process stops', async () => {
    caller = await stage.caller();
    const { id, open, reach } = await registered();
    const here = new DeliverDue({
      queue: stage.queue,
      log: stage.log,
      telemetry: noopTelemetry,
      sender: stage.sender,
    });
    const fanOut = stage.fanOutTo(here);
    await fanOut.run(await stage.append(caller, ...about('a', 'a')));
    await reach(1);
    const stopped = here.stop();
    open[0]!();
    await stopped;
    expect(await statuses(id)).toEqual(['succeeded', 'pending']);
    expect(await stage.takeReminders()).toHaveLength(1);
    await fanOut.run(await stage.append(caller, ...about('b')));
    expect(await statuses(id)).toEqual(['succeeded', 'pending', 'pending']);
    expect(await stage.takeReminders()).toEqual([{ webhookId: id, runAt: null }]);
  });
});

async function registered() {
  const { target, open, reach } = await gate();
  const { id } = await stage.register(caller, target.url);
  return { id, target, open, reach };
}
