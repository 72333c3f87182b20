import { describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { beforeSandbox } from '../support/sandbox-talk.js';
import type { SharedService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;

const { group, say, message, outcome, events } = beforeSandbox(
  ['messages', 'delivery.updated', 'reaction.*', 'typing.*'],
  async (given) => {
    ({ service, api } = given);
  },
);

const dataOf = (event: Json | undefined) => (event?.data ?? {}) as Json;
const deliveryOf = (one: Json) => (one.deliveries as Json[])[0] as Json;
const emoji = (id: unknown, text: string) => `/openapi/messages/${id}/reactions/${encodeURIComponent(text)}`;

describe('a manual retry', () => {
  it('queues a failed delivery with new attempts and a new expiry, and only once', async () => {
    const failed = await outcome('fail+again', 'failed');
    expect(failed).toMatchObject({ error: { code: 'content_rejected' }, failed_at: expect.any(String) });
    const before = deliveryOf(failed);
    const again = await api.must(200, 'POST', `/openapi/messages/${failed.id}/retry`);
    expect(again).toMatchObject({ status: 'queued', error: null, failed_at: null });
    expect(deliveryOf(again)).toMatchObject({
      id: before.id,
      status: 'queued',
      attempt_count: 0,
      error: null,
      failed_at: null,
    });
    expect(Date.parse(String(deliveryOf(again).expires_at))).toBeGreaterThan(
      Date.parse(String(before.expires_at)),
    );
    await eventually(
      () => message(failed.id),
      ({ status }) => status === 'failed',
    );
    const moves = await events('delivery.updated', ({ id }) => id === before.id, 6);
    expect(moves.map(({ data }) => dataOf({ data }).status)).toEqual([
      'queued',
      'sending',
      'failed',
      'queued',
      'sending',
      'failed',
    ]);
    expect(dataOf(moves[3]).previous).toEqual({ status: 'failed' });
  });

  it('of a single delivery queues it again, and is refused for a delivery that has not failed', async () => {
    const failed = await outcome('gone+one', 'failed');
    const { id } = deliveryOf(failed);
    expect(await api.must(200, 'POST', `/openapi/deliveries/${id}/retry`)).toMatchObject({
      id,
      status: 'queued',
      attempt_count: 0,
      error: null,
    });
    const sent = await outcome('sent+one', 'sent');
    const refused = await api.post(`/openapi/deliveries/${deliveryOf(sent).id}/retry`);
    expect([reasonOf(refused), (refused.body.details as Json).current]).toEqual(['invalid_state', 'sent']);
    expect(reasonOf(await api.post(`/openapi/messages/${sent.id}/retry`))).toBe('nothing_to_retry');
    expect(reasonOf(await api.post(`/openapi/messages/${(await say(await group(), 'x')).id}/retry`))).toBe(
      'nothing_to_retry',
    );
    for (const path of [`messages/${NOBODY}/retry`, `deliveries/${NOBODY}/retry`, 'deliveries/x/retry']) {
      await api.must(404, 'POST', `/openapi/${path}`);
    }
  });

  it('ends with the outcome of the address again, even if that arrives late', async () => {
    const failed = await outcome('late+again', 'failed');
    const before = deliveryOf(failed);
    await api.must(200, 'POST', `/openapi/messages/${failed.id}/retry`);
    const again = await eventually(
      () => message(failed.id),
      ({ status, failed_at: at }) => status === 'failed' && at !== failed.failed_at,
    );
    expect(deliveryOf(again)).toMatchObject({ error: { code: 'platform_error' } });
    const moves = await events('delivery.updated', ({ id }) => id === before.id, 8);
    expect(moves.slice(4).map(({ data }) => dataOf({ data }).status)).toEqual([
      'queued',
      'sending',
      'sent',
      'failed',
    ]);
  });

  it('can find failed deliveries by status, platform and conversation', async () => {
    const failed = await outcome('fail+dead', 'failed');
    const path = `/openapi/deliveries?filter=status:failed,message_id:${failed.id}`;
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', path);
    expect(data).toEqual(failed.deliveries);
    const { id } = deliveryOf(failed);
    expect(await api.must(200, 'GET', `/openapi/deliveries/${id}`)).toEqual(deliveryOf(failed));
    for (const field of ['platform:sandbox', `conversation_id:${failed.conversation_id}`]) {
      const found = await api.must<{ data: Json[] }>(
        200,
        'GET',
        `/openapi/deliveries?sort=next_attempt_at&limit=100&filter=${field}`,
      );
      expect(found.data.map((one) => one.id)).toContain(id);
    }
  });
});

describe('the error of a message', () => {
  const linked = async (...addresses: string[]) => {
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', '/openapi/platforms/connections');
    const links = addresses.map((external_id) => ({ connection_id: data[0]?.id, external_id }));
    return group({ links, participant_ids: undefined });
  };
  const once = (one: Json, ...statuses: string[]) =>
    eventually(
      () => message(one.id),
      ({ deliveries }) =>
        JSON.stringify((deliveries as Json[]).map(({ status }) => status)) === JSON.stringify(statuses),
    );

  it('is that of its first failed delivery, even while the status stays the same', async () => {
    const waiting = await say(await linked('flaky+error', 'fail+error'), 'x');
    expect(await once(waiting, 'queued', 'failed')).toMatchObject({
      status: 'sending',
      error: { code: 'content_rejected' },
      failed_at: null,
    });
    const late = await say(await linked('late+error', 'fail+later'), 'x');
    const ended = await once(late, 'failed', 'failed');
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'platform_error' } });
    const told = await events('message.failed', ({ id }) => id === late.id);
    expect(told.map(({ data }) => dataOf({ data }).failed_at)).toEqual([ended.failed_at]);
  });

  it('reports that a message of one platform could not be copied to another, until the copy is retried', async () => {
    const conversation = await linked('sent+from', 'unknown+to');
    const inbound = await api.must(201, 'POST', '/openapi/sandbox/inbound', {
      address: 'sent+from',
      text: 'x',
    });
    expect(inbound).toMatchObject({ conversation_id: conversation.id, status: 'received', error: null });
    const { id } = deliveryOf(await once(inbound, 'uncertain'));
    await api.must(200, 'POST', `/openapi/deliveries/${id}/resolve`, { outcome: 'failed' });
    expect(await message(inbound.id)).toMatchObject({
      status: 'received',
      error: { code: 'network' },
      failed_at: null,
    });
    await api.must(200, 'POST', `/openapi/messages/${inbound.id}/retry`);
    expect(await message(inbound.id)).toMatchObject({ status: 'received', error: null });
  });
});

describe('an uncertain delivery', () => {
  it.each([
    ['sent', { status: 'sent', error: null, sent_at: expect.any(String) }],
    [
      'failed',
      { status: 'failed', error: { code: 'network', permanent: false }, failed_at: expect.any(String) },
    ],
  ] as [string, Json][])('gets the outcome that a user states: %s', async (said, expected) => {
    const uncertain = await outcome(`unknown+${said}`, 'uncertain');
    const { id } = deliveryOf(uncertain);
    const path = `/openapi/deliveries/${id}/resolve`;
    const resolved = await api.must(200, 'POST', path, { outcome: said });
    expect(resolved).toMatchObject({ ...expected, resolution: 'manual', parts: [{ status: said }] });
    expect(await message(uncertain.id)).toMatchObject({ status: said });
    const refused = await api.post(path, { outcome: said });
    expect([reasonOf(refused), (refused.body.details as Json).current]).toEqual(['invalid_state', said]);
    const told = await events('delivery.', (data) => data.id === id && data.resolution === 'manual');
    expect(dataOf(told[0]).previous).toEqual({ status: 'uncertain' });
  });

  it('requires a valid outcome to be resolved', async () => {
    const path = `/openapi/deliveries/${NOBODY}/resolve`;
    expect(fieldsOf(await api.post(path, {}))).toEqual([['outcome', 'required']]);
    expect(fieldsOf(await api.post(path, { outcome: 'read' }))).toEqual([['outcome', 'invalid_value']]);
    await api.must(404, 'POST', path, { outcome: 'sent' });
  });
});

describe('scopes', () => {
  it('are those of messages', async () => {
    const reader = service.client(await service.createKey({ test: true, scopes: 'messages:read' }));
    const { id } = await say(await group(), 'x');
    const writes: [string, string][] = [
      ['POST', `/openapi/messages/${id}/read`],
      ['POST', `/openapi/messages/${id}/retry`],
      ['PUT', emoji(id, '👍')],
      ['DELETE', emoji(id, '👍')],
      ['POST', `/openapi/deliveries/${NOBODY}/retry`],
      ['POST', `/openapi/deliveries/${NOBODY}/resolve`],
    ];
    for (const [method, path] of writes) {
      const { status, body } = await reader.send(method, path);
      expect([status, (body.details as Json).required]).toEqual([403, ['messages:write']]);
    }
    await reader.must(200, 'GET', '/openapi/deliveries');
  });
});
