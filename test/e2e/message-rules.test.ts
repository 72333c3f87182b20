import { describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { beforeSandbox } from '../support/sandbox-talk.js';

const HOUR_MS = 3_600_000;

let api: ApiClient;
let me: Json;

const { group, say, open, told } = beforeSandbox(['message.*'], async (given) => {
  ({ api } = given);
  me = await api.must(200, 'GET', '/openapi/users/me');
});

const edit = (one: Json, body: Json) => api.must(200, 'PATCH', `/openapi/messages/${one.id}`, body);
const read = (one: Json) => api.must(200, 'GET', `/openapi/messages/${one.id}`);
const reaches = (one: Json, status: string) =>
  eventually(
    () => read(one),
    (found) => found.status === status,
  );
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const between = (from: unknown, to: unknown) => Date.parse(String(to)) - Date.parse(String(from));
const dataOf = (event: Json | undefined) => (event?.data ?? {}) as Json;
const found = async (filter: string, conversation: Json) => {
  const path = `/openapi/messages?conversation_id=${conversation.id}&order=asc&filter=${encodeURIComponent(filter)}`;
  return (await api.must<{ data: Json[] }>(200, 'GET', path)).data.map(({ text }) => text);
};
const events = (event: string, id: unknown) =>
  eventually(
    async () => told().filter((one) => one.event === event && dataOf(one).id === id),
    (all) => all.length > 0,
  );

describe('the lifetime of a message', () => {
  it('is a day or the given time, counted from its acceptance or its scheduled time', async () => {
    const conversation = await open('sent+life');
    const daily = await say(conversation, 'x');
    expect(between(daily.created_at, daily.expires_at)).toBe(86_400_000);
    expect((daily.deliveries as Json[])[0]?.expires_at).toBe(daily.expires_at);
    const short = await say(conversation, 'x', { ttl_seconds: 60 });
    expect(between(short.created_at, short.expires_at)).toBe(60_000);
    const later = await say(conversation, 'x', { ttl_seconds: 604_800, send_at: inMs(HOUR_MS) });
    expect(between(later.send_at, later.expires_at)).toBe(604_800_000);
    expect(await say(await group(), 'x', { ttl_seconds: 60 })).toMatchObject({ expires_at: null });
  });
});

describe('a note', () => {
  it('is not sent to platforms, even in a linked conversation or at a scheduled time', async () => {
    const conversation = await open('sent+note');
    const internal = { direction: 'internal', deliveries: [], platform: null };
    expect(await say(conversation, 'aside', { internal: true })).toMatchObject({
      ...internal,
      status: 'sent',
      expires_at: null,
    });
    const later = await say(conversation, 'aside', { internal: true, send_at: inMs(1_500) });
    expect(later).toMatchObject({ ...internal, status: 'scheduled' });
    expect(await reaches(later, 'sent')).toMatchObject(internal);
  });

  it('that is scheduled is not canceled when the last link is removed, unlike a scheduled message', async () => {
    const conversation = await open('sent+unlinked');
    const note = await say(conversation, 'note', { internal: true, send_at: inMs(HOUR_MS) });
    const message = await say(conversation, 'message', { send_at: inMs(HOUR_MS) });
    const [link] = conversation.links as Json[];
    await api.must(204, 'DELETE', `/openapi/conversations/${conversation.id}/links/${link?.id}`);
    expect(await read(note)).toMatchObject({ status: 'scheduled' });
    expect(await read(message)).toMatchObject({ status: 'canceled', deliveries: [] });
    expect(await api.must(200, 'GET', `/openapi/conversations/${conversation.id}`)).toMatchObject({
      last_message: null,
      last_message_at: null,
    });
    const [told] = await events('message.updated', message.id);
    expect(dataOf(told)).toMatchObject({ status: 'canceled', previous: { status: 'scheduled' } });
    const refused = await api.patch(`/openapi/messages/${message.id}`, { text: 'x' });
    expect([reasonOf(refused), (refused.body.details as Json).current]).toEqual([
      'invalid_state',
      'canceled',
    ]);
  });
});

describe('a scheduled message', () => {
  it('receives its deliveries at its time, with an event', async () => {
    const conversation = await open('sent+later');
    const made = await say(conversation, 'x', { send_at: inMs(1_500) });
    expect(made).toMatchObject({ status: 'scheduled', direction: 'outbound', deliveries: [], sent_at: null });
    const sent = await reaches(made, 'sent');
    expect(sent).toMatchObject({ direction: 'outbound', platform: 'sandbox', send_at: made.send_at });
    expect(sent.deliveries).toHaveLength(1);
    const [told] = await events('message.updated', made.id);
    expect(dataOf(told)).toMatchObject({
      status: 'queued',
      previous: { status: 'scheduled', platform: null, deliveries: [] },
    });
    const note = await say(conversation, 'x', { internal: true, send_at: inMs(1_000) });
    const [noted] = await events('message.updated', note.id);
    expect(dataOf(noted).previous).toEqual({
      status: 'scheduled',
      expires_at: note.expires_at,
      sent_at: null,
    });
  });

  it('can be changed in all its content until its time', async () => {
    const made = await say(await group(), 'x', { send_at: inMs(HOUR_MS), ttl_seconds: 60 });
    const changed = await edit(made, {
      text: '',
      attachments: [{ type: 'location', latitude: 1, longitude: 2 }],
      metadata: { a: 1 },
      send_at: inMs(2 * HOUR_MS),
    });
    expect(changed).toMatchObject({ status: 'scheduled', revision: 2, text: '', metadata: { a: 1 } });
    expect(changed.attachments).toMatchObject([{ type: 'location', latitude: 1, longitude: 2 }]);
    expect(between(changed.send_at, changed.expires_at)).toBe(60_000);
    expect(await edit(made, { attachments: [{ type: 'location', latitude: 1, longitude: 2 }] })).toEqual(
      changed,
    );
    const wrong: [Json, [string, string]][] = [
      [{ send_at: inMs(-61_000 - 5_000) }, ['send_at', 'too_small']],
      [{ send_at: inMs(366 * 24 * HOUR_MS) }, ['send_at', 'too_large']],
      [{ send_at: 5 }, ['send_at', 'invalid_type']],
      [{ attachments: [] }, ['attachments', 'too_short']],
      [{ attachments: null }, ['attachments', 'invalid_type']],
      [{ metadata: null }, ['metadata', 'invalid_type']],
      [{ content_type: null }, ['content_type', 'invalid_type']],
      [{ category: 'marketing' }, ['category', 'read_only']],
    ];
    for (const [body, problem] of wrong) {
      expect(fieldsOf(await api.patch(`/openapi/messages/${made.id}`, body))).toEqual([problem]);
    }
  });

  it('is sent at once when its time is removed', async () => {
    const made = await say(await group(), 'x', { send_at: inMs(HOUR_MS) });
    expect((await edit(made, { send_at: null })).send_at).toBeNull();
    await reaches(made, 'sent');
    const [told] = await events('message.updated', made.id);
    expect(told?.data).toMatchObject({ send_at: null, previous: { send_at: expect.any(String) } });
  });
});

describe('messages of others and messages that have ended', () => {
  it('can’t be edited, but can be deleted', async () => {
    const inbound = await api.must(201, 'POST', '/openapi/sandbox/inbound', { address: 'ann', text: 'Hi' });
    const refused = await api.patch(`/openapi/messages/${inbound.id}`, { metadata: { a: 1 } });
    expect([reasonOf(refused), (refused.body.details as Json).current]).toEqual([
      'invalid_state',
      'received',
    ]);
    await api.must(204, 'DELETE', `/openapi/messages/${inbound.id}`);
    const [told] = await events('message.deleted', inbound.id);
    expect(told?.data).toEqual({
      id: inbound.id,
      conversation_id: inbound.conversation_id,
      deleted_at: expect.any(String),
      deleted_by: me.id,
      sequence: expect.any(Number),
    });
    const opened = await open('fail+edit', { message: { text: 'x' } });
    const failed = await reaches(opened.last_message as Json, 'failed');
    expect((await api.patch(`/openapi/messages/${failed.id}`, { text: 'y' })).body.details).toMatchObject({
      current: 'failed',
    });
  });
});

describe('an edit of a message', () => {
  it('reaches the platform and its event has the previous values', async () => {
    const opened = await open('sent+edit', { message: { text: 'one', metadata: { a: 1 } } });
    const sent = await reaches(opened.last_message as Json, 'sent');
    await edit(sent, { text: 'two', content_type: 'markdown' });
    const shown = await eventually(
      () => read(sent),
      ({ deliveries }) => (deliveries as Json[])[0]?.revision === 2,
    );
    expect(shown).toMatchObject({ status: 'sent', text: 'two', revision: 2 });
    const [told] = await events('message.updated', sent.id);
    expect(dataOf(told).previous).toEqual({
      text: 'one',
      content_type: 'text',
      revision: 1,
      edited_at: null,
    });
    expect(reasonOf(await api.patch(`/openapi/messages/${sent.id}`, { attachments: [] }))).toBe(
      'invalid_state',
    );
  });
});

describe('the events of a new message', () => {
  it('contain its conversation and its sender', async () => {
    const conversation = await group();
    const made = await say(conversation, 'x');
    const [told] = await events('message.created', made.id);
    expect(told?.data).toEqual({
      ...made,
      conversation: { id: conversation.id, number: conversation.number, platform: null },
      sender: { id: me.id, display_name: me.display_name, kind: 'member' },
      sequence: expect.any(Number),
    });
  });
});

describe('listing messages', () => {
  it('filters by every field of the contract', async () => {
    const conversation = await group();
    const root = await say(conversation, 'Root, with a comma', { metadata: { order: 42 } });
    await say(conversation, 'In thread', { thread_id: root.id, content_type: 'markdown' });
    await say(conversation, 'Answer', { reply_to_id: root.id, category: 'transactional' });
    const later = await say(conversation, 'Later', { send_at: inMs(HOUR_MS) });
    const all = ['Root, with a comma', 'In thread', 'Answer', 'Later'];
    const wanted: [string, string[]][] = [
      ['status:scheduled', ['Later']],
      ['-status:scheduled', all.slice(0, 3)],
      ['direction:internal', all],
      ['direction:inbound', []],
      ['platform:null', all],
      [`sender_id:${me.id}`, all],
      [`conversation_id:${conversation.id}`, all],
      ['category:transactional', ['Answer']],
      ['content_type:markdown', ['In thread']],
      [`thread_id:${root.id}`, ['In thread']],
      ['-thread_id:null', ['In thread']],
      [`reply_to_id:${root.id}`, ['Answer']],
      ['broadcast_id:null', all],
      ['text:Answer', ['Answer']],
      ['text:~"with a COMMA"', ['Root, with a comma']],
      ['metadata.order:42', ['Root, with a comma']],
      [`send_at:>=${later.send_at}`, ['Later']],
      ['send_at:null', all.slice(0, 3)],
      [`id:${root.id}|${later.id}`, ['Root, with a comma', 'Later']],
      ['created_at:<2020-01-01T00:00:00Z', []],
      ['status:nothing', []],
    ];
    for (const [filter, texts] of wanted)
      expect([filter, await found(filter, conversation)]).toEqual([filter, texts]);
    for (const filter of [
      'status:null',
      'text:>a',
      'sender_id:x',
      'revision:1',
      'created_at:null',
      'text:~ab',
    ]) {
      const answer = await api.get(`/openapi/messages?filter=${encodeURIComponent(filter)}`);
      expect([filter, fieldsOf(answer).map(([field]) => field)]).toEqual([filter, ['filter']]);
    }
    const sorted = await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/messages?conversation_id=${conversation.number}&sort=send_at&order=asc`,
    );
    expect(sorted.data).toHaveLength(4);
  });
});

describe('version 2.0', () => {
  it('shows content, delivery and attempts, and takes content on edits', async () => {
    const opened = await open('sent+two', { message: { text: 'x' } });
    const sent = await reaches(opened.last_message as Json, 'sent');
    const shown = await api.must(200, 'POST', `/v2/openapi/messages/${sent.id}/read`);
    expect(shown).toMatchObject({
      content: { text: 'x', format: 'text', blocks: [{ type: 'paragraph', text: 'x' }], attachments: [] },
      delivery: { status: 'sent', error: null, attempts: sent.deliveries },
    });
    for (const name of ['text', 'content_type', 'attachments', 'status', 'deliveries', 'sent_at']) {
      expect(shown).not.toHaveProperty(name);
    }
    expect(
      await api.must(200, 'PATCH', `/v2/openapi/messages/${sent.id}`, { content: { text: 'y' } }),
    ).toMatchObject({ content: { text: 'y' }, revision: 2 });
  });
});
