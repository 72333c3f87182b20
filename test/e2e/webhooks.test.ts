import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;
let receiver: LoopbackServer & { readonly received: ReceivedRequest[] };
let answerWith = 200;

const register = (more: Json = {}) =>
  api.must(201, 'POST', '/api/webhooks', { url: `${receiver.url}hook`, events: ['messages'], ...more });
const arrived = (path: string, event: string) =>
  eventually(
    async () => receiver.received.find((one) => one.path === path && JSON.parse(one.body).event === event),
    (found) => found !== undefined,
  );

beforeAll(async () => {
  receiver = await loopbackReceiver((_request, response) => response.writeHead(answerWith).end('thanks'));
  service = await shareService();
  api = service.client();
});
afterAll(async () => {
  await receiver?.close();
});

describe('registering a webhook', () => {
  it('shows the secret once, removes duplicate events and hides header values', async () => {
    const made = await register({
      events: ['message.created', 'calls', 'message.created'],
      secret: null,
      headers: { 'X-Mine': 'secret-value' },
      description: 'D',
      rate_limit: 5,
      metadata: { a: 1 },
    });
    expect(made).toMatchObject({
      events: ['message.created', 'calls'],
      scopes: ['messages:read', 'calls:read'],
      status: 'enabled',
      api_version: '1.0',
      headers: { 'X-Mine': '***' },
      description: 'D',
      rate_limit: 5,
      metadata: { a: 1 },
      failing_since: null,
    });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made.secret_hint).toBe(String(made.secret).slice(-4));
    const shown = await api.must(200, 'GET', `/api/webhooks/${made.id}`);
    expect(shown).toEqual({ ...made, secret: null });
    const list = await api.must<{ data: Json[] }>(200, 'GET', '/api/webhooks?filter=event:calls');
    expect(list.data).toEqual([shown]);
    expect(
      await api.must(201, 'POST', '/v2/api/webhooks', { url: receiver.url, events: ['*'] }),
    ).toMatchObject({ api_version: '2.0' });
    await api.must(204, 'DELETE', `/api/webhooks/${made.id}`);
    await api.must(404, 'DELETE', `/api/webhooks/${made.id}`);
  });

  it.each<[string, Json, [string, string]]>([
    ['no address', { url: undefined }, ['url', 'required']],
    ['a word', { url: 'x' }, ['url', 'invalid_format']],
    ['another scheme', { url: 'ftp://example.com/' }, ['url', 'forbidden_target']],
    ['user information', { url: 'https://a:b@example.com/' }, ['url', 'forbidden_target']],
    ['a private address', { url: 'https://192.168.0.1/' }, ['url', 'forbidden_target']],
    [
      'a metadata address in IPv6 clothes',
      { url: 'https://[::ffff:169.254.169.254]/' },
      ['url', 'forbidden_target'],
    ],
    ['plain http to the world', { url: 'http://8.8.8.8/' }, ['url', 'forbidden_target']],
    ['a database port', { url: 'https://8.8.8.8:5432/' }, ['url', 'forbidden_target']],
    ['no events', { events: [] }, ['events', 'too_short']],
    ['an unknown event', { events: ['message.exploded'] }, ['events.0', 'invalid_value']],
    ['a weak secret', { secret: 'whsec_abc' }, ['secret', 'invalid_format']],
    [
      'a header of ours',
      { headers: { 'X-Service-Signature': 'x' } },
      ['headers.X-Service-Signature', 'invalid_format'],
    ],
    ['a rate of 0', { rate_limit: 0 }, ['rate_limit', 'too_small']],
    ['auto_disabled', { status: 'auto_disabled' }, ['status', 'invalid_value']],
  ])('refuses %s', async (_what, more, [field, code]) => {
    const answer = await api.post('/api/webhooks', {
      url: `${receiver.url}hook`,
      events: ['messages'],
      ...more,
    });
    expect(fieldsOf(answer)).toEqual([[expect.stringMatching(new RegExp(`^${field.split('.')[0]}`)), code]]);
  });

  it('reports invalid changes before it reports an unknown webhook', async () => {
    const answer = await api.send('PATCH', `/api/webhooks/${NOBODY}`, { body: { url: 'nowhere' } });
    expect(fieldsOf(answer)).toEqual([['url', 'invalid_format']]);
    await api.must(404, 'PATCH', `/api/webhooks/${NOBODY}`, { url: `${receiver.url}hook` });
  });

  it('refuses the service itself as receiver', async () => {
    const url = service.url.replace('localhost', '127.0.0.1');
    const answer = await api.post('/api/webhooks', { url: `${url}/openapi/messages`, events: ['messages'] });
    expect(fieldsOf(answer)).toEqual([['url', 'forbidden_target']]);
  });

  it('needs the read scope of each event, and hides webhooks that a key may not see', async () => {
    const hook = await register({ events: ['messages', 'calls'] });
    const calls = service.client(await service.createKey({ scopes: 'calls:read' }));
    const refused = await calls.post('/api/webhooks', { url: receiver.url, events: ['message.created'] });
    expect([refused.status, refused.body.details]).toEqual([
      403,
      { required: ['messages:read'], provided: ['calls:read'] },
    ]);
    expect(await calls.must<{ data: Json[]; meta: Json }>(200, 'GET', '/api/webhooks')).toMatchObject({
      data: [],
      meta: { total_items: 0 },
    });
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
    ] as const) {
      expect(
        (
          await calls.send(
            method,
            `/api/webhooks/${hook.id}${path}`,
            method === 'GET' || method === 'DELETE' ? {} : { body: {} },
          )
        ).status,
      ).toBe(403);
    }
    const before: [string, string, object?, string?][] = [
      ['POST', '/recover', {}],
      ['POST', '/rotate-secret', { secret: 5 }],
      ['PATCH', '', { events: 5 }],
      ['GET', '/deliveries?limit=0'],
      ['POST', '/test', {}, 'é'],
    ];
    for (const [method, path, body, key] of before) {
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      const answer = await calls.send(method, `/api/webhooks/${hook.id}${path}`, {
        headers,
        ...(body && { body }),
      });
      expect([answer.status, answer.body.details]).toEqual([
        403,
        { required: ['messages:read', 'calls:read'], provided: ['calls:read'] },
      ]);
    }
    const own = await calls.must(201, 'POST', '/api/webhooks', { url: receiver.url, events: ['calls'] });
    const asked: [string, string, object][] = [
      ['POST', '/api/webhooks', { events: ['nope', 5, 'message.created'] }],
      ['POST', '/api/webhooks', { events: ['messages'], url: 5 }],
      ['PATCH', `/api/webhooks/${own.id}`, { events: ['message.*'], url: 5 }],
    ];
    for (const [method, path, body] of asked) {
      const answer = await calls.send(method, path, { body, headers: { 'idempotency-key': 'é' } });
      expect([answer.status, answer.body.details]).toEqual([
        403,
        { required: ['messages:read'], provided: ['calls:read'] },
      ]);
    }
    await calls.must(204, 'DELETE', `/api/webhooks/${own.id}`);
    await calls.must(400, 'POST', `/api/webhooks/${NOBODY}/recover`, {});
    await api.must(204, 'DELETE', `/api/webhooks/${hook.id}`);
  });
});

describe('notifying a webhook', () => {
  it('sends each event once, signed by both schemes, with the record in its data', async () => {
    const hook = await register({
      url: `${receiver.url}signed`,
      events: ['message.*'],
      headers: { 'X-Mine': 'yes' },
    });
    const conversation = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
    const message = await api.must(201, 'POST', '/openapi/messages', {
      conversation_id: conversation.id,
      text: 'Grüße ✓',
    });
    const request = await arrived('/signed', 'message.created');
    const payload = JSON.parse(request?.body ?? '') as Json;
    expect(Object.keys(payload)).toEqual(['id', 'event', 'timestamp', 'data']);
    expect(payload.id).toMatch(/^whk_[0-9A-HJKMNP-TV-Z]{26}$/);
    const { conversation: context, sender, sequence, ...record } = payload.data as Json;
    expect(record).toEqual(message);
    expect(context).toEqual({ id: conversation.id, number: conversation.number, platform: null });
    expect(sender).toMatchObject({ id: message.sender_id, kind: 'member' });
    expect(sequence).toEqual(expect.any(Number));
    const headers = request?.headers as Record<string, string>;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Trunkline\//),
      'x-mine': 'yes',
      'webhook-id': payload.id,
    });
    expect(headers['x-service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(new Webhook(String(hook.secret)).verify(request?.body ?? '', headers)).toEqual(payload);

    const { data } = await eventually(
      () =>
        api.must<{ data: Json[] }>(200, 'GET', `/api/webhooks/${hook.id}/deliveries?filter=status:succeeded`),
      (list) => list.data.length > 0,
    );
    expect(data[0]).toMatchObject({
      webhook_id: hook.id,
      event: 'message.created',
      event_id: payload.id,
      next_attempt_at: null,
    });
    expect(data[0]?.attempts).toMatchObject([
      { status_code: 200, error: null, duration_ms: expect.any(Number) },
    ]);
    const again = await api.must(200, 'POST', `/api/webhooks/${hook.id}/deliveries/${data[0]?.id}/retry`);
    expect(again).toMatchObject({ status: 'pending', event_id: payload.id });
    await eventually(
      async () => receiver.received.filter((one) => one.path === '/signed'),
      (all) => all.length === 2,
    );
    await api.must(204, 'DELETE', `/api/webhooks/${hook.id}`);
  });

  it('tests an endpoint immediately and once, whatever the response', async () => {
    const hook = await register({ url: `${receiver.url}tested` });
    expect(await api.must(200, 'POST', `/api/webhooks/${hook.id}/test`)).toMatchObject({
      event: 'webhook.test',
      status: 'succeeded',
      attempts: [{ status_code: 200 }],
    });
    answerWith = 500;
    const failed = await api.must(200, 'POST', `/api/webhooks/${hook.id}/test`).finally(() => {
      answerWith = 200;
    });
    expect(failed).toMatchObject({
      status: 'dead',
      attempts: [{ status_code: 500, error: 'http_status' }],
      next_attempt_at: null,
    });
    expect(
      receiver.received
        .filter(({ path }) => path === '/tested')
        .map(({ body }) => (JSON.parse(body).data as Json).webhook_id),
    ).toEqual([hook.id, hook.id]);
    await api.must(204, 'DELETE', `/api/webhooks/${hook.id}`);
  });

  it('signs with the old and the new secret during a rotation', async () => {
    const hook = await register({ url: `${receiver.url}rotated` });
    const rotated = await api.must(200, 'POST', `/api/webhooks/${hook.id}/rotate-secret`, { secret: null });
    expect(rotated.secret).not.toBe(hook.secret);
    await api.must(200, 'POST', `/api/webhooks/${hook.id}/test`);
    const request = receiver.received.find(({ path }) => path === '/rotated');
    for (const secret of [hook.secret, rotated.secret]) {
      new Webhook(String(secret)).verify(request?.body ?? '', request?.headers as Record<string, string>);
    }
    expect(request?.headers['x-service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    const own = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    expect(
      await api.must(200, 'POST', `/api/webhooks/${hook.id}/rotate-secret`, {
        secret: own,
        overlap_seconds: 0,
      }),
    ).toMatchObject({ secret: own });
    expect(
      fieldsOf(await api.post(`/api/webhooks/${hook.id}/rotate-secret`, { overlap_seconds: 604_801 })),
    ).toEqual([['overlap_seconds', 'too_large']]);
    await api.must(204, 'DELETE', `/api/webhooks/${hook.id}`);
  });

  it('can be disabled and enabled, and its scopes follow its changed events', async () => {
    const hook = await register({ url: `${receiver.url}off` });
    const path = `/api/webhooks/${hook.id}`;
    const off = await api.must(200, 'PATCH', path, {
      status: 'disabled',
      events: ['calls'],
      description: 'x',
    });
    expect(off).toMatchObject({
      status: 'disabled',
      events: ['calls'],
      scopes: ['calls:read'],
      secret: null,
    });
    expect(await api.must(200, 'PATCH', path, { status: 'disabled' })).toEqual(off);
    for (const body of [{ secret: 'x' }, { scopes: [] }, { api_version: '2.0' }]) {
      expect(fieldsOf(await api.patch(path, body))).toEqual([[Object.keys(body)[0], 'read_only']]);
    }
    await api.must(404, 'POST', `${path}/deliveries/${NOBODY}/retry`);
    expect(await api.must(200, 'PATCH', path, { status: 'enabled' })).toMatchObject({ status: 'enabled' });
    expect(
      await api.must(200, 'POST', `${path}/recover`, { since: new Date(Date.now() - 1_000).toISOString() }),
    ).toEqual({ count: 0 });
    const old = await api.post(`${path}/recover`, { since: '2020-01-01T00:00:00Z' });
    expect(fieldsOf(old)).toEqual([['since', 'too_small']]);
    await api.must(204, 'DELETE', path);
  });

  it('is limited to 50 webhooks', async () => {
    const { meta } = await api.must<{ meta: Json }>(200, 'GET', '/api/webhooks');
    for (let count = Number(meta.total_items); count < 50; count += 1) await register({ status: 'disabled' });
    const refused = await api.post('/api/webhooks', { url: receiver.url, events: ['messages'] });
    expect([reasonOf(refused), (refused.body.details as Json).limit]).toEqual(['limit_reached', 50]);
  });
});
