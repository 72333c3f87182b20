import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;
let conversation: Json;

const send = (body: Json) => api.must(201, 'POST', '/openapi/messages', body);
const say = (text: string, more: Json = {}) => send({ conversation_id: conversation.id, text, ...more });

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  conversation = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
});

describe('replies and threads', () => {
  it('join the thread of the message replied to, and are counted at the root', async () => {
    const root = await say('root');
    const inThread = await say('one', { thread_id: root.id });
    const reply = await say('two', { reply_to_id: inThread.id });
    expect(inThread).toMatchObject({ thread_id: root.id, reply_to_id: null });
    expect(reply).toMatchObject({ thread_id: root.id, reply_to_id: inThread.id });
    expect(await api.must(200, 'GET', `/openapi/messages/${root.id}`)).toMatchObject({ thread_count: 2 });
    const { data } = await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/messages?filter=thread_id:${root.id}`,
    );
    expect(data.map(({ text }) => text)).toEqual(['two', 'one']);
  });

  it('refuse a thread other than that of the message replied to', async () => {
    const [root, other] = [await say('root'), await say('another root')];
    const inThread = await say('one', { thread_id: root.id });
    const same = await say('two', { reply_to_id: inThread.id, thread_id: root.id });
    expect(same).toMatchObject({ thread_id: root.id, reply_to_id: inThread.id });
    const elsewhere = await api.post('/openapi/messages', {
      conversation_id: conversation.id,
      text: 'three',
      reply_to_id: inThread.id,
      thread_id: other.id,
    });
    expect(fieldsOf(elsewhere)).toEqual([['thread_id', 'invalid_value']]);
  });

  it('refuse a root that is a reply, and messages of other conversations', async () => {
    const root = await say('root');
    const child = await say('child', { thread_id: root.id });
    const other = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
    const body = { conversation_id: 1, text: 'x' };
    const nested = await api.post('/openapi/messages', { ...body, thread_id: child.id });
    expect(fieldsOf(nested)).toEqual([['thread_id', 'invalid_value']]);
    for (const field of ['reply_to_id', 'thread_id']) {
      const foreign = await api.post('/openapi/messages', {
        ...body,
        conversation_id: other.id,
        [field]: root.id,
      });
      expect(fieldsOf(foreign)).toEqual([[field, 'invalid_value']]);
    }
  });
});

describe('a scheduled message', () => {
  it('waits, can be changed, and is sent at its time', async () => {
    const soon = new Date(Date.now() + 2_500).toISOString();
    const made = await say('later', {
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
      ttl_seconds: 60,
    });
    expect(made).toMatchObject({ status: 'scheduled', deliveries: [], sent_at: null });
    expect(Date.parse(String(made.expires_at)) - Date.parse(String(made.send_at))).toBe(60_000);
    const changed = await api.must(200, 'PATCH', `/openapi/messages/${made.id}`, {
      send_at: soon,
      text: 'sooner',
    });
    expect(changed).toMatchObject({ status: 'scheduled', send_at: soon, text: 'sooner', revision: 2 });
    const sent = await eventually(
      () => api.must(200, 'GET', `/openapi/messages/${made.id}`),
      ({ status }) => status === 'sent',
    );
    expect(sent).toMatchObject({ direction: 'internal', send_at: soon, expires_at: null });
    expect(Date.parse(String(sent.sent_at)) - Date.parse(soon)).toBeLessThan(3_000);
    const late = await api.patch(`/openapi/messages/${made.id}`, { send_at: soon });
    expect([reasonOf(late), (late.body.details as Json).current]).toEqual(['invalid_state', 'sent']);
  });

  it('is sent at once for a time up to a minute in the past', async () => {
    expect(await say('now', { send_at: new Date(Date.now() - 30_000).toISOString() })).toMatchObject({
      status: 'sent',
    });
  });

  it('is gone after DELETE', async () => {
    const made = await say('never', { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    await api.must(204, 'DELETE', `/openapi/messages/${made.id}`);
    await api.must(404, 'GET', `/openapi/messages/${made.id}`);
  });
});
