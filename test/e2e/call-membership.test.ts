import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type Browser, invite, ownerBrowser } from '../support/browser.js';
import { TestStream } from '../support/event-stream.js';
import { RtcSocket } from '../support/rtc-socket.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;
let owner: Browser;
let invited = 0;

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  owner = await ownerBrowser(service);
});

const member = async () => {
  invited += 1;
  return invite(service, owner, `member${invited}`);
};
const contact = (name: string) => api.must(201, 'POST', '/openapi/users', { display_name: name });
const group = (...ids: unknown[]) =>
  api.must(201, 'POST', '/openapi/conversations', { participant_ids: ids, type: 'group' });
const call = (chat: Json) => api.must(201, 'POST', '/openapi/calls', { conversation_id: chat.id });
const read = (record: Json) => api.must(200, 'GET', `/openapi/calls/${record.id}`);
const leave = (chat: Json, userId: unknown) =>
  api.must(204, 'DELETE', `/openapi/conversations/${chat.id}/participants/${userId}`);
const statusOf = async (record: Json, userId: unknown) =>
  ((await read(record)).participants as Json[]).find((one) => one.user_id === userId)?.status;
const token = (record: Json, userId: unknown) =>
  api.post(`/openapi/calls/${record.id}/token`, { user_id: userId });
const decline = (browser: Browser, record: Json) =>
  browser.must(200, 'POST', `/openapi/calls/${record.id}/signal`, { type: 'decline' });

describe('a participant who is removed from a conversation with a live call', () => {
  it('is no longer waited for: the call ends when all others have declined', async () => {
    const [ann, ben] = [await contact('Ann'), await member()];
    const chat = await group(ann.id, ben.id);
    const live = await call(chat);
    expect(await statusOf(live, ann.id)).toBe('invited');
    await leave(chat, ann.id);
    expect(await statusOf(live, ann.id)).toBe('left');
    await decline(ben.browser, live);
    expect(await read(live)).toMatchObject({ status: 'ended', end_reason: 'declined', ended_by: ben.id });
  });

  it('ends the call when no other participant can answer it, also after the others have declined', async () => {
    const [ann, ben] = [await contact('Ann'), await member()];
    const alone = await group(ben.id);
    const first = await call(alone);
    await leave(alone, ben.id);
    expect(await read(first)).toMatchObject({ status: 'ended', end_reason: 'canceled' });
    const chat = await group(ann.id, ben.id);
    const second = await call(chat);
    await decline(ben.browser, second);
    await leave(chat, ann.id);
    expect(await read(second)).toMatchObject({ status: 'ended', end_reason: 'declined' });
  });

  it('can’t get a token or join with an earlier one, and can again after returning', async () => {
    const [ann, ben] = [await contact('Ann'), await member()];
    const chat = await group(ann.id, ben.id);
    const live = await call(chat);
    const { body: seat } = await token(live, ben.id);
    const socket = await RtcSocket.open(service.url, { token: String(seat.token) });
    await leave(chat, ben.id);
    expect(await socket.closed).toMatchObject({ code: 4401 });
    expect((await token(live, ben.id)).status).toBe(404);
    expect(await RtcSocket.refused(service.url, { token: String(seat.token) })).toMatchObject({
      status: 401,
    });
    const signal = await ben.browser.post(`/openapi/calls/${live.id}/signal`, { type: 'join' });
    expect(signal.status).toBe(404);
    await api.must(201, 'POST', `/openapi/conversations/${chat.id}/participants`, { user_id: ben.id });
    expect((await token(live, ben.id)).status).toBe(200);
    await ben.browser.must(200, 'POST', `/openapi/calls/${live.id}/signal`, { type: 'join' });
    expect(await read(live)).toMatchObject({ status: 'active' });
  });

  it('leaves an answered call, which ends when its last joined participant leaves', async () => {
    const ben = await member();
    const chat = await group(ben.id);
    const live = await call(chat);
    await ben.browser.must(200, 'POST', `/openapi/calls/${live.id}/signal`, { type: 'join' });
    expect(await read(live)).toMatchObject({ status: 'active' });
    await leave(chat, ben.id);
    expect(await read(live)).toMatchObject({ status: 'ended', end_reason: 'completed' });
    expect(await statusOf(live, ben.id)).toBe('left');
  });
});

describe('a member who is deleted', () => {
  it('leaves their conversations with an event, and live calls stop ringing for them', async () => {
    const ben = await member();
    const [chat, quiet] = [await group(ben.id), await group(ben.id)];
    const live = await call(chat);
    expect(await statusOf(live, ben.id)).toBe('ringing');
    await owner.must(204, 'DELETE', `/members/${ben.id}`);
    expect(await read(live)).toMatchObject({ status: 'ended', end_reason: 'canceled' });
    for (const { id } of [chat, quiet]) {
      const { participants } = await api.must<{ participants: Json[] }>(
        200,
        'GET',
        `/openapi/conversations/${id}`,
      );
      expect(participants.map(({ user_id: userId }) => userId)).not.toContain(ben.id);
      const { data } = await api.must<{ data: Json[] }>(
        200,
        'GET',
        `/openapi/conversations/${id}/participants?filter=user_id:${ben.id}`,
      );
      expect(data).toMatchObject([{ left_at: expect.any(String) }]);
    }
  });
});

describe('conversations that are assigned to a deleted member', () => {
  it('lose the assignee with an event, including those in which the member does not participate', async () => {
    const [ben, cleo] = [await member(), await member()];
    const others = await group((await contact('Ann')).id);
    const [part, none, kept] = [await group(ben.id), others, await group(ben.id)];
    const assign = ({ id }: Json, assignee: unknown) =>
      api.must(200, 'PATCH', `/openapi/conversations/${id}`, { assignee_id: assignee });
    await assign(part, ben.id);
    await assign(none, ben.id);
    await assign(kept, cleo.id);
    const stream = await TestStream.open(service.url, {
      key: service.key,
      query: '?events=conversation.assigned',
    });
    await owner.must(204, 'DELETE', `/members/${ben.id}`);
    const of = async ({ id }: Json) =>
      (await api.must(200, 'GET', `/openapi/conversations/${id}`)).assignee_id;
    expect([await of(part), await of(none), await of(kept)]).toEqual([null, null, cleo.id]);
    for (const { id } of [part, none]) {
      const { data } = await stream.event(({ data: event }) => (event?.data as Json | undefined)?.id === id);
      expect(data?.data).toMatchObject({ assignee_id: null, previous: { assignee_id: ben.id } });
    }
    stream.close();
    const again = await api.patch(`/openapi/conversations/${none.id}`, { assignee_id: ben.id });
    expect(again).toMatchObject({ status: 404, body: { details: { field: 'assignee_id' } } });
  });

  it('do not keep an assignee who was assigned during the deletion', async () => {
    const ben = await member();
    const chats = await Promise.all(Array.from({ length: 8 }, async () => group((await contact('Ann')).id)));
    const writes = chats.map(({ id }) => api.patch(`/openapi/conversations/${id}`, { assignee_id: ben.id }));
    await owner.must(204, 'DELETE', `/members/${ben.id}`);
    for (const { status } of await Promise.all(writes)) expect([200, 404]).toContain(status);
    for (const { id } of chats)
      expect(await api.must(200, 'GET', `/openapi/conversations/${id}`)).toMatchObject({ assignee_id: null });
  });
});

describe('a contact in a live call', () => {
  it('who is erased is no longer waited for', async () => {
    const ann = await contact('Ann');
    const chat = await group(ann.id);
    const live = await call(chat);
    await api.must(204, 'DELETE', `/openapi/users/${ann.id}`);
    expect(await read(live)).toMatchObject({ status: 'ended', end_reason: 'canceled' });
  });

  it('who is merged is replaced by the other contact', async () => {
    const [ann, anna] = [await contact('Ann'), await contact('Anna')];
    const chat = await group(ann.id);
    const live = await call(chat);
    await api.must(200, 'POST', `/openapi/users/${anna.id}/merge`, { source_id: ann.id });
    expect([await statusOf(live, ann.id), await statusOf(live, anna.id)]).toEqual([undefined, 'invited']);
    expect((await token(live, anna.id)).status).toBe(200);
    expect((await token(live, ann.id)).status).toBe(404);
  });

  it('who is merged into another participant takes part once', async () => {
    const [ann, anna, ben] = [await contact('Ann'), await contact('Anna'), await member()];
    const chat = await group(ann.id, anna.id, ben.id);
    const live = await call(chat);
    await api.must(200, 'POST', `/openapi/users/${anna.id}/merge`, { source_id: ann.id });
    expect((await token(live, ann.id)).status).toBe(404);
    expect((await token(live, anna.id)).status).toBe(200);
    await leave(chat, anna.id);
    await decline(ben.browser, live);
    expect(
      await eventually(
        () => read(live),
        ({ status }) => status === 'ended',
      ),
    ).toMatchObject({
      end_reason: 'declined',
    });
  });
});
