import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/core/access/caller.js';
import { generateSecret } from '../../../src/core/webhooks/secret.js';
import { verifySignature } from '../../../src/core/webhooks/signature.js';
import { loopbackReceiver, type ReceivedRequest } from '../../support/loopback-receiver.js';
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

describe('a delivery', () => {
  it('keeps an excerpt of each response without header values, and shows it in neither the record nor the log', async () => {
    caller = await stage.caller();
    const target = await receiver((request, response) => {
      response.writeHead(503).end(`Broken \u0007 for ${request.headers['x-token']}${'.'.repeat(5_000)}`);
    });
    const { id } = await stage.register(caller, target.url, { headers: { 'X-Token': 'of-the-shop' } });
    await stage.emit(caller, callEvent('c'));
    await stage.deliver(id);
    await stage.makeDue(id);
    await stage.deliver(id);
    const [record] = await stage.records(id);
    const answers = await stage.deliveries.answers(caller.workspaceId, record.id);
    expect(answers.map(({ at }) => at)).toEqual(record.attempts.map(({ at }: { at: string }) => at));
    for (const { text } of answers) {
      expect(text).toMatch(/^Broken � for \*{3}\.+$/);
      expect(text.length).toBeGreaterThan(1_000);
      expect(text.length).toBeLessThanOrEqual(1_024);
    }
    expect(Object.keys(record.attempts[0]).sort()).toEqual(['at', 'duration_ms', 'error', 'status_code']);
    expect(JSON.stringify(stage.log)).not.toContain('Broken');
    expect(await stage.deliveries.answers((await stage.caller()).workspaceId, record.id)).toEqual([]);
  });

  it('arrives signed by both schemes, with the payload and headers of the endpoint', async () => {
    caller = await stage.caller();
    const target = await answering(200);
    const secret = generateSecret();
    const { id } = await stage.register(caller, target.url, { secret, headers: { 'X-Tenant': 'acme' } });
    const [position] = await stage.emit(caller, {
      type: 'message.created',
      data: { id: 'm', text: 'Grüße' },
      extra: { sender: { id: 'u' } },
    });
    expect(await stage.takeReminders()).toEqual([{ webhookId: id, runAt: null }]);
    await stage.deliver(id);

    const [request] = target.received as [ReceivedRequest];
    expect(request).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Trunkline/1.2.3', 'x-tenant': 'acme' },
    });
    expect(verifySignature(request.body, request.headers, secret)).toBe(true);
    const { 'x-service-signature': _own, ...standard } = request.headers;
    expect(verifySignature(request.body, standard, secret)).toBe(true);
    const [record] = await stage.records(id);
    expect(payloadOf(request)).toEqual({
      id: record.event_id,
      event: 'message.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { id: 'm', text: 'Grüße', sender: { id: 'u' }, sequence: Number(position) },
    });
    expect(request.headers['webhook-id']).toBe(record.event_id);
    expect(record).toMatchObject({
      webhook_id: id,
      event_id: expect.stringMatching(/^whk_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      status: 'succeeded',
      next_attempt_at: null,
      attempts: [{ status_code: 200, error: null, duration_ms: expect.any(Number), at: expect.any(String) }],
    });
    const webhook = await stage.get.execute(caller, id);
    expect(webhook).toMatchObject({ secret: null, headers: { 'X-Tenant': '***' }, failing_since: null });
    expect(webhook.last_success_at).not.toBeNull();
    expect(await stage.takeReminders()).toEqual([]);
  });

  it('is presented in the version of its endpoint, under one id for all endpoints', async () => {
    caller = await stage.caller();
    const target = await answering(200);
    const first = await stage.register(caller, target.url);
    const second = await stage.register(caller, target.url, {}, '2.0');
    await stage.emit(caller, callEvent('c1'));
    await stage.deliver(first.id);
    await stage.deliver(second.id);
    const [one, two] = target.received.map(payloadOf);
    expect(two.id).toBe(one.id);
    expect(one).not.toHaveProperty('type');
    expect(two).toMatchObject({ type: 'call.ended', data: { shape: '2.0' } });
  });

  it('is made once per event and endpoint, however often the event is fanned out', async () => {
    caller = await stage.caller();
    const target = await answering(200);
    const { id } = await stage.register(caller, target.url, { events: ['calls'] });
    const other = await stage.register(caller, target.url, { events: ['user.*'] });
    const foreigner = await stage.caller();
    await stage.register(foreigner, target.url);
    const positions = await stage.emit(caller, callEvent('c1'), callEvent('c2'), {
      type: 'typing.started',
      data: {},
    });
    await Promise.all([stage.fanOut.run(positions), stage.fanOut.run(positions)]);
    await stage.deliver(id);
    expect(target.received).toHaveLength(2);
    expect(await stage.records(other.id)).toEqual([]);
  });

  it('is attempted ten times on its schedule, each with a new signature, then dead, and can be retried', async () => {
    caller = await stage.caller();
    const target = await answering(500);
    const { id } = await stage.register(caller, target.url);
    await stage.emit(caller, callEvent('c1'));
    const waits: number[] = [];
    for (let n = 1; n <= 10; n += 1) {
      await stage.deliver(id);
      const [record] = await stage.records(id);
      expect(record.attempts).toHaveLength(n);
      if (n < 10) {
        waits.push(Date.parse(record.next_attempt_at) - Date.parse(record.updated_at));
        await stage.deliver(id); // not due yet
        await stage.makeDue(id);
      }
    }
    expect(waits.map((ms) => ms / 1000)).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ]);
    const [dead] = await stage.records(id);
    expect(dead).toMatchObject({ status: 'dead', next_attempt_at: null });
    expect(target.received).toHaveLength(10);
    expect(new Set(target.received.map((each) => each.headers['webhook-id'])).size).toBe(1);
    expect((await stage.get.execute(caller, id)).failing_since).not.toBeNull();

    await expect(stage.retry.execute(caller, id, dead.id)).resolves.toMatchObject({ status: 'pending' });
    await expect(stage.retry.execute(caller, id, dead.id)).rejects.toMatchObject({
      details: { reason: 'invalid_state', current: 'pending' },
    });
    await stage.deliver(id);
    expect(target.received).toHaveLength(11);
    expect((await stage.records(id))[0]).toMatchObject({ status: 'pending' });
  });

  it('waits as long as the receiver asks and sends one reminder for it', async () => {
    caller = await stage.caller();
    const target = await receiver((_request, response) =>
      response.writeHead(429, { 'retry-after': '600' }).end(),
    );
    const { id } = await stage.register(caller, target.url);
    await stage.emit(caller, callEvent('c1'), callEvent('c2'));
    await stage.takeReminders();
    await stage.deliver(id);
    const [record] = await stage.records(id);
    expect(Date.parse(record.next_attempt_at) - Date.parse(record.updated_at)).toBe(600_000);
    await stage.deliver(id);
    await stage.deliver(id);
    const reminders = await stage.takeReminders();
    expect(reminders).toHaveLength(1);
    const due = (await stage.records(id)).map((each) => each.next_attempt_at).sort();
    expect(reminders[0]!.runAt!.toISOString()).toBe(due[0]);
  });

  it('records why there was no response, and a success ends the failing state', async () => {
    caller = await stage.caller();
    const target = await answering(302, 200);
    const gone = await loopbackReceiver(() => undefined);
    await gone.close();
    const { id } = await stage.register(caller, gone.url);
    await stage.emit(caller, callEvent('c1'));
    await stage.deliver(id);
    await stage.update.execute(caller, id, { url: target.url });
    for (let n = 0; n < 2; n += 1) {
      await stage.makeDue(id);
      await stage.deliver(id);
    }
    expect((await stage.records(id))[0]).toMatchObject({
      status: 'succeeded',
      attempts: [
        { status_code: null, error: 'connection' },
        { status_code: 302, error: 'http_status' },
        { status_code: 200, error: null },
      ],
    });
    expect(await stage.get.execute(caller, id)).toMatchObject({
      failing_since: null,
      last_failure_at: expect.any(String),
    });
  });
});
