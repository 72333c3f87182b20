import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

interface CapabilitiesView {
  readonly v: number;
  readonly hash: string;
  readonly text: Json & { readonly formats: Json };
  readonly ops: Json;
  readonly media: Json;
}
interface Answer {
  readonly conversation_id: string;
  readonly links: readonly (Json & { readonly capabilities: CapabilitiesView })[];
  readonly combined: CapabilitiesView;
}

let service: SharedService;
let api: ApiClient;
let receiver: LoopbackServer & { readonly received: ReceivedRequest[] };

const open = (client: ApiClient, body: Json) => client.must(201, 'POST', '/openapi/conversations', body);
const capabilities = (client: ApiClient, key: unknown) =>
  client.must<Answer>(200, 'GET', `/openapi/conversations/${key}/capabilities`);

beforeAll(async () => {
  receiver = await loopbackReceiver((_request, response) => response.writeHead(200).end());
  service = await shareService();
  api = service.client();
});
afterAll(async () => {
  await receiver?.close();
});

describe('the capabilities of a conversation', () => {
  it('are all native without a platform', async () => {
    const { id, number } = await open(api, { participant_ids: [] });
    const answer = await capabilities(api, id);
    expect(answer).toMatchObject({ conversation_id: id, links: [], combined: { v: 1 } });
    const { text, ops } = answer.combined;
    expect(text.max).toBe(10_000);
    expect(new Set([...Object.values(text.formats), ...Object.values(ops)])).toEqual(new Set(['native']));
    expect(await capabilities(api, number)).toEqual(answer);
    await api.must(404, 'GET', `/openapi/conversations/${NOBODY}/capabilities`);
    await api.must(404, 'GET', '/openapi/conversations/999/capabilities');
  });

  it('are those of the platform for each link, and the weakest of the outbound links when combined', async () => {
    const connect = (platform: string, credentials: Json, settings: Json = {}) =>
      api.must(201, 'POST', `/openapi/platforms/${platform}/connections`, {
        name: platform,
        credentials,
        settings: { api_base_url: 'http://127.0.0.1:1999', ...settings },
      });
    const telegram = await connect('telegram', { bot_token: '1000:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' });
    const sms = await connect(
      'sms',
      { account_sid: `AC${'0'.repeat(32)}`, auth_token: '0'.repeat(32) },
      { from: '+15005550006' },
    );
    const link = (connection: Json, external_id: string, more: Json = {}) => ({
      connection_id: connection.id,
      external_id,
      ...more,
    });
    const both = await open(api, { links: [link(telegram, '-1'), link(sms, '+15005550001')] });
    const answer = await capabilities(api, both.id);
    expect(answer.links.map(({ platform }) => platform)).toEqual(['telegram', 'sms']);
    const [first, second] = answer.links.map((one) => one.capabilities);
    expect(answer.combined.text.max).toBe(Math.min(Number(first?.text.max), Number(second?.text.max)));
    const order = ['native', 'emulated', 'dropped', 'rejected', 'unknown'];
    for (const [op, level] of Object.entries(answer.combined.ops)) {
      const levels = [first?.ops[op], second?.ops[op]].map((one) => order.indexOf(String(one)));
      expect([op, level]).toEqual([op, order[Math.max(...levels)]]);
    }
    const shown = await api.must(200, 'GET', '/openapi/protocols/telegram');
    expect(first?.hash).toBe((shown.capabilities as Json).hash);

    const silent = await open(api, {
      links: [link(telegram, '-2'), link(sms, '+15005550002', { direction: 'inbound' })],
    });
    const alone = await capabilities(api, silent.id);
    expect(alone.links).toHaveLength(2);
    expect(alone.combined).toEqual(first);
  });
});

describe('typing', () => {
  it('is sent to subscribers and shown where the platform supports it', async () => {
    const test = service.client(await service.createKey({ test: true }));
    await eventually(
      () => test.must(200, 'GET', '/openapi/platforms/sandbox'),
      ({ status }) => status === 'connected',
    );
    const me = await test.must(200, 'GET', '/openapi/users/me');
    await test.must(201, 'POST', '/api/webhooks', { url: `${receiver.url}typing`, events: ['typing.*'] });
    const { id, number } = await open(test, { recipient: { platform: 'sandbox', address: 'sent+typing' } });
    for (const [key, state] of [
      [id, 'started'],
      [number, 'stopped'],
    ]) {
      expect(await test.must(200, 'POST', `/openapi/conversations/${key}/typing`, { state })).toEqual({
        accepted: true,
      });
    }
    const told = await eventually(
      async () => receiver.received.map(({ body }) => JSON.parse(body) as { event: string; data: Json }),
      (all) => all.length >= 2,
    );
    expect(told.map(({ event }) => event).sort()).toEqual(['typing.started', 'typing.stopped']);
    expect(told[0]?.data).toEqual({
      conversation_id: id,
      user_id: me.id,
      platform: null,
      sequence: expect.any(Number),
    });
    // A typing indicator that could not be shown at once is dropped, so it is sent repeatedly.
    await eventually(
      async () => {
        await test.must(200, 'POST', `/openapi/conversations/${id}/typing`, { state: 'started' });
        return service.log.filter(({ msg }) => msg === 'sandbox.step_accepted');
      },
      (steps) => steps.length >= 1,
    );
  });

  it('requires a valid state, an existing conversation and its scope', async () => {
    const { id } = await open(api, { participant_ids: [] });
    const path = `/openapi/conversations/${id}/typing`;
    expect(fieldsOf(await api.post(path, {}))).toEqual([['state', 'required']]);
    expect(fieldsOf(await api.post(path, { state: 'paused' }))).toEqual([['state', 'invalid_value']]);
    await api.must(404, 'POST', `/openapi/conversations/${NOBODY}/typing`, { state: 'started' });
    const reader = service.client(await service.createKey({ scopes: 'messages:read' }));
    await reader.must(403, 'POST', path, { state: 'started' });
    await reader.must(403, 'GET', `/openapi/conversations/${id}/capabilities`);
  });
});
