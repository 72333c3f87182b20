import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;
let me: Json;
let connection: Json;
let receiver: LoopbackServer & { readonly received: ReceivedRequest[] };

const create = (body: Json, status = 201) => api.must(status, 'POST', '/openapi/conversations', body);
const group = (more: Json = {}) => create({ participant_ids: [], ...more });
const contact = (name: string, more: Json = {}) =>
  api.must(201, 'POST', '/openapi/users', { display_name: name, ...more });
const change = (one: Json, body: Json) => api.must(200, 'PATCH', `/openapi/conversations/${one.id}`, body);
const read = (one: Json) => api.must(200, 'GET', `/openapi/conversations/${one.id}`);
const inbound = (address: string, text = 'Hi') =>
  api.must(201, 'POST', '/openapi/sandbox/inbound', { address, text });
const of = async ({ conversation_id: id }: Json) => read({ id });
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const dataOf = (event: Json | undefined) => (event?.data ?? {}) as Json;
const list = async (path: string) => (await api.must<{ data: Json[] }>(200, 'GET', path)).data;
const events = (event: string, id: unknown, count = 1) =>
  eventually(
    async () =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as Json)
        .filter((one) => one.event === event && dataOf(one).id === id)
        .sort((a, b) => Number(dataOf(a).sequence) - Number(dataOf(b).sequence)),
    (all) => all.length >= count,
  );

beforeAll(async () => {
  receiver = await loopbackReceiver((_request, response) => response.writeHead(200).end());
  service = await shareService();
  api = service.client(await service.createKey({ test: true }));
  me = await api.must(200, 'GET', '/openapi/users/me');
  await api.must(201, 'POST', '/api/webhooks', { url: `${receiver.url}hook`, events: ['conversations'] });
  const platform = await eventually(
    () => api.must(200, 'GET', '/openapi/platforms/sandbox'),
    ({ status }) => status === 'connected',
  );
  connection = (platform.connections as Json[])[0] as Json;
});
afterAll(async () => {
  await receiver?.close();
});

describe('the events of a change', () => {
  it('are one per kind of change, each with the previous values', async () => {
    const made = await group({ title: 'A', labels: ['x'] });
    await change(made, {
      title: 'B',
      labels: [],
      assignee_id: me.id,
      status: 'resolved',
      priority: 'urgent',
    });
    const [updated] = await events('conversation.updated', made.id);
    expect(dataOf(updated)).toMatchObject({
      title: 'B',
      status: 'resolved',
      assignee_id: me.id,
      previous: { title: 'A', labels: ['x'], priority: 'none' },
    });
    const [moved] = await events('conversation.status_changed', made.id);
    expect(dataOf(moved).previous).toMatchObject({ status: 'open' });
    const [assigned] = await events('conversation.assigned', made.id);
    expect(dataOf(assigned).previous).toEqual({ assignee_id: null });
  });

  it('name the people who joined and left, and the link', async () => {
    const made = await group();
    const ann = await contact('Ann');
    const path = `/openapi/conversations/${made.id}`;
    await api.must(201, 'POST', `${path}/participants`, { user_id: ann.id });
    await api.must(204, 'DELETE', `${path}/participants/${ann.id}`);
    const link = await api.must(201, 'POST', `${path}/links`, {
      connection_id: connection.id,
      external_id: 'sent+told',
    });
    await api.must(204, 'DELETE', `${path}/links/${link.id}`);
    const [added] = await events('conversation.participant_added', made.id);
    expect(dataOf(added)).toMatchObject({ id: made.id, user_id: ann.id });
    expect(dataOf(added).participants).toHaveLength(2);
    const [removed] = await events('conversation.participant_removed', made.id);
    expect(dataOf(removed)).toMatchObject({ user_id: ann.id });
    const [linked] = await events('conversation.link_added', made.id);
    expect(dataOf(linked)).toMatchObject({ link, platform: 'sandbox' });
    const [unlinked] = await events('conversation.link_removed', made.id);
    expect(dataOf(unlinked)).toMatchObject({ link: { id: link.id }, links: [] });
    await api.must(204, 'DELETE', path);
    const [deleted] = await events('conversation.deleted', made.id);
    expect(deleted?.data).toEqual({
      id: made.id,
      number: made.number,
      deleted_at: expect.any(String),
      deleted_by: me.id,
      sequence: expect.any(Number),
    });
  });
});

describe('fields of a conversation', () => {
  it('accept all values of the contract', async () => {
    const made = await group({ title: '', team: '', labels: ['é'.repeat(256)], metadata: { a: [1] } });
    expect(made).toMatchObject({ title: '', team: '', metadata: { a: [1] } });
    const labels = Array.from({ length: 50 }, (_, n) => `label ${n}`);
    expect(await change(made, { labels, team: 'Sales', metadata: {} })).toMatchObject({
      labels,
      team: 'Sales',
      metadata: {},
    });
    expect(await change(made, { team: null, assignee_id: me.id })).toMatchObject({
      team: null,
      assignee_id: me.id,
    });
    expect(await change(made, { assignee_id: null })).toMatchObject({ assignee_id: null });
    const wrong: [Json, [string, string]][] = [
      [{ labels: [''] }, ['labels.0', 'too_short']],
      [{ labels: ['x'.repeat(257)] }, ['labels.0', 'too_long']],
      [{ labels: [...labels, 'one more'] }, ['labels', 'too_many']],
      [{ team: 'x'.repeat(257) }, ['team', 'too_long']],
      [{ priority: 'none ' }, ['priority', 'invalid_value']],
      [{ priority: null }, ['priority', 'invalid_type']],
      [{ assignee_id: 'me' }, ['assignee_id', 'invalid_format']],
      [{ metadata: { ['k'.repeat(41)]: 1 } }, ['metadata', 'invalid_value']],
      [{ snoozed_until: 'soon', status: 'snoozed' }, ['snoozed_until', 'invalid_format']],
      [{ unread_count: 0 }, ['unread_count', 'read_only']],
      [{ closed_at: null }, ['closed_at', 'read_only']],
      [{ links: [] }, ['links', 'read_only']],
      [{ platform: 'sandbox' }, ['platform', 'read_only']],
    ];
    for (const [body, problem] of wrong) {
      expect(fieldsOf(await api.patch(`/openapi/conversations/${made.id}`, body))).toEqual([problem]);
    }
  });

  it('accept only members as the assignee', async () => {
    const made = await group();
    const ann = await contact('Ann');
    const refused = await api.patch(`/openapi/conversations/${made.id}`, { assignee_id: ann.id });
    expect([refused.status, refused.body.details]).toEqual([404, { field: 'assignee_id' }]);
  });

  it('are found by every filter of the contract', async () => {
    const ann = await contact('Ann');
    const made = await group({
      type: 'channel',
      title: 'Needle, found',
      team: 'Team A',
      labels: ['only here'],
      priority: 'urgent',
      participant_ids: [ann.id],
      metadata: { order: 7 },
    });
    await change(made, { assignee_id: me.id, status: 'archived' });
    const closed = await read(made);
    const filters = [
      'type:channel',
      'status:archived',
      'platform:sandbox',
      `assignee_id:${me.id}`,
      'team:"Team A"',
      'label:"only here"',
      'priority:urgent',
      `participant_id:${ann.id}`,
      `number:>=${made.number}`,
      'title:~"NEEDLE, f"',
      `closed_at:${closed.closed_at}`,
      'last_message_at:null',
      'metadata.order:7',
    ];
    for (const filter of filters) {
      const query = `?limit=100&filter=${encodeURIComponent(filter)}`;
      const ids = (await list(`/openapi/conversations${query}`)).map(({ id }) => id);
      expect([filter, ids.includes(made.id)]).toEqual([filter, filter !== 'platform:sandbox']);
    }
    for (const filter of ['label:null', 'number:null', 'type:>a', 'title:~ab', 'assignee_id:x']) {
      const answer = await api.get(`/openapi/conversations?filter=${encodeURIComponent(filter)}`);
      expect([filter, fieldsOf(answer).map(([field]) => field)]).toEqual([filter, ['filter']]);
    }
  });
});

describe('a snooze', () => {
  it('is set, moved and ended by PATCH, and is set only with both fields', async () => {
    const made = await group();
    const until = inMs(3_600_000);
    const refused = await api.patch(`/openapi/conversations/${made.id}`, { snoozed_until: until });
    expect([reasonOf(refused), (refused.body.details as Json).current]).toEqual(['invalid_state', 'open']);
    await change(made, { status: 'snoozed', snoozed_until: until });
    const moved = inMs(7_200_000);
    expect(await change(made, { snoozed_until: moved })).toMatchObject({ snoozed_until: moved });
    expect(await change(made, { title: 'still' })).toMatchObject({ status: 'snoozed' });
    expect(await change(made, { status: 'open' })).toMatchObject({ status: 'open', snoozed_until: null });
  });

  it('ends when a person writes, as a pending or closed state does', async () => {
    const conversation = await of(await inbound('writer'));
    for (const body of [
      { status: 'snoozed', snoozed_until: inMs(3_600_000) },
      { status: 'pending' },
      { status: 'resolved' },
      { status: 'archived' },
    ]) {
      await change(conversation, body);
      await inbound('writer', String(body.status));
      expect(await read(conversation)).toMatchObject({
        status: 'open',
        snoozed_until: null,
        closed_at: null,
        last_message: { text: body.status },
      });
    }
    const told = await events('conversation.status_changed', conversation.id, 8);
    expect(told.map((one) => dataOf(one).status)).toEqual([
      'snoozed',
      'open',
      'pending',
      'open',
      'resolved',
      'open',
      'archived',
      'open',
    ]);
  });
});

describe('version 2.0', () => {
  it('omits the participants unless they are expanded', async () => {
    const made = await group();
    const plain = await api.must(200, 'GET', `/v2/openapi/conversations/${made.id}`);
    expect(plain).not.toHaveProperty('participants');
    const expanded = await api.must(200, 'GET', `/v2/openapi/conversations/${made.id}?expand=participants`);
    expect(expanded.participants).toEqual(made.participants);
    expect(fieldsOf(await api.get(`/v2/openapi/conversations/${made.id}?expand=links`))).toEqual([
      ['expand', 'invalid_value'],
    ]);
  });
});
