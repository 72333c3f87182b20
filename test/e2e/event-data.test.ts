import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { problemsOfEvent } from '../support/event-check.js';
import { TestStream } from '../support/event-stream.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;
const streams: TestStream[] = [];

beforeAll(async () => {
  service = await shareService({ test: true });
  api = service.client();
  for (const version of ['v1', 'v2']) {
    const path = `/${version}/openapi/events/stream`;
    const query = '?events=*,delivery.updated,reaction.*,typing.*';
    const stream = await TestStream.open(service.url, { key: service.key, path, query });
    await stream.until((frames) => frames.length > 0);
    streams.push(stream);
  }
});
afterAll(async () => {
  for (const stream of streams) stream.close();
});

const post = (path: string, body: Json = {}, status = 201) => api.must<Json>(status, 'POST', path, body);
const patch = (path: string, body: Json) => api.must<Json>(200, 'PATCH', path, body);

/** Each stream has received these events, and every event so far matches the description. */
async function expectDescribed(...names: readonly string[]): Promise<void> {
  for (const stream of streams) {
    await eventually(
      async () => names.filter((name) => !stream.events.some(({ event }) => event === name)),
      (missing) => missing.length === 0,
    );
    expect(stream.problems).toEqual([]);
  }
}

const contact = (name: string, identities: Json[] = []) =>
  post('/openapi/users', { display_name: name, identities });

describe('events match the OpenAPI description in both versions', () => {
  it('for users', async () => {
    const [ann, bob] = [await contact('Ann'), await contact('Bob')];
    await patch(`/openapi/users/${ann.id}`, { display_name: 'Anna' });
    await patch(`/openapi/users/${ann.id}`, { consent: { marketing: 'denied' } });
    await patch(`/openapi/users/${ann.id}`, { consent: { marketing: 'granted' } });
    await patch(`/openapi/users/${ann.id}`, { status: 'blocked' });
    await post(`/openapi/users/${ann.id}/merge`, { source_id: bob.id }, 200);
    await api.must(204, 'DELETE', `/openapi/users/${ann.id}`);
    await patch('/openapi/users/me', { presence: 'busy' });
    await expectDescribed(
      'user.created',
      'user.updated',
      'user.opted_out',
      'user.opted_in',
      'user.status_changed',
      'user.merged',
      'user.deleted',
      'user.presence_changed',
    );
  });

  it('for conversations, messages, deliveries and reactions', async () => {
    const identities = [{ platform: 'sandbox', external_id: 'sent+events' }];
    await contact('Ann', identities);
    const bob = await contact('Bob');
    const made = await post('/openapi/conversations', {
      recipient: { platform: 'sandbox', address: 'sent+events' },
    });
    const path = `/openapi/conversations/${made.id}`;
    await patch(path, { title: 'Chairs' });
    await patch(path, { status: 'pending' });
    await patch(path, {
      assignee_id: made.assignee_id ?? (await api.must(200, 'GET', '/openapi/users/me')).id,
    });
    const group = await post('/openapi/conversations', { type: 'group', participant_ids: [] });
    const people = `/openapi/conversations/${group.id}/participants`;
    await post(people, { user_id: bob.id });
    await api.must(204, 'DELETE', `${people}/${bob.id}`);
    await post(`${path}/typing`, { state: 'started' }, 200);
    const message = await post('/openapi/messages', { conversation_id: made.id, text: '**Hi**' });
    await eventually(
      () => api.must<Json>(200, 'GET', `/openapi/messages/${message.id}`),
      ({ status }) => status === 'sent',
    );
    await patch(`/openapi/messages/${message.id}`, { text: 'Hello' });
    const reaction = `/openapi/messages/${message.id}/reactions/${encodeURIComponent('👍')}`;
    await api.must(200, 'PUT', reaction);
    await api.must(204, 'DELETE', reaction);
    const received = await post('/openapi/sandbox/inbound', { address: 'sent+events', text: 'Hello' });
    await post(`/openapi/messages/${received.id}/read`, {}, 200);
    await api.must(204, 'DELETE', `/openapi/messages/${message.id}`);
    await api.must(204, 'DELETE', path);
    await expectDescribed(
      'conversation.created',
      'conversation.updated',
      'conversation.status_changed',
      'conversation.assigned',
      'conversation.participant_added',
      'conversation.participant_removed',
      'conversation.deleted',
      'message.created',
      'message.sent',
      'message.updated',
      'message.read',
      'message.deleted',
      'delivery.updated',
      'reaction.added',
      'reaction.removed',
      'typing.started',
    );
  });

  it('for broadcasts and locations', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const audience = { recipients: [{ platform: 'sandbox', address: 'sent+broadcast' }] };
    const later = await post('/openapi/broadcasts', { text: 'Hi', audience, schedule: { at } });
    await api.must(204, 'DELETE', `/openapi/broadcasts/${later.id}`);
    await post('/openapi/broadcasts', { text: 'Hi', audience });
    await post('/openapi/locations', { latitude: 1, longitude: 2 });
    await expectDescribed(
      'broadcast.scheduled',
      'broadcast.canceled',
      'broadcast.started',
      'broadcast.completed',
      'location.updated',
    );
  });
});

describe('the check of events', () => {
  it('finds an unknown field, a missing one and a wrong type', () => {
    const data = { webhook_id: crypto.randomUUID(), message: 'x', sequence: 1 };
    const payload = { id: 'whk_1', event: 'webhook.test', timestamp: new Date().toISOString(), data };
    expect(problemsOfEvent(payload)).toEqual([]);
    expect(
      problemsOfEvent({ ...payload, data: { webhook_id: data.webhook_id, truncated: true, sequence: 1 } }),
    ).toEqual([]);
    for (const wrong of [
      { ...data, more: 1 },
      { ...data, sequence: 'x' },
      { ...data, message: undefined },
    ]) {
      expect(problemsOfEvent({ ...payload, data: wrong })).not.toEqual([]);
    }
    expect(problemsOfEvent({ ...payload, type: 'webhook.disabled' })).not.toEqual([]);
  });
});
