import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Json } from '../support/api-client.js';
import {
  type App,
  addMember,
  bearer,
  type OAuthStage,
  type Person,
  registerApp,
  SCOPES,
  shareOAuthStage,
  tokensFor,
} from '../support/oauth.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let stage: OAuthStage;
let app: App;
let person: Person;
/** A token of the person with every scope. */
let token: string;
/** A conversation in which the person takes part, and one in which they do not. */
let own: Json;
let foreign: Json;
let acquaintance: Json;
let stranger: Json;

const as = (access: string) => bearer(access);
const get = (path: string, access = token) => stage.anonymous.get(path, as(access));
const ids = (list: Json) => (list.data as Json[]).map(({ id }) => id);

beforeAll(async () => {
  stage = await shareOAuthStage();
  app = await registerApp(stage);
  person = await addMember(stage);
  const contact = (name: string) =>
    stage.api.must(201, 'POST', '/openapi/users', {
      display_name: name,
      identities: [{ platform: 'sms', external_id: `+4930123${name.length}${name.charCodeAt(0)}` }],
    });
  acquaintance = await contact('Ada');
  stranger = await contact('Stranger');
  own = await stage.api.must(201, 'POST', '/openapi/conversations', {
    type: 'group',
    participant_ids: [person.userId, acquaintance.id],
  });
  foreign = await stage.api.must(201, 'POST', '/openapi/conversations', {
    type: 'group',
    participant_ids: [stranger.id],
  });
  token = (await tokensFor(stage, app, person)).access_token;
});
afterAll(() => stage?.stop());

const say = (conversation: Json, text: string) =>
  stage.api.must(201, 'POST', '/openapi/messages', { conversation_id: conversation.id, text });

describe('an access token', () => {
  it('can expand the sender of a message only with user.read', async () => {
    const said = await say(own, 'Hello');
    const path = `/v2/openapi/messages/${said.id}?expand=sender`;
    const messagesOnly = (await tokensFor(stage, app, person, 'messages.read')).access_token;
    expect(await get(path, messagesOnly)).toMatchObject({
      status: 403,
      body: { details: { required: ['user.read'] } },
    });
    expect(await get(path)).toMatchObject({ status: 200, body: { sender: { id: said.sender_id } } });
  });

  it('is refused with a challenge when it is invalid', async () => {
    for (const wrong of ['tl_at_nope', `tl_at_${'0'.repeat(43)}`, 'x', service_key()]) {
      const answer = await get('/openapi/status', wrong);
      expect([answer.status, answer.headers['www-authenticate'], answer.body]).toEqual([
        401,
        'Bearer error="invalid_token"',
        { error: 'unauthorized', message: 'Missing or invalid credentials.' },
      ]);
    }
    for (const authorization of ['Bearer', `Basic ${token}`, `Bearer ${token} x`]) {
      const answer = await stage.anonymous.get('/openapi/status', {
        headers: { 'x-api-key': undefined, authorization },
      });
      expect(answer.status).toBe(401);
    }
    const inQuery = await stage.anonymous.get(`/openapi/status?access_token=${token}`, {
      headers: { 'x-api-key': undefined },
    });
    expect(inQuery.status).toBe(401);
  });

  function service_key() {
    return stage.service.key;
  }

  it('allows only the requests of its scopes, and errors name the missing scope', async () => {
    const narrow = (await tokensFor(stage, app, person, 'user.read')).access_token;
    const none = `/openapi/messages/${NOBODY}`;
    const wanted: [string, string, string][] = [
      ['GET', '/openapi/messages', 'messages.read'],
      ['GET', none, 'messages.read'],
      ['GET', '/openapi/deliveries', 'messages.read'],
      ['GET', '/openapi/conversations', 'messages.read'],
      ['GET', '/openapi/conversations/1/participants', 'messages.read'],
      ['GET', '/openapi/conversations/1/links', 'messages.read'],
      ['POST', '/openapi/messages', 'messages.write'],
      ['PATCH', none, 'messages.write'],
      ['DELETE', none, 'messages.write'],
    ];
    for (const [method, path, scope] of wanted) {
      const answer = await stage.anonymous.send(method, path, as(narrow));
      expect([answer.status, answer.body]).toEqual([
        403,
        {
          error: 'access_denied',
          message: `Missing scope ${scope}.`,
          details: { required: [scope], provided: ['user.read'] },
        },
      ]);
    }
    expect((await get('/openapi/users/me', narrow)).status).toBe(200);
    expect((await get('/openapi/status', narrow)).status).toBe(200);
    const reader = (await tokensFor(stage, app, person, 'messages.read')).access_token;
    const refused = await get('/openapi/users/me', reader);
    expect(refused.body.details).toEqual({ required: ['user.read'], provided: ['messages.read'] });
  });

  it('allows no request that has no OAuth scope, and the error names the API-key scope', async () => {
    const closed: [string, string, string[]][] = [
      ['POST', '/openapi/conversations', ['conversations:write']],
      ['PATCH', '/openapi/conversations/1', ['conversations:write']],
      ['DELETE', '/openapi/conversations/1', ['conversations:write']],
      ['POST', '/openapi/conversations/1/participants', ['conversations:write']],
      ['POST', '/openapi/conversations/1/links', ['conversations:write']],
      ['POST', '/openapi/users', ['profile:write']],
      ['PATCH', '/openapi/users/me', ['profile:write']],
      ['GET', '/openapi/broadcasts', ['broadcasts:read']],
      ['POST', '/openapi/broadcasts', ['broadcasts:write']],
      ['GET', '/openapi/platforms', ['platforms:read']],
      ['GET', '/openapi/protocols', ['protocols:read']],
      ['POST', '/openapi/platforms/telegram/connections', ['platforms:write']],
    ];
    for (const [method, path, required] of closed) {
      const answer = await stage.anonymous.send(method, path, as(token));
      expect([answer.status, answer.body.details], `${method} ${path}`).toEqual([
        403,
        { required, provided: [...SCOPES].sort() },
      ]);
    }
    expect((await get('/api/webhooks')).status).toBe(403);
    expect((await get('/openapi/nothing')).status).toBe(404);
  });
});

describe('the records that a token can access', () => {
  it('are the conversations of its user, and the records in them', async () => {
    const mine = await say(own, 'in mine');
    const theirs = await say(foreign, 'in theirs');
    const listed = await get('/openapi/conversations');
    expect([ids(listed.body), (listed.body.meta as Json).total_items]).toEqual([[own.id], 1]);
    const messages = await get('/openapi/messages?limit=100');
    expect(ids(messages.body)).toContain(mine.id);
    expect(ids(messages.body)).not.toContain(theirs.id);
    expect((messages.body.meta as Json).total_items).toBe(ids(messages.body).length);

    expect((await get(`/openapi/messages/${mine.id}`)).status).toBe(200);
    expect((await get(`/openapi/conversations/${own.number}`)).status).toBe(200);
    for (const path of [
      `/openapi/messages/${theirs.id}`,
      `/openapi/conversations/${foreign.id}`,
      `/openapi/conversations/${foreign.number}`,
      `/openapi/conversations/${foreign.id}/participants`,
      `/openapi/conversations/${foreign.id}/links`,
    ])
      expect((await get(path)).status, path).toBe(404);
    const asked = await get(`/openapi/messages?conversation_id=${foreign.id}`);
    expect([asked.status, asked.body.details]).toEqual([404, { field: 'conversation_id' }]);
    const filtered = await get(`/openapi/messages?filter=conversation_id:${foreign.id}`);
    expect(filtered.body.data).toEqual([]);
  });

  it('exclude a conversation after its user has left it', async () => {
    const passing = await stage.api.must(201, 'POST', '/openapi/conversations', {
      type: 'group',
      participant_ids: [person.userId],
    });
    expect((await get(`/openapi/conversations/${passing.id}`)).status).toBe(200);
    await stage.api.must(204, 'DELETE', `/openapi/conversations/${passing.id}/participants/${person.userId}`);
    expect((await get(`/openapi/conversations/${passing.id}`)).status).toBe(404);
  });

  it('include people: the user and those in the same conversations', async () => {
    const answer = await get('/openapi/users?limit=100');
    expect(new Set(ids(answer.body))).toEqual(new Set([person.userId, stage.owner.userId, acquaintance.id]));
    expect((answer.body.meta as Json).total_items).toBe(3);
    expect((await get(`/openapi/users/${acquaintance.id}`)).status).toBe(200);
    expect((await get(`/openapi/users/${stranger.id}`)).status).toBe(404);
    expect((await get('/openapi/users/me')).body.id).toBe(person.userId);
    const lonely = await addMember(stage);
    const { access_token } = await tokensFor(stage, app, lonely);
    expect(ids((await get('/openapi/users', access_token)).body)).toEqual([lonely.userId]);
  });
});

describe('calling with a token', () => {
  const call = async (body: Json) => {
    const { status, body: answer } = await stage.anonymous.post('/openapi/calls', body, as(token));
    return [status, answer.details];
  };

  it('reaches only people whom the user knows', async () => {
    const [identity] = stranger.identities as { platform: string; external_id: string }[];
    const to = { platform: 'sms', address: identity?.external_id ?? '' };
    const unknown = [404, { field: 'participant_ids' }];
    expect(await call({ participant_ids: [stranger.id] })).toEqual(unknown);
    expect(await call({ participant_ids: [acquaintance.id, stranger.id] })).toEqual(unknown);
    expect(await call({ to })).toEqual([404, { field: 'to' }]);
    expect(await call({ to: { ...to, address: '+49301230000' } })).toEqual([404, { field: 'to' }]);
    expect(await call({ conversation_id: foreign.id })).toEqual([404, { field: 'conversation_id' }]);
    expect(await call({ participant_ids: [acquaintance.id] })).toEqual([201, undefined]);
    expect((await get(`/openapi/users/${stranger.id}`)).status).toBe(404);
  });
});

describe('writing with a token', () => {
  const post = (body: Json, headers: Json = {}) => {
    const { headers: own } = as(token);
    return stage.anonymous.post('/openapi/messages', body, {
      headers: { ...own, ...(headers as Record<string, string>) },
    });
  };

  it('sends as its user, into own conversations only, once per idempotency key', async () => {
    const body = { conversation_id: own.id, text: 'from the app' };
    const sent = await post(body, { 'idempotency-key': 'once' });
    expect([sent.status, sent.body.sender_id]).toEqual([201, person.userId]);
    const again = await post(body, { 'idempotency-key': 'once' });
    expect([again.headers['idempotent-replayed'], again.body.id]).toEqual(['true', sent.body.id]);
    for (const conversation of [foreign.id, foreign.number]) {
      const answer = await post({ conversation_id: conversation, text: 'x' });
      expect([answer.status, answer.body.details]).toEqual([404, { field: 'conversation_id' }]);
    }
  });

  it('replies only to messages it can access: others do not exist', async () => {
    const hidden = await say(foreign, 'Not for them');
    for (const field of ['reply_to_id', 'thread_id']) {
      const body = { conversation_id: own.id, text: 'About that', [field]: hidden.id };
      const answer = await stage.anonymous.post('/openapi/messages', body, as(token));
      expect([answer.status, answer.body.details]).toEqual([404, { field }]);
      expect((await stage.api.post('/openapi/messages', body)).status).toBe(400);
    }
  });

  it('edits and deletes own messages only', async () => {
    const mine = (await post({ conversation_id: own.id, text: 'mine' })).body;
    const theirs = await say(own, 'not the app’s');
    const hidden = await say(foreign, 'out of sight');
    const edit = (message: Json) =>
      stage.anonymous.patch(`/openapi/messages/${message.id}`, { text: 'edited' }, as(token));
    const remove = (message: Json) => stage.anonymous.delete(`/openapi/messages/${message.id}`, as(token));
    expect((await edit(mine)).body.text).toBe('edited');
    for (const change of [edit, remove]) {
      const refused = await change(theirs);
      expect([refused.status, refused.body]).toEqual([
        403,
        {
          error: 'access_denied',
          message: 'Only own messages may be changed.',
          details: { required: ['messages:write'], provided: [...SCOPES].sort() },
        },
      ]);
      expect((await change(hidden)).status).toBe(404);
    }
    expect((await remove(mine)).status).toBe(204);
    expect((await get(`/openapi/messages/${mine.id}`)).status).toBe(404);
  });
});

describe('the rate limit', () => {
  const remaining = async (access: string) => {
    const { headers } = await get('/openapi/status', access);
    expect(headers['x-ratelimit-limit']).toBe('100');
    return Number(headers['x-ratelimit-remaining']);
  };

  it('is 100 requests per hour for each app and user, shared by all their tokens', async () => {
    const busy = await addMember(stage);
    const first = (await tokensFor(stage, app, busy)).access_token;
    const second = (await tokensFor(stage, app, busy)).access_token;
    const otherApp = (await tokensFor(stage, await registerApp(stage), busy)).access_token;
    const left = await remaining(first);
    // A new hour may begin in between and reset the counts.
    expect([left - 1, 99]).toContain(await remaining(second));
    expect(await remaining(otherApp)).toBe(99);
    const refused = await eventually(
      async () => {
        const answers = await Promise.all(Array.from({ length: 50 }, () => get('/openapi/status', first)));
        return answers.find(({ status }) => status === 429);
      },
      (answer) => answer !== undefined,
    );
    expect([refused?.body.error, refused?.headers['x-ratelimit-remaining']]).toEqual([
      'rate_limit_exceeded',
      '0',
    ]);
    expect((await get('/openapi/status', second)).status).toBe(429);
    expect((await get('/openapi/status', otherApp)).status).toBe(200);
  });
});

describe('a key and a token together', () => {
  const both = (key: string, path: string, method = 'GET', body?: Json) =>
    stage.service
      .client(key)
      .send(method, path, { headers: { authorization: `Bearer ${token}` }, ...(body && { body }) });

  it('act for the token’s user within what both allow, and the key is counted', async () => {
    const key = await stage.service.createKey({ scopes: 'messages:write,profile:read', rateLimit: 7 });
    const me = await both(key, '/openapi/users/me');
    expect([me.status, me.body.id, me.headers['x-ratelimit-limit']]).toEqual([200, person.userId, '7']);
    const sent = await both(key, '/openapi/messages', 'POST', { conversation_id: own.id, text: 'x' });
    expect([sent.status, sent.body.sender_id]).toEqual([201, person.userId]);
    const hidden = await both(key, '/openapi/messages', 'POST', { conversation_id: foreign.id, text: 'x' });
    expect(hidden.status).toBe(404);
    const lacking = await both(key, '/openapi/messages');
    expect(lacking.body.details).toEqual({
      required: ['messages:read'],
      provided: ['messages:write', 'profile:read'],
    });
    const uncovered = await both(stage.service.key, '/openapi/broadcasts');
    expect([uncovered.status, (uncovered.body.details as Json).required]).toEqual([403, ['broadcasts:read']]);
  });

  it('are refused unless both are valid and of one workspace', async () => {
    const testKey = await stage.service.createKey({ test: true });
    expect((await both(testKey, '/openapi/status')).status).toBe(401);
    expect((await both('tl_live_nope', '/openapi/status')).status).toBe(401);
    const answer = await stage.api.get('/openapi/status', { headers: { authorization: 'Bearer nope' } });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
  });
});
