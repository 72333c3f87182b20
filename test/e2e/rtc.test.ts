import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, type Json, reasonOf } from '../support/api-client.js';
import { invite, ownerBrowser } from '../support/browser.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { RtcSocket } from '../support/rtc-socket.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;
let me: Json;
let receiver: LoopbackServer & { readonly received: ReceivedRequest[] };

const contact = (name: string) => api.must(201, 'POST', '/openapi/users', { display_name: name });
const get = (id: unknown) => api.must(200, 'GET', `/openapi/calls/${id}`);
const statusOf = (record: Json, userId: unknown) =>
  (record.participants as Json[]).find((one) => one.user_id === userId)?.status;
const eventsOf = (id: unknown) =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as { event: string; data: Json })
    .filter(({ data }) => data.id === id)
    .sort((a, b) => Number(a.data.sequence) - Number(b.data.sequence));

/** A call with contacts who each have a socket with their own join token. The caller's socket uses the key. */
async function stage(names: readonly string[], more: Json = {}) {
  const people = await Promise.all(names.map(contact));
  const call = await api.must(201, 'POST', '/openapi/calls', {
    participant_ids: people.map(({ id }) => id),
    ...more,
  });
  const mine = await RtcSocket.open(service.url, { key: service.key });
  const theirs = await Promise.all(people.map(({ id }) => seat(call.id, id)));
  return { call, people, mine, theirs, frame: (type: string) => ({ type, call_id: call.id }) };
}

async function seat(callId: unknown, userId: unknown, url = service.url): Promise<RtcSocket> {
  const { token } = await api.must(200, 'POST', `/openapi/calls/${callId}/token`, { user_id: userId });
  return RtcSocket.open(url, { token: String(token) });
}

beforeAll(async () => {
  receiver = await loopbackReceiver((_request, response) => response.end());
  service = await shareService();
  api = service.client();
  me = await api.must(200, 'GET', '/openapi/users/me');
  await api.must(201, 'POST', '/api/webhooks', { url: receiver.url, events: ['calls'] });
});
afterAll(async () => {
  await receiver?.close();
});

describe('the handshake of a signaling socket', () => {
  it('works under each prefix, selects the protocol and sends ready', async () => {
    for (const prefix of ['', '/v1', '/v2']) {
      const socket = await RtcSocket.open(service.url, { key: service.key, path: `${prefix}/openapi/rtc` });
      expect(socket.socket.protocol).toBe('trunkline.rtc.v1');
      expect(socket.frames[0]).toEqual({ type: 'ready', user_id: me.id, heartbeat_seconds: 20 });
      await socket.close();
    }
    const plain = await RtcSocket.open(service.url, { key: service.key, protocols: [] });
    expect(plain.socket.protocol).toBe('');
    await plain.close();
  });

  it('returns the request id, the version and the rate limit as every response does', async () => {
    const socket = RtcSocket.open(service.url, { key: service.key, headers: { 'x-request-id': 'abc.1' } });
    const { socket: opened } = await socket;
    opened.close();
    const [upgrade] = await once(
      request(`${service.url}/openapi/rtc`, {
        headers: {
          'x-api-key': service.key,
          'x-request-id': 'abc.1',
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        },
      }).end(),
      'upgrade',
    );
    upgrade.destroy();
    expect(upgrade.headers).toMatchObject({
      'x-request-id': 'abc.1',
      'x-api-version': '1.0',
      'x-ratelimit-limit': '1000000000',
      upgrade: 'websocket',
    });
  });

  it('is refused without credential, scope, upgrade or from a foreign page', async () => {
    const refused = (options: Parameters<typeof RtcSocket.refused>[1]) =>
      RtcSocket.refused(service.url, options);
    for (const options of [
      {},
      { key: 'nonsense' },
      { token: 'nonsense' },
      { protocols: ['trunkline.token.'] },
    ]) {
      const { status, body } = await refused(options);
      expect([status, body.error]).toEqual([401, 'unauthorized']);
    }
    const poor = await service.createKey({ scopes: 'calls:write' });
    expect(await refused({ key: poor })).toMatchObject({
      status: 403,
      body: {
        error: 'access_denied',
        details: { required: ['rtc:write', 'calls:write'], provided: ['calls:write'] },
      },
    });
    const foreign = await refused({ key: service.key, headers: { origin: 'https://evil.example' } });
    expect([foreign.status, foreign.body.error]).toEqual([403, 'access_denied']);
    const own = await RtcSocket.open(service.url, { key: service.key, headers: { origin: service.url } });
    await own.close();
    for (const path of ['/openapi/rtc', '/v1/openapi/rtc']) expect((await api.get(path)).status).toBe(400);
    expect((await refused({ key: service.key, path: '/openapi/rtc?version=9' })).status).toBe(400);
    expect((await refused({ key: service.key, path: '/openapi/rtcx' })).status).toBe(404);
  });

  it('accepts a join token for its call only, while the call is live', async () => {
    const { call, people, theirs } = await stage(['Ann']);
    const other = await stage(['Bob']);
    const [ann] = theirs;
    expect(ann?.frames[0]).toMatchObject({ type: 'ready', user_id: people[0]?.id });
    expect(await ann?.ask(other.frame('join'))).toMatchObject({ type: 'error', error: 'not_found' });
    const { token } = await api.must(200, 'POST', `/openapi/calls/${call.id}/token`);
    const altered = `${String(token).slice(0, -2)}${String(token).endsWith('AA') ? 'BB' : 'AA'}`;
    expect((await RtcSocket.refused(service.url, { token: altered })).status).toBe(401);
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    expect((await RtcSocket.refused(service.url, { token: String(token) })).status).toBe(401);
    // A join token opens only the socket.
    const bare = {
      headers: { 'sec-websocket-protocol': `trunkline.token.${token}`, 'x-api-key': undefined },
    };
    expect((await service.client().get('/openapi/status', bare)).status).toBe(401);
  });
});

describe('a call over sockets', () => {
  it('is answered by the first participant who joins after the initiator, and ends when all have left', async () => {
    const { call, people, mine, theirs, frame } = await stage(['Ann', 'Bob']);
    const [ann, bob] = theirs as [RtcSocket, RtcSocket];
    const [annId, bobId] = people.map(({ id }) => id);
    expect(await mine.ask(frame('join'))).toEqual({ type: 'ack', ref: 'r1' });
    expect(await ann.next('joined')).toEqual({ type: 'joined', call_id: call.id, user_id: me.id });
    expect((await get(call.id)).status).toBe('initiated');

    expect(await ann.ask(frame('join'))).toMatchObject({ type: 'ack' });
    for (const socket of [mine, bob]) {
      expect(await nextOf(socket, 'joined', annId)).toEqual({
        type: 'joined',
        call_id: call.id,
        user_id: annId,
      });
    }
    const active = await get(call.id);
    expect(active).toMatchObject({ status: 'active', answered_at: expect.any(String) });
    expect([me.id, annId, bobId].map((id) => statusOf(active, id))).toEqual(['joined', 'joined', 'invited']);

    await ann.ask(frame('leave'));
    expect(await mine.next('left')).toEqual({ type: 'left', call_id: call.id, user_id: annId });
    expect((await get(call.id)).status).toBe('active');
    await mine.ask(frame('bye'));
    const { call: ended } = (await bob.next('ended')) as { call: Json };
    expect(ended).toMatchObject({ status: 'ended', end_reason: 'completed', duration: expect.any(Number) });
    expect(ended).toEqual(await get(call.id));
    expect([annId, bobId].map((id) => statusOf(ended, id))).toEqual(['left', 'missed']);

    const events = await eventually(
      async () => eventsOf(call.id),
      (seen) => seen.at(-1)?.event === 'call.ended',
    );
    expect(events.map(({ event }) => event)).toEqual([
      'call.created',
      'call.participant_joined',
      'call.answered',
      'call.participant_joined',
      'call.participant_left',
      'call.participant_left',
      'call.ended',
    ]);
    expect(events[2]?.data).toMatchObject({ status: 'active', previous: { status: 'initiated' } });
    expect(events[3]?.data).toMatchObject({ participant: { user_id: annId, status: 'joined' } });
    expect(events[6]?.data).toMatchObject({ ...ended, previous: { status: 'active' } });
  });

  it('is reported to the sockets of participants when it rings and when it ends', async () => {
    const mine = await RtcSocket.open(service.url, { key: service.key });
    const { id } = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: [],
      type: 'group',
    });
    const call = await api.must(201, 'POST', '/openapi/calls', { conversation_id: id });
    expect((await mine.next('ringing')).call).toEqual({ ...call, status: 'ringing' });
    const ended = await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    expect((await mine.next('ended')).call).toEqual(ended);
    await mine.close();
  });

  it('forwards offers, answers and candidates to all sockets of the recipient', async () => {
    const { call, people, mine, theirs, frame } = await stage(['Ann', 'Bob']);
    const [ann, bob] = theirs as [RtcSocket, RtcSocket];
    const annId = people[0]?.id;
    const second = await seat(call.id, annId);
    const large = { sdp: 'x'.repeat(60_000), ключ: [1, null, { deep: '\u0001' }] };
    expect(await mine.ask({ ...frame('offer'), to: annId, payload: large })).toMatchObject({ type: 'ack' });
    for (const socket of [ann, second]) {
      expect(await socket.next('offer')).toEqual({
        type: 'offer',
        call_id: call.id,
        from: me.id,
        payload: large,
      });
    }
    ann.send({ ...frame('answer'), to: me.id, payload: { sdp: 'v=0' } });
    expect(await mine.next('answer')).toEqual({
      type: 'answer',
      call_id: call.id,
      from: annId,
      payload: { sdp: 'v=0' },
    });
    for (let n = 0; n < 20; n += 1) ann.send({ ...frame('candidate'), to: me.id, payload: { n } });
    for (let n = 0; n < 20; n += 1) expect((await mine.next('candidate')).payload).toEqual({ n });
    const signal = { type: 'candidate', to: annId, payload: { via: 'request' } };
    const sent = await api.must(200, 'POST', `/openapi/calls/${call.id}/signal`, signal);
    expect(sent).toEqual({ delivered: true });
    expect((await second.next('candidate')).payload).toEqual({ via: 'request' });
    expect(bob.frames.some(({ type }) => type === 'offer')).toBe(false);
  });

  it('ends as declined when all others declined', async () => {
    const { call, people, mine, theirs, frame } = await stage(['Ann', 'Bob']);
    const [ann, bob] = theirs as [RtcSocket, RtcSocket];
    await ann.ask(frame('decline'));
    expect(await mine.next('declined')).toEqual({
      type: 'declined',
      call_id: call.id,
      user_id: people[0]?.id,
    });
    expect((await get(call.id)).status).toBe('initiated');
    await bob.ask(frame('decline'));
    expect((await mine.next('ended')).call).toMatchObject({ status: 'ended', end_reason: 'declined' });
    expect(await ann.ask(frame('join'))).toMatchObject({
      type: 'error',
      error: 'conflict',
      details: { reason: 'invalid_state', current: 'ended' },
    });
  });

  it('ends as busy when the participant who declined is in another call', async () => {
    const { call, people, theirs, frame } = await stage(['Ann']);
    await theirs[0]?.ask(frame('join'));
    const group = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: people.map(({ id }) => id),
      type: 'group',
    });
    const second = await api.must(201, 'POST', '/openapi/calls', { conversation_id: group.id });
    const ann = await seat(second.id, people[0]?.id);
    await ann.ask({ type: 'decline', call_id: second.id });
    expect(await get(second.id)).toMatchObject({
      status: 'ended',
      end_reason: 'busy',
      ended_by: people[0]?.id,
    });
    expect((await get(call.id)).status).toBe('active');
  });

  it('ignores repeated signals', async () => {
    const { call, mine, theirs, frame } = await stage(['Ann']);
    const [ann] = theirs as [RtcSocket];
    for (const type of ['leave', 'bye', 'join', 'join'])
      expect((await mine.ask(frame(type))).type).toBe('ack');
    await ann.ask(frame('join'));
    expect((await ann.ask(frame('decline'))).type).toBe('ack');
    expect((await get(call.id)).status).toBe('active');
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    const events = await eventually(
      async () => eventsOf(call.id),
      (seen) => seen.at(-1)?.event === 'call.ended',
    );
    expect(events.filter(({ event }) => event === 'call.participant_joined')).toHaveLength(2);
    expect(events.filter(({ event }) => event === 'call.participant_left')).toHaveLength(0);
  });
});

describe('signaling frames', () => {
  it('are acknowledged on request, and errors describe the problem', async () => {
    const { people, mine, frame } = await stage(['Ann']);
    mine.send({ type: 'ping' });
    expect(await mine.next('pong')).toEqual({ type: 'pong' });
    mine.send({ type: 'ping', ref: 'p' });
    expect(await mine.next('pong')).toEqual({ type: 'pong', ref: 'p' });
    const fields = async (sent: Json) => {
      const answer = await mine.ask(sent);
      expect([answer.type, answer.error, typeof answer.message]).toEqual([
        'error',
        'invalid_request',
        'string',
      ]);
      return (answer.details as { fields: Json[] }).fields.map(({ field, code }) => [field, code]);
    };
    expect(await fields({ type: 'shout' })).toContainEqual(['type', 'invalid_value']);
    expect(await fields({})).toContainEqual(['type', 'required']);
    expect(await fields({ type: 'join' })).toEqual([['call_id', 'required']]);
    expect(await fields({ ...frame('offer'), payload: {} })).toEqual([['to', 'required']]);
    const ann = people[0]?.id;
    expect(await fields({ ...frame('offer'), to: ann, payload: [] })).toEqual([['payload', 'invalid_type']]);
    expect(await mine.ask({ ...frame('offer'), to: NOBODY, payload: {} })).toMatchObject({
      error: 'not_found',
      details: { field: 'to' },
    });
    expect(await mine.ask({ type: 'join', call_id: NOBODY })).toMatchObject({ error: 'not_found' });
    for (const wrong of ['nonsense', '[]', '"x"']) {
      mine.send(wrong);
      expect(await mine.next('error')).toMatchObject({ error: 'invalid_request' });
    }
    mine.send({ type: 'ping', ref: 'x'.repeat(65) });
    expect(await mine.next('error')).toMatchObject({ error: 'invalid_request' });
  });

  it('close the socket when they are binary, too long or too many', async () => {
    const open = () => RtcSocket.open(service.url, { key: service.key });
    const [binary, long, many] = [await open(), await open(), await open()];
    binary.send(Buffer.from('{}'));
    expect((await binary.closed).code).toBe(1003);
    long.send(JSON.stringify({ type: 'ping', ref: 'x'.repeat(65_536) }));
    expect((await long.closed).code).toBe(1009);
    for (let n = 0; n < 60; n += 1) many.send({ type: 'ping' });
    expect((await many.closed).code).toBe(4429);
    const calm = await open();
    for (let n = 0; n < 50; n += 1) calm.send({ type: 'ping' });
    for (let n = 0; n < 50; n += 1) await calm.next('pong');
    await calm.close();
  });

  it('flow over at most two hundred open sockets of a key, and other keys have their own limit', async () => {
    const key = await service.createKey({ scopes: 'rtc:write,calls:write' });
    const open = (own: string) => RtcSocket.open(service.url, { key: own });
    const sockets = await Promise.all(Array.from({ length: 200 }, () => open(key)));
    expect((await RtcSocket.ended(service.url, { key })).code).toBe(4429);
    sockets.push(await open(service.key));
    await sockets[0]?.close();
    sockets.push(await open(key));
    await Promise.all(sockets.map((socket) => socket.close()));
  });

  it('end with the socket, which is closed when its key is revoked', async () => {
    const key = await service.createKey();
    const opened = () => service.log.filter(({ msg }) => msg === 'rtc_socket.opened');
    const before = opened().length;
    const socket = await RtcSocket.open(service.url, { key });
    const [line] = await eventually(
      async () => opened().slice(before),
      (lines) => lines.length > 0,
    );
    await service.run('keys', 'revoke', String(line?.credential_id));
    expect((await socket.closed).code).toBe(4401);
  });
});

describe('users of the dashboard', () => {
  const asPerson = ({ cookie }: { readonly cookie: string | undefined }) =>
    RtcSocket.open(service.url, {
      path: '/dashboard/api/openapi/rtc',
      headers: { cookie: String(cookie), origin: service.url },
    });

  it('ring at once and join with their session, until they sign out', async () => {
    const owner = await ownerBrowser(service);
    const bea = await invite(service, owner, 'bea');
    const [here, there] = [await asPerson(bea.browser), await asPerson(owner)];
    const call = await api.must(201, 'POST', '/openapi/calls', { participant_ids: [bea.id] });
    expect((await here.next('ringing')).call).toMatchObject({ id: call.id, status: 'ringing' });
    expect((await get(call.id)).participants).toMatchObject([{ status: 'invited' }, { status: 'ringing' }]);
    await here.ask({ type: 'join', call_id: call.id });
    expect(await there.next('joined')).toMatchObject({ user_id: bea.id });
    expect(await get(call.id)).toMatchObject({ status: 'active' });
    expect(await api.must(200, 'GET', `/openapi/users/${bea.id}`)).toMatchObject({ presence: 'online' });
    await owner.must(204, 'DELETE', '/session');
    expect((await there.closed).code).toBe(4401);
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    const events = await eventually(
      async () => eventsOf(call.id),
      (seen) => seen.at(-1)?.event === 'call.ended',
    );
    expect(events.map(({ event }) => event).slice(0, 2)).toEqual(['call.created', 'call.ringing']);
    expect(events[1]?.data).toMatchObject({ status: 'ringing', previous: { status: 'initiated' } });
  });

  it('lose the sockets of a key when it expires, and of a token when they are suspended', async () => {
    const owner = await ownerBrowser(service);
    const { key } = await owner.must<{ key: string }>(201, 'POST', '/keys', {
      name: 'Brief',
      scopes: ['rtc:write', 'calls:write'],
      expires_at: new Date(Date.now() + 6_000).toISOString(),
    });
    const expiring = await RtcSocket.open(service.url, { key });
    expect((await expiring.closed).code).toBe(4401);
    const cai = await invite(service, owner, 'cai');
    const call = await api.must(201, 'POST', '/openapi/calls', { participant_ids: [cai.id] });
    const seated = await seat(call.id, cai.id);
    await owner.must(200, 'PATCH', `/members/${cai.id}`, { status: 'suspended' });
    expect((await seated.closed).code).toBe(4401);
  });
});

describe('the call page', () => {
  const open = (url: unknown, accept = 'text/html') =>
    fetch(String(url), { headers: { accept } }).then(async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
    }));
  const callOf = (html: string) => {
    const [, json = ''] = /data-call="([^"]*)"/.exec(html) ?? [];
    const entities: Record<string, string> = {
      '&quot;': '"',
      '&#39;': "'",
      '&lt;': '<',
      '&gt;': '>',
      '&amp;': '&',
    };
    const plain = json.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => entities[entity] ?? '');
    return JSON.parse(plain) as Json & { places: Json[] };
  };

  it('lets a visitor with the link choose a participant, and joins with the token of that participant', async () => {
    const { call, people, mine } = await stage(['Ann <b>', 'Bob']);
    const { status, headers, text } = await open(call.join_url);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(text).toContain('Join as Ann &lt;b&gt;');
    expect(text).not.toMatch(/<script>|<style|style=|onclick/);
    const page = callOf(text);
    expect([page.callId, page.type, page.url]).toEqual([
      call.id,
      'voice',
      `${service.url.replace('http', 'ws')}/v1/openapi/rtc`,
    ]);
    expect(page.places.map(({ userId }) => userId)).toEqual([me.id, ...people.map(({ id }) => id)]);
    const ann = await RtcSocket.open(service.url, {
      token: String(page.places[1]?.token),
      headers: { origin: service.url },
    });
    await ann.ask({ type: 'join', call_id: call.id });
    expect(await mine.next('joined')).toMatchObject({ user_id: people[0]?.id });
    for (const [, path] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const asset = await open(service.url + path);
      expect([asset.status, asset.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
    }
  });

  it('joins as one participant with their own token, which it does not renew', async () => {
    const { call, people } = await stage(['Ann']);
    const { token } = await api.must(200, 'POST', `/openapi/calls/${call.id}/token`, {
      user_id: people[0]?.id,
    });
    const page = callOf((await open(`${service.url}/join/${token}`)).text);
    const stun = { urls: ['stun:stun.example:3478'] };
    const turn = expect.objectContaining({ urls: ['turn:turn.example:3478'] });
    expect(page.places).toEqual([{ userId: people[0]?.id, name: 'Ann', token, iceServers: [stun, turn] }]);
  });

  it('is 404 for a link that is altered, unknown or of an ended call', async () => {
    const { call } = await stage(['Ann']);
    const link = String(call.join_url);
    const { token } = await api.must(200, 'POST', `/openapi/calls/${call.id}/token`);
    const flipped = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
    const wrong = [
      flipped(link),
      `${service.url}/join/${flipped(String(token))}`,
      `${service.url}/join/x%20y`,
    ];
    for (const url of wrong) expect((await open(url)).status).toBe(404);
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    for (const url of [link, `${service.url}/join/${token}`]) {
      expect(await open(url)).toMatchObject({
        status: 404,
        text: expect.stringContaining('The call is over'),
      });
      expect(JSON.parse((await open(url, '*/*')).text)).toMatchObject({ error: 'not_found' });
    }
  });
});

describe('calls to an address', () => {
  it('invite the contact by a message and ring when the platform has accepted it', async () => {
    const test = service.client(await service.createKey({ test: true }));
    const call = await test.must(201, 'POST', '/openapi/calls', {
      to: { platform: 'sandbox', address: 'deliver' },
    });
    const ringing = await eventually(
      () => test.must(200, 'GET', `/openapi/calls/${call.id}`),
      ({ status }) => status === 'ringing',
    );
    expect((ringing.participants as Json[]).map(({ status }) => status)).toEqual(['invited', 'ringing']);
    const { data } = await test.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/messages?conversation_id=${call.conversation_id}`,
    );
    expect(data).toMatchObject([
      { metadata: { call_id: call.id }, text: expect.stringMatching(/\/join\/\w+$/) },
    ]);
    const page = await fetch(String(data[0]?.text).split('Join: ')[1] ?? '');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('deliver')]);
    const failing = await test.must(201, 'POST', '/openapi/calls', {
      to: { platform: 'sandbox', address: 'fail' },
    });
    const failed = await eventually(
      () => test.must(200, 'GET', `/openapi/calls/${failing.id}`),
      ({ status }) => status === 'failed',
    );
    expect(failed).toMatchObject({ end_reason: 'provider_error', error: { code: 'content_rejected' } });
    expect(
      reasonOf(await test.post('/openapi/calls', { to: { platform: 'sms', address: '+4915112345678' } })),
    ).toBe('no_connection');
  });
});

/** The next frame of a type about one user. */
async function nextOf(socket: RtcSocket, type: string, userId: unknown): Promise<Json> {
  for (;;) {
    const frame = await socket.next(type);
    if (frame.user_id === userId) return frame;
  }
}
