import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { RtcSocket } from '../support/rtc-socket.js';
import { type Service, startService } from '../support/service.js';

const { key } = generateApiKey('live');

let database: TestDatabase;
let env: Record<string, string>;
let one: Service;
let other: Service;
let api: ApiClient;
let me: Json;

const start = () => startService({ key, env });
const contact = (name: string) => api.must(201, 'POST', '/openapi/users', { display_name: name });
const callWith = (people: readonly Json[]) =>
  api.must(201, 'POST', '/openapi/calls', { participant_ids: people.map(({ id }) => id) });
const get = (id: unknown) => api.must(200, 'GET', `/openapi/calls/${id}`);
const tokenFor = async (callId: unknown, userId: unknown) =>
  String((await api.must(200, 'POST', `/openapi/calls/${callId}/token`, { user_id: userId })).token);
const eventsOf = async (id: unknown) => {
  const text = `SELECT type FROM events WHERE type LIKE 'call.%' AND data->>'id' = $1 ORDER BY position`;
  return (await database.pool.query<{ type: string }>(text, [id])).rows.map(({ type }) => type);
};

beforeAll(async () => {
  database = await testDatabase();
  env = { DATABASE_URL: database.url, TRUNKLINE_MASTER_KEY: randomBytes(32).toString('base64') };
  one = await start();
  other = await start();
  api = other.client();
  me = await api.must(200, 'GET', '/openapi/users/me');
});
afterAll(async () => {
  await other?.stop();
  await one?.stop();
  await database?.drop();
});

describe('two processes on one database', () => {
  it('deliver frames to sockets of each other, in order and of any size', async () => {
    const ann = await contact('Ann');
    const call = await callWith([ann]);
    const frame = (type: string) => ({ type, call_id: call.id });
    const here = await RtcSocket.open(one.url, { token: await tokenFor(call.id, ann.id) });
    const there = await RtcSocket.open(other.url, { key });
    await here.ask(frame('join'));
    expect(await there.next('joined')).toMatchObject({ call_id: call.id, user_id: ann.id });
    const payload = { sdp: 'ö'.repeat(30_000) };
    there.send({ ...frame('offer'), to: ann.id, payload });
    for (let n = 0; n < 30; n += 1) there.send({ ...frame('candidate'), to: ann.id, payload: { n } });
    expect(await here.next('offer')).toEqual({ type: 'offer', call_id: call.id, from: me.id, payload });
    for (let n = 0; n < 30; n += 1) expect((await here.next('candidate')).payload).toEqual({ n });
    const late = { type: 'candidate', to: ann.id, payload: { n: 30 } };
    expect(await one.client().must(200, 'POST', `/openapi/calls/${call.id}/signal`, late)).toEqual({
      delivered: true,
    });
    expect((await here.next('candidate')).payload).toEqual({ n: 30 });
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    for (const socket of [here, there])
      expect((await socket.next('ended')).call).toMatchObject({ id: call.id });
    await Promise.all([here.close(), there.close()]);
  });

  it('answer a call once when all join at the same time', async () => {
    const people = await Promise.all(['A', 'B', 'C', 'D'].map(contact));
    const call = await callWith(people);
    const sockets = await Promise.all(
      people.map(async ({ id }, index) =>
        RtcSocket.open((index % 2 === 0 ? one : other).url, { token: await tokenFor(call.id, id) }),
      ),
    );
    await Promise.all(sockets.map((socket) => socket.ask({ type: 'join', call_id: call.id })));
    const events = await eventsOf(call.id);
    expect(events.filter((type) => type === 'call.answered')).toHaveLength(1);
    expect(events.filter((type) => type === 'call.participant_joined')).toHaveLength(4);
    await Promise.all(sockets.map((socket) => socket.ask({ type: 'leave', call_id: call.id })));
    expect((await eventsOf(call.id)).filter((type) => type === 'call.ended')).toHaveLength(1);
  });

  it('remove a participant whose process died and who has no socket for 20 s', async () => {
    const ann = await contact('Ann');
    const call = await callWith([ann]);
    const frame = (type: string) => ({ type, call_id: call.id });
    const here = await RtcSocket.open(one.url, { token: await tokenFor(call.id, ann.id) });
    const there = await RtcSocket.open(other.url, { key });
    await here.ask(frame('join'));
    await there.ask(frame('join'));
    await one.kill();
    expect(await there.next('left')).toEqual({ type: 'left', call_id: call.id, user_id: ann.id });
    expect((await get(call.id)).status).toBe('active');
    one = await start();
    const back = await RtcSocket.open(one.url, { token: await tokenFor(call.id, ann.id) });
    await back.ask(frame('join'));
    expect(await there.next('joined')).toMatchObject({ user_id: ann.id });
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    expect((await eventsOf(call.id)).filter((type) => type === 'call.answered')).toHaveLength(1);
  });
});

describe('a process that stops', () => {
  it('closes its sockets with 1001, and participants who return in time stay in the call', async () => {
    const ann = await contact('Ann');
    const call = await callWith([ann]);
    const here = await RtcSocket.open(one.url, { token: await tokenFor(call.id, ann.id) });
    await here.ask({ type: 'join', call_id: call.id });
    const stopped = one.stop();
    expect((await here.closed).code).toBe(1001);
    expect(await stopped).toBe(0);
    const back = await RtcSocket.open(other.url, { token: await tokenFor(call.id, ann.id) });
    const { rows } = await database.pool.query(
      'SELECT socketless_since FROM call_participants WHERE call_id = $1 AND user_id = $2',
      [call.id, ann.id],
    );
    expect(rows).toEqual([{ socketless_since: null }]);
    await back.ask({ type: 'leave', call_id: call.id });
    expect(await get(call.id)).toMatchObject({ status: 'ended', end_reason: 'completed' });
    one = await start();
  });

  it('leaves due deadlines to the next process, which applies them once', async () => {
    const { id: conversation } = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: [],
    });
    const call = await api.must(201, 'POST', '/openapi/calls', {
      conversation_id: conversation,
      ring_timeout: 5,
    });
    await Promise.all([one.kill(), other.kill()]);
    [one, other] = await Promise.all([start(), start()]);
    api = other.client();
    const ended = await eventually(
      () => get(call.id),
      ({ status }) => status === 'ended',
    );
    expect(ended).toMatchObject({ end_reason: 'no_answer' });
    expect(await eventsOf(call.id)).toEqual(['call.created', 'call.ringing', 'call.ended']);
  });
});
