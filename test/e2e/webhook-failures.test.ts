import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { type SharedService, shareService } from '../support/shared-service.js';

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

let service: SharedService;
let api: ApiClient;
let conversation: Json;
let receiver: LoopbackServer & { readonly received: ReceivedRequest[] };
/** The responses of each path, one after the other. The last one is repeated. */
const answers = new Map<string, Answer[]>();

const register = (path: string, more: Json = {}) =>
  api.must<Json & { id: string }>(201, 'POST', '/api/webhooks', {
    url: `${receiver.url}${path}`,
    events: ['message.created'],
    ...more,
  });
const say = (text: string) =>
  api.must(201, 'POST', '/openapi/messages', { conversation_id: conversation.id, text });
const at = (path: string) => receiver.received.filter((one) => one.path === `/${path}`);
const arrived = (path: string, count: number) =>
  eventually(
    async () => at(path),
    (all) => all.length >= count,
  );
const deliveries = async (id: unknown, filter = '') =>
  (await api.must<{ data: Json[] }>(200, 'GET', `/api/webhooks/${id}/deliveries?order=asc${filter}`)).data;
const settled = (id: unknown, wanted: (delivery: Json) => boolean) =>
  eventually(
    () => deliveries(id),
    (list) => list.length > 0 && list.every(wanted),
  );
const attemptsOf = (delivery: Json | undefined) => (delivery?.attempts ?? []) as Json[];
const remove = (id: unknown) => api.must(204, 'DELETE', `/api/webhooks/${id}`);
const secondsBetween = (from: unknown, to: unknown) =>
  (Date.parse(String(to)) - Date.parse(String(from))) / 1_000;

beforeAll(async () => {
  receiver = await loopbackReceiver((request, response) => {
    const list = answers.get(request.path.slice(1)) ?? [{ status: 200 }];
    const { status, headers = {}, body = '' } = (list.length > 1 ? list.shift() : list[0])!;
    response.writeHead(status, headers).end(body);
  });
  service = await shareService();
  api = service.client();
  conversation = await api.must(201, 'POST', '/openapi/conversations', {
    type: 'group',
    participant_ids: [],
  });
});
afterAll(async () => {
  await receiver?.close();
});

describe('a failed webhook delivery', () => {
  it('is retried after 5 s, with the same id and a new signature', async () => {
    answers.set('again', [{ status: 500 }, { status: 204 }]);
    const hook = await register('again');
    await say('tried twice');
    const [pending] = await settled(hook.id, ({ attempts }) => (attempts as Json[]).length === 1);
    expect(pending).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: 500, error: 'http_status' }],
    });
    const first = attemptsOf(pending)[0];
    const wait = secondsBetween(first?.at, pending?.next_attempt_at);
    expect(wait).toBeGreaterThan(4.4);
    expect(wait).toBeLessThan(60);
    expect(await api.must(200, 'GET', `/api/webhooks/${hook.id}`)).toMatchObject({
      failing_since: expect.any(String),
      last_failure_at: expect.any(String),
      last_success_at: null,
    });
    const retried = await api.post(`/api/webhooks/${hook.id}/deliveries/${pending?.id}/retry`);
    expect([reasonOf(retried), (retried.body.details as Json).current]).toEqual(['invalid_state', 'pending']);
    await arrived('again', 2);
    const [one, two] = at('again');
    expect([one?.headers['webhook-id'], one?.body]).toEqual([two?.headers['webhook-id'], two?.body]);
    expect(one?.headers['x-service-signature']).not.toBe(two?.headers['x-service-signature']);
    for (const request of [one, two]) {
      new Webhook(String(hook.secret)).verify(
        request?.body ?? '',
        request?.headers as Record<string, string>,
      );
    }
    await settled(
      hook.id,
      ({ status, next_attempt_at }) => status === 'succeeded' && next_attempt_at === null,
    );
    expect(await api.must(200, 'GET', `/api/webhooks/${hook.id}`)).toMatchObject({ failing_since: null });
    await remove(hook.id);
  });

  it('waits as long as the receiver asks with Retry-After, in seconds or as a date', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    for (const [path, status, asked, seconds] of [
      ['asks-429', 429, '1800', 1_800],
      ['asks-503', 503, date, 3_600],
      ['asks-too-long', 502, '9999999', 86_400],
      ['asks-for-less', 504, '1', 5],
      ['asks-in-vain', 500, '1800', 5],
    ] as const) {
      answers.set(path, [{ status, headers: { 'retry-after': asked } }]);
      const hook = await register(path);
      await say(path);
      const [delivery] = await settled(hook.id, ({ attempts }) => (attempts as Json[]).length === 1);
      const wait = secondsBetween(attemptsOf(delivery)[0]?.at, delivery?.next_attempt_at);
      // The date was written a while ago, and a busy machine is slow.
      expect(wait, path).toBeGreaterThan(seconds === 5 ? 4.4 : seconds - 60);
      expect(wait, path).toBeLessThan(seconds + 60);
      await remove(hook.id);
    }
  });

  it('has a redirect, which is not followed, or no response, while a long response succeeds', async () => {
    answers.set('moved', [{ status: 302, headers: { location: `${receiver.url}elsewhere` } }]);
    answers.set('long', [{ status: 200, body: 'x'.repeat(1_000_000) }]);
    const dead = await loopbackReceiver(() => undefined);
    await dead.close();
    const [moved, long, gone] = [
      await register('moved'),
      await register('long'),
      await register('', { url: dead.url }),
    ];
    await say('three ways');
    const tried = ({ attempts }: Json) => (attempts as Json[]).length === 1;
    expect(await settled(moved.id, tried)).toMatchObject([
      { status: 'pending', attempts: [{ status_code: 302, error: 'http_status' }] },
    ]);
    expect(await settled(gone.id, tried)).toMatchObject([
      { status: 'pending', attempts: [{ status_code: null, error: 'connection' }] },
    ]);
    expect(await settled(long.id, tried)).toMatchObject([{ status: 'succeeded' }]);
    expect(at('elsewhere')).toEqual([]);
    for (const hook of [moved, long, gone]) await remove(hook.id);
  });
});

describe('a webhook endpoint that is gone', () => {
  it('is disabled by 410 and the other webhooks are notified; its events are dead until they are recovered', async () => {
    answers.set('gone', [{ status: 410 }]);
    const since = new Date(Date.now() - 1_000).toISOString();
    const hook = await register('gone');
    const other = await register('other', { events: ['webhook.disabled'] });
    await say('the last');
    const shown = () => api.must(200, 'GET', `/api/webhooks/${hook.id}`);
    await eventually(shown, ({ status }) => status === 'auto_disabled');
    const [told] = await arrived('other', 1);
    expect(JSON.parse(told?.body ?? '')).toMatchObject({
      event: 'webhook.disabled',
      data: { webhook_id: hook.id, message: expect.any(String), sequence: expect.any(Number) },
    });
    await say('kept');
    await eventually(
      () => deliveries(hook.id),
      (list) => list.length === 2,
    );
    expect(
      (await deliveries(hook.id)).map(({ status, attempts }) => [status, (attempts as []).length]),
    ).toEqual([
      ['dead', 1],
      ['dead', 0],
    ]);
    const refused = await api.post(`/api/webhooks/${hook.id}/recover`, { since });
    expect([reasonOf(refused), (refused.body.details as Json).current]).toEqual([
      'invalid_state',
      'auto_disabled',
    ]);
    const [dead] = await deliveries(hook.id);
    expect(reasonOf(await api.post(`/api/webhooks/${hook.id}/deliveries/${dead?.id}/retry`))).toBe(
      'invalid_state',
    );
    expect(reasonOf(await api.patch(`/api/webhooks/${hook.id}`, { status: 'disabled' }))).toBe(
      'invalid_state',
    );

    answers.set('gone', [{ status: 200 }]);
    expect(await api.must(200, 'PATCH', `/api/webhooks/${hook.id}`, { status: 'enabled' })).toMatchObject({
      status: 'enabled',
      failing_since: null,
    });
    await say('after it came back');
    await arrived('gone', 2);
    expect((await deliveries(hook.id, '&filter=status:dead')).length).toBe(2);
    expect(await api.must(200, 'POST', `/api/webhooks/${hook.id}/recover`, { since })).toEqual({ count: 2 });
    await settled(hook.id, ({ status }) => status === 'succeeded');
    expect(
      at('gone')
        .map(({ body }) => JSON.parse(body).data.text)
        .sort(),
    ).toEqual(['after it came back', 'kept', 'the last', 'the last'].sort());
    expect(fieldsOf(await api.post(`/api/webhooks/${hook.id}/recover`, {}))).toEqual([['since', 'required']]);
    for (const { id } of [hook, other]) await remove(id);
  });

  it('records nothing while its owner has it disabled, and cancels pending deliveries', async () => {
    answers.set('paused', [{ status: 500 }, { status: 200 }]);
    const hook = await register('paused');
    await say('pending');
    await settled(hook.id, ({ attempts }) => (attempts as Json[]).length === 1);
    await api.must(200, 'PATCH', `/api/webhooks/${hook.id}`, { status: 'disabled' });
    expect(await deliveries(hook.id)).toMatchObject([{ status: 'canceled', next_attempt_at: null }]);
    const steady = await register('steady');
    await say('unseen');
    await arrived('steady', 1);
    await api.must(200, 'PATCH', `/api/webhooks/${hook.id}`, { status: 'enabled' });
    await say('seen');
    await arrived('paused', 2);
    expect(at('paused').map(({ body }) => JSON.parse(body).data.text)).toEqual(['pending', 'seen']);
    for (const { id } of [hook, steady]) await remove(id);
  });
});

describe('the list of webhook deliveries', () => {
  it('is filtered by status, event and times, sorted and paged', async () => {
    answers.set('listed', [{ status: 500 }, { status: 200 }]);
    const hook = await register('listed', { events: ['message.created', 'message.updated'] });
    const message = await say('one');
    await settled(hook.id, ({ attempts }) => (attempts as Json[]).length === 1);
    await api.must(200, 'PATCH', `/openapi/messages/${message.id}`, { text: 'two' });
    const list = await eventually(
      () => deliveries(hook.id),
      (all) => all.length === 2 && all.every(({ status }) => status === 'succeeded'),
    );
    const [created, updated] = list;
    expect(list.map(({ event }) => event)).toEqual(['message.created', 'message.updated']);
    expect(await deliveries(hook.id, '&filter=event:message.updated')).toEqual([updated]);
    expect(await deliveries(hook.id, '&filter=status:dead|canceled')).toEqual([]);
    expect(await deliveries(hook.id, `&filter=id:${created?.id}`)).toEqual([created]);
    expect(await deliveries(hook.id, `&filter=created_at:%3E=2100-01-01T00:00:00Z`)).toEqual([]);
    expect(await deliveries(hook.id, '&limit=1&page=2')).toEqual([updated]);
    for (const query of ['filter=nope:1', 'sort=event', 'filter=status:~pend']) {
      expect((await api.get(`/api/webhooks/${hook.id}/deliveries?${query}`)).status).toBe(400);
    }
    await remove(hook.id);
    await api.must(404, 'GET', `/api/webhooks/${hook.id}/deliveries`);
  });
});
