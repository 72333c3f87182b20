import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/core/access/caller.js';
import type { ReceivedRequest } from '../../support/loopback-receiver.js';
import type { WebhookStage } from '../../support/webhook-stage.js';
import { beforeWebhooks, receivers } from '../../support/webhook-tests.js';

let stage: WebhookStage;
let caller: Caller;

beforeWebhooks((made) => {
  stage = made;
});
const { receiver, answering } = receivers();

const callEvent = (id: string, type = 'call.ended') => ({ type, data: { id, status: 'ended' } });
const payloadOf = ({ body }: ReceivedRequest) => JSON.parse(body);

describe('concurrency', () => {
  /** A receiver that answers when the test lets it, and counts the requests in flight. */
  async function gate() {
    const waiting: { request: ReceivedRequest; answer: (status?: number) => void }[] = [];
    let arrived: () => void = () => undefined;
    const target = await receiver((request, response) => {
      waiting.push({ request, answer: (status = 200) => response.writeHead(status).end() });
      arrived();
    });
    const reach = async (count: number) => {
      while (waiting.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
    };
    return { target, waiting, reach };
  }

  it('is at most ten per endpoint over all workers', async () => {
    caller = await stage.caller();
    const { target, waiting, reach } = await gate();
    const { id } = await stage.register(caller, target.url);
    await stage.emit(caller, ...Array.from({ length: 25 }, (_, n) => callEvent(`c${n}`)));
    const workers = [stage.deliver(id), stage.deliver(id), stage.deliver(id)];
    let answered = 0;
    while (answered < 25) {
      await reach(Math.min(answered + 10, 25));
      expect(waiting.length - answered).toBeLessThanOrEqual(10);
      waiting[answered++]!.answer();
    }
    await Promise.all(workers);
    expect(target.received).toHaveLength(25);
    expect((await stage.records(id)).every((each) => each.status === 'succeeded')).toBe(true);
  });

  it('is one per subject, in order, while the endpoint is healthy', async () => {
    caller = await stage.caller();
    const { target, waiting, reach } = await gate();
    const { id } = await stage.register(caller, target.url);
    await stage.emit(
      caller,
      ...['a', 'b', 'a', 'b', 'a'].map((subject, n) => ({ type: 'call.ended', data: { id: subject, n } })),
    );
    const worker = stage.deliver(id);
    await reach(2);
    await stage.deliver(id); // another worker finds nothing to take
    expect(waiting).toHaveLength(2);
    for (let n = 0; n < 5; n += 1) {
      await reach(n + 1);
      waiting[n]!.answer();
    }
    await worker;
    const order = (subject: string) =>
      target.received
        .map((each) => payloadOf(each).data)
        .filter((data) => data.id === subject)
        .map((data) => data.n);
    expect([order('a'), order('b')]).toEqual([
      [0, 2, 4],
      [1, 3],
    ]);
  });

  it('is not held back by subject when the endpoint fails', async () => {
    caller = await stage.caller();
    const { target, waiting, reach } = await gate();
    const { id } = await stage.register(caller, target.url);
    await stage.pool.query('UPDATE webhooks SET failing_since = now() WHERE id = $1', [id]);
    await stage.emit(caller, callEvent('same'), callEvent('same'), callEvent('same'));
    const worker = stage.deliver(id);
    await reach(3);
    for (const { answer } of waiting) answer();
    await worker;
    expect(target.received).toHaveLength(3);
  });

  it('keeps to the rate limit of the endpoint over all workers', async () => {
    caller = await stage.caller();
    const times: number[] = [];
    const target = await receiver((_request, response) => {
      times.push(performance.now());
      response.end();
    });
    const { id } = await stage.register(caller, target.url, { rate_limit: 20 });
    await stage.emit(caller, ...Array.from({ length: 11 }, (_, n) => callEvent(`c${n}`)));
    const startedAt = performance.now();
    await Promise.all([stage.deliver(id), stage.deliver(id)]);
    expect(times).toHaveLength(11);
    // Ten intervals of 50 ms follow the first request. If that one is late, the others may follow closely.
    expect(times.at(-1)! - startedAt).toBeGreaterThan(450);
  });

  it('ends with the requests in flight on a stop, and releases the rest', async () => {
    caller = await stage.caller();
    const { target, waiting, reach } = await gate();
    const { id } = await stage.register(caller, target.url, { rate_limit: 1 });
    await stage.emit(caller, callEvent('a'), callEvent('b'));
    await stage.takeReminders();
    const stop = new AbortController();
    const worker = stage.deliver(id, stop.signal);
    await reach(1);
    stop.abort();
    waiting[0]!.answer();
    await worker;
    expect((await stage.records(id)).map(({ status }) => status)).toEqual(['succeeded', 'pending']);
    expect(await stage.takeReminders()).toHaveLength(1);
  });

  it('passes the deliveries of a dead worker to another one, and ignores late reports of the dead one', async () => {
    caller = await stage.caller();
    const target = await answering(200);
    const { id } = await stage.register(caller, target.url);
    await stage.emit(caller, callEvent('a'));
    const [held] = await stage.queue.claim(id, 10);
    await stage.deliver(id);
    expect(target.received).toHaveLength(0);
    await stage.pool.query(
      "UPDATE webhook_deliveries SET leased_until = now() - interval '1 s' WHERE webhook_id = $1",
      [id],
    );
    await stage.pool.query(
      "UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 min' WHERE webhook_id = $1",
      [id],
    );
    await stage.takeReminders();
    expect(await stage.queue.wakeStalled()).toBe(1);
    expect(await stage.takeReminders()).toEqual([{ webhookId: id, runAt: null }]);
    await stage.deliver(id);
    const late = {
      at: new Date().toISOString(),
      status_code: 500,
      duration_ms: 1,
      error: 'http_status',
    } as const;
    const verdict = { status: 'dead', gone: false } as const;
    await expect(stage.queue.record(held!, { attempt: late, verdict })).resolves.toBeUndefined();
    expect((await stage.records(id))[0]).toMatchObject({
      status: 'succeeded',
      attempts: [{ status_code: 200 }],
    });
  });
});
