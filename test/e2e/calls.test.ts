import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;
let me: Json;

const contact = (name: string) => api.must(201, 'POST', '/openapi/users', { display_name: name });
const group = () => api.must(201, 'POST', '/openapi/conversations', { participant_ids: [], type: 'group' });
const call = (body: Json) => api.must(201, 'POST', '/openapi/calls', body);
const callAlone = async (more: Json = {}) => call({ conversation_id: (await group()).id, ...more });
const get = (id: unknown) => api.must(200, 'GET', `/openapi/calls/${id}`);
const end = (id: unknown, body?: Json) => api.must(200, 'POST', `/openapi/calls/${id}/end`, body);
const signal = (id: unknown, body: Json) => api.post(`/openapi/calls/${id}/signal`, body);
const statusOf = (record: Json, userId: unknown) =>
  (record.participants as Json[]).find((one) => one.user_id === userId)?.status;

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  me = await api.must(200, 'GET', '/openapi/users/me');
});

describe('starting a call', () => {
  it('returns the record as initiated, and it rings at once without other participants', async () => {
    const conversation = await group();
    const { status, body } = await api.post('/v1/openapi/calls', {
      conversation_id: conversation.id,
      metadata: { desk: 4 },
    });
    expect(status).toBe(201);
    expect(body.id).toMatch(UUID);
    const at = body.created_at;
    expect(body).toEqual({
      id: body.id,
      conversation_id: conversation.id,
      type: 'voice',
      direction: 'outbound',
      status: 'initiated',
      end_reason: null,
      ended_by: null,
      error: null,
      platform: 'webrtc',
      initiator_id: me.id,
      participants: [{ user_id: me.id, status: 'invited', joined_at: null, left_at: null }],
      join_url: expect.stringMatching(new RegExp(`^${service.url}/join/[A-Za-z0-9_-]+$`)),
      recording_url: null,
      ring_timeout: 60,
      max_duration: 14_400,
      started_at: at,
      answered_at: null,
      ended_at: null,
      duration: null,
      metadata: { desk: 4 },
      created_at: at,
      updated_at: at,
    });
    expect(await get(body.id)).toMatchObject({ status: 'ringing', join_url: body.join_url });
  });

  it('accepts the conversation by number, and calls its participants', async () => {
    const [ann, bob] = [await contact('Ann'), await contact('Bob')];
    const conversation = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: [ann.id, bob.id],
    });
    const made = await call({
      conversation_id: conversation.number,
      type: 'video',
      ring_timeout: 180,
      max_duration: 60,
    });
    expect(made).toMatchObject({
      conversation_id: conversation.id,
      type: 'video',
      ring_timeout: 180,
      max_duration: 60,
    });
    expect((made.participants as Json[]).map(({ user_id }) => user_id)).toEqual([
      me.id,
      ...[ann.id, bob.id].sort(),
    ]);
  });

  it('finds or creates the direct or the group conversation of the participants', async () => {
    const [ann, bob] = [await contact('Ann'), await contact('Bob')];
    for (const [participant_ids, type] of [
      [[ann.id], 'direct'],
      [[ann.id, bob.id, me.id], 'group'],
    ] as const) {
      const first = await call({ participant_ids });
      const again = await api.post('/openapi/calls', { participant_ids: [...participant_ids].reverse() });
      expect([reasonOf(again), (again.body.details as Json).id]).toEqual(['active_call', first.id]);
      await end(first.id);
      expect((await call({ participant_ids })).conversation_id).toBe(first.conversation_id);
      const conversation = await api.must(200, 'GET', `/openapi/conversations/${first.conversation_id}`);
      expect(conversation.type).toBe(type);
    }
  });

  it('finds the conversation of a group chat by its address', async () => {
    const test = service.client(await service.createKey({ test: true }));
    const { data } = await test.must<{ data: Json[] }>(200, 'GET', '/openapi/platforms/connections');
    const conversation = await test.must(201, 'POST', '/openapi/conversations', {
      type: 'group',
      links: [{ connection_id: data[0]?.id, external_id: 'sent+group' }],
    });
    const to = { platform: 'sandbox', address: 'sent+group' };
    expect((await test.must(201, 'POST', '/openapi/calls', { to })).conversation_id).toBe(conversation.id);
  });

  it('allows one live call per conversation, even with concurrent requests', async () => {
    const conversation = await group();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post('/openapi/calls', { conversation_id: conversation.id })),
    );
    const [made, ...others] = answers.sort((a, b) => a.status - b.status);
    expect(made?.status).toBe(201);
    for (const other of others) {
      expect([reasonOf(other), (other.body.details as Json).id]).toEqual(['active_call', made?.body.id]);
    }
  });

  it('happens once for one Idempotency-Key, and returns the original call', async () => {
    const conversation = await group();
    const headers = { 'idempotency-key': 'call-1' };
    const first = await api.post('/openapi/calls', { conversation_id: conversation.id }, { headers });
    const again = await api.post('/openapi/calls', { conversation_id: conversation.id }, { headers });
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      201,
      'true',
      first.body,
    ]);
    const ended = { headers: { 'idempotency-key': 'end-1' } };
    const once = await api.post(`/openapi/calls/${first.body.id}/end`, {}, ended);
    const twice = await api.post(`/openapi/calls/${first.body.id}/end`, {}, ended);
    expect([twice.status, twice.body]).toEqual([200, once.body]);
  });

  it('refuses missing, conflicting and out-of-range values', async () => {
    const { id } = await group();
    const to = { platform: 'telegram', address: '1' };
    const wrong: [Json, [string, string][]][] = [
      [{}, [['conversation_id', 'required']]],
      [{ conversation_id: id, to }, [['to', 'exclusive']]],
      [
        { conversation_id: id, participant_ids: [NOBODY], to },
        [
          ['participant_ids', 'exclusive'],
          ['to', 'exclusive'],
        ],
      ],
      [{ participant_ids: [] }, [['participant_ids', 'too_short']]],
      [{ participant_ids: ['x'] }, [['participant_ids.0', 'invalid_format']]],
      [{ to: { platform: 'telegram' } }, [['to.address', 'required']]],
      [{ conversation_id: id, type: 'telepathy' }, [['type', 'invalid_value']]],
      [{ conversation_id: id, ring_timeout: 4 }, [['ring_timeout', 'too_small']]],
      [{ conversation_id: id, ring_timeout: 181 }, [['ring_timeout', 'too_large']]],
      [{ conversation_id: id, max_duration: 59 }, [['max_duration', 'too_small']]],
      [{ conversation_id: id, max_duration: 14_401 }, [['max_duration', 'too_large']]],
    ];
    for (const [body, problems] of wrong)
      expect(fieldsOf(await api.post('/openapi/calls', body))).toEqual(problems);
    const strange = await api.post('/v2/openapi/calls', { conversation_id: id, loud: true });
    expect(fieldsOf(strange)).toEqual([['loud', 'unknown_field']]);
  });

  it('is 404 for unknown records and 409 for a platform that is not connected', async () => {
    for (const [body, field] of [
      [{ conversation_id: NOBODY }, 'conversation_id'],
      [{ conversation_id: 999_999 }, 'conversation_id'],
      [{ participant_ids: [NOBODY] }, 'participant_ids'],
      [{ participant_ids: [me.id, NOBODY, (await contact('Ann')).id] }, 'participant_ids'],
    ] as const) {
      const answer = await api.post('/openapi/calls', body);
      expect([answer.status, answer.body.details]).toEqual([404, { field }]);
    }
    for (const platform of ['pstn', 'telegram']) {
      const answer = await api.post('/openapi/calls', { to: { platform, address: '+4915112345678' } });
      expect([reasonOf(answer), (answer.body.details as Json).platform]).toEqual(['no_connection', platform]);
    }
  });
});

describe('ending a call', () => {
  it('cancels it before an answer, and completes it afterwards', async () => {
    const canceled = await end((await callAlone()).id);
    expect(canceled).toMatchObject({
      status: 'ended',
      end_reason: 'canceled',
      ended_by: me.id,
      join_url: null,
      duration: null,
      answered_at: null,
    });
    expect(canceled.ended_at).toEqual(expect.any(String));

    const ann = await contact('Ann');
    const made = await call({ participant_ids: [ann.id] });
    const { token, url } = await api.must(200, 'POST', `/openapi/calls/${made.id}/token`, {
      user_id: ann.id,
    });
    expect([token, url]).toEqual([expect.any(String), `${service.url.replace('http', 'ws')}/v1/openapi/rtc`]);
    expect(await get(made.id)).toMatchObject({ status: 'initiated' });
  });

  it('accepts another reason, and is refused the second time', async () => {
    for (const reason of ['completed', 'canceled', 'declined', 'busy']) {
      const { id } = await callAlone();
      expect(await end(id, { reason })).toMatchObject({ end_reason: reason });
      const again = await api.post(`/openapi/calls/${id}/end`, { reason });
      expect([reasonOf(again), (again.body.details as Json).current]).toEqual(['invalid_state', 'ended']);
    }
    const { id } = await callAlone();
    expect(fieldsOf(await api.post(`/openapi/calls/${id}/end`, { reason: 'no_answer' }))).toEqual([
      ['reason', 'invalid_value'],
    ]);
    for (const unknown of [NOBODY, 'x']) await api.must(404, 'POST', `/openapi/calls/${unknown}/end`);
  });

  it('takes effect once for parallel requests', async () => {
    const { id } = await callAlone();
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(`/openapi/calls/${id}/end`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('allows its conversation to be deleted, which a live call prevents', async () => {
    const { id, conversation_id: conversation } = await callAlone();
    const refused = await api.delete(`/openapi/conversations/${conversation}`);
    expect([reasonOf(refused), (refused.body.details as Json).id]).toEqual(['active_call', id]);
    await end(id);
    await api.must(204, 'DELETE', `/openapi/conversations/${conversation}`);
    expect(await get(id)).toMatchObject({ status: 'ended' });
  });
});

describe('reading calls', () => {
  it('filters by the fields of the record, and sorts', async () => {
    const ann = await contact('Ann');
    const made = await call({ participant_ids: [ann.id], type: 'video', metadata: { ticket: 'T-9' } });
    const ended = await end(made.id);
    const found = async (filter: string) => {
      const { data } = await api.must<{ data: Json[] }>(
        200,
        'GET',
        `/openapi/calls?filter=${encodeURIComponent(filter)}&limit=100`,
      );
      return data.map(({ id }) => id);
    };
    for (const filter of [
      `id:${made.id}`,
      `participant_id:${ann.id}`,
      `conversation_id:${made.conversation_id},status:ended,type:video,direction:outbound,platform:webrtc`,
      `conversation_id:${made.conversation_id},end_reason:canceled,initiator_id:${me.id},duration:null`,
      `metadata.ticket:T-9,started_at:${ended.started_at}`,
    ]) {
      expect(await found(filter), filter).toEqual([made.id]);
    }
    expect(await found(`id:${made.id},duration:>=0`)).toEqual([]);
    for (const sort of ['started_at', 'duration', 'created_at', 'updated_at']) {
      const { data } = await api.must<{ data: Json[] }>(200, 'GET', `/openapi/calls?sort=${sort}&order=asc`);
      expect(data.length).toBeGreaterThan(1);
    }
    expect(fieldsOf(await api.get('/openapi/calls?sort=status'))).toEqual([['sort', 'invalid_value']]);
    expect(fieldsOf(await api.get('/openapi/calls?filter=status:null'))).toEqual([
      ['filter', 'invalid_value'],
    ]);
    expect(fieldsOf(await api.get('/openapi/calls?filter=participant_id:ann'))).toEqual([
      ['filter', 'invalid_format'],
    ]);
    for (const unknown of [NOBODY, 'x']) await api.must(404, 'GET', `/openapi/calls/${unknown}`);
  });

  it('includes the conversation when version 2.0 expands it', async () => {
    const { id, conversation_id: conversation } = await callAlone();
    const shown = await api.must(200, 'GET', `/v2/openapi/calls/${id}?expand=conversation`);
    expect(shown.conversation).toMatchObject({ id: conversation });
    expect(shown.conversation).not.toHaveProperty('participants');
    const { data } = await api.must<{ data: Json[] }>(
      200,
      'GET',
      '/v2/openapi/calls?expand=conversation&limit=1',
    );
    expect(data[0]?.conversation).toMatchObject({ id: data[0]?.conversation_id });
    expect(await api.must(200, 'GET', `/openapi/calls/${id}?expand=conversation`)).not.toHaveProperty(
      'conversation',
    );
    expect((await api.get(`/v2/openapi/calls/${id}?expand=sender`)).status).toBe(400);
  });

  it('hides calls of another workspace', async () => {
    const { id } = await callAlone();
    const elsewhere = service.client(await service.createKey({ test: true }));
    await elsewhere.must(404, 'GET', `/openapi/calls/${id}`);
    await elsewhere.must(404, 'POST', `/openapi/calls/${id}/end`);
    await elsewhere.must(404, 'POST', `/openapi/calls/${id}/token`);
    await elsewhere.must(404, 'POST', `/openapi/calls/${id}/signal`, { type: 'join' });
    const { data } = await elsewhere.must<{ data: Json[] }>(200, 'GET', '/openapi/calls');
    expect(data.map((one) => one.id)).not.toContain(id);
  });

  it('needs the scopes of each operation', async () => {
    const { id } = await callAlone();
    const needs: [string, string, string[]][] = [
      ['GET', '/openapi/calls', ['calls:read']],
      ['GET', `/openapi/calls/${id}`, ['calls:read']],
      ['POST', '/openapi/calls', ['calls:write']],
      ['POST', `/openapi/calls/${id}/end`, ['calls:write']],
      ['POST', `/openapi/calls/${id}/token`, ['rtc:write', 'calls:write']],
      ['POST', `/openapi/calls/${id}/signal`, ['rtc:write', 'calls:write']],
      ['GET', '/openapi/rtc/ice-servers', ['rtc:write']],
      ['GET', '/openapi/rtc', ['rtc:write', 'calls:write']],
    ];
    const poor = service.client(await service.createKey({ scopes: 'messages:read' }));
    for (const [method, path, required] of needs) {
      const answer = await poor.send(method, path, method === 'POST' ? { body: {} } : {});
      expect([answer.status, answer.body.details], `${method} ${path}`).toEqual([
        403,
        { required, provided: ['messages:read'] },
      ]);
    }
  });
});

describe('signaling by request', () => {
  it('refuses a token with 409 when the call ends concurrently, as for an ended call', async () => {
    const answers: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { id } = await callAlone();
      const token = () => api.post(`/openapi/calls/${id}/token`);
      const [, ...asked] = await Promise.all([end(id), token(), token(), token(), token()]);
      answers.push(...asked.map(({ status }) => status));
    }
    expect(new Set([...answers, 200, 409])).toEqual(new Set([200, 409]));
  });

  it('gives a token to each participant and refuses other users', async () => {
    const ann = await contact('Ann');
    const { id } = await call({ participant_ids: [ann.id] });
    const own = await api.must(200, 'POST', `/openapi/calls/${id}/token`);
    expect(own).toMatchObject({ user_id: me.id, token: expect.stringMatching(/^[A-Za-z0-9_-]+$/) });
    expect(Date.parse(String(own.expires_at)) - Date.now()).toBeLessThanOrEqual(600_000);
    const stranger = await contact('Zoe');
    const refused = await api.post(`/openapi/calls/${id}/token`, { user_id: stranger.id });
    expect([refused.status, refused.body.details]).toEqual([404, { field: 'user_id' }]);
    await end(id);
    expect(reasonOf(await api.post(`/openapi/calls/${id}/token`))).toBe('invalid_state');
  });

  it('joins, leaves and reports when no other participant received the signal', async () => {
    const ann = await contact('Ann');
    const { id } = await call({ participant_ids: [ann.id] });
    expect((await signal(id, { type: 'join' })).body).toEqual({ delivered: false });
    const joined = await get(id);
    expect(statusOf(joined, me.id)).toBe('joined');
    expect(joined.status).toBe('initiated');
    expect((await signal(id, { type: 'offer', to: ann.id, payload: { sdp: 'v=0' } })).body).toEqual({
      delivered: false,
    });
    expect((await signal(id, { type: 'leave' })).status).toBe(200);
    expect(statusOf(await get(id), me.id)).toBe('left');
  });

  it('refuses an empty recipient and incomplete signals', async () => {
    const ann = await contact('Ann');
    const { id } = await call({ participant_ids: [ann.id] });
    const wrong: [Json, [string, string][]][] = [
      [{}, [['type', 'required']]],
      [{ type: 'shout' }, [['type', 'invalid_value']]],
      [
        { type: 'offer' },
        [
          ['to', 'required'],
          ['payload', 'required'],
        ],
      ],
      [{ type: 'offer', to: ann.id, payload: 'sdp' }, [['payload', 'invalid_type']]],
      [{ type: 'offer', to: ann.id, payload: { sdp: 'x'.repeat(65_536) } }, [['payload', 'too_large']]],
    ];
    for (const [body, problems] of wrong) expect(fieldsOf(await signal(id, body))).toEqual(problems);
    const nobody = await signal(id, { type: 'answer', to: NOBODY, payload: {} });
    expect([nobody.status, nobody.body.details]).toEqual([404, { field: 'to' }]);
    await end(id);
    expect(reasonOf(await signal(id, { type: 'join' }))).toBe('invalid_state');
    await api.must(404, 'POST', `/openapi/calls/${NOBODY}/signal`, { type: 'join' });
  });

  it('returns TURN credentials for ten minutes, derived from the shared secret', async () => {
    const answer = await api.must(200, 'GET', '/openapi/rtc/ice-servers');
    const expires = Math.floor(Date.parse(String(answer.expires_at)) / 1_000);
    expect(expires - Date.now() / 1_000).toBeLessThanOrEqual(600);
    expect(answer.ice_servers).toEqual([
      { urls: ['stun:stun.example:3478'] },
      {
        urls: ['turn:turn.example:3478'],
        username: `${expires}:${me.id}`,
        credential: expect.stringMatching(/^.{27}=$/),
      },
    ]);
  });
});

describe('a deadline of a call', () => {
  it('ends an unanswered call', async () => {
    const { id } = await callAlone({ ring_timeout: 5 });
    const ended = await eventually(
      () => get(id),
      ({ status }) => status === 'ended',
    );
    expect(ended).toMatchObject({ end_reason: 'no_answer', ended_by: null, duration: null, join_url: null });
  });

  it('fails a call whose invitation no platform accepts', async () => {
    const { id } = await call({ participant_ids: [(await contact('Ann')).id] });
    const failed = await eventually(
      () => get(id),
      ({ status }) => status === 'failed',
    );
    expect(failed).toMatchObject({
      end_reason: 'provider_error',
      error: { code: 'no_route', permanent: true },
    });
    const took = Date.parse(String(failed.ended_at)) - Date.parse(String(failed.started_at));
    expect(took).toBeGreaterThanOrEqual(15_000);
  });
});
