import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';
const HERE = { latitude: 52.52, longitude: 13.405 };

let service: SharedService;
let api: ApiClient;
let me: Json;
let receiver: LoopbackServer & { readonly received: ReceivedRequest[] };

const contact = (body: Json = {}) =>
  api.must(201, 'POST', '/openapi/users', { display_name: 'Ann', ...body });
const record = (body: Json) => api.must(201, 'POST', '/openapi/locations', body);
const listed = async (path: string, client = api) =>
  (await client.must<{ data: Json[] }>(200, 'GET', path)).data;
const told = (event: string, userId: unknown) =>
  receiver.received
    .map((one) => JSON.parse(one.body) as { event: string; data: Json; timestamp: string })
    .filter((one) => one.event === event && one.data.user_id === userId);

beforeAll(async () => {
  receiver = await loopbackReceiver((_request, response) => response.writeHead(200).end());
  service = await shareService();
  api = service.client();
  me = await api.must(200, 'GET', '/openapi/users/me');
  await api.must(201, 'POST', '/api/webhooks', { url: receiver.url, events: ['locations'] });
});
afterAll(async () => {
  await receiver?.close();
});

describe('a point', () => {
  it('belongs to the caller, is manual and has the current time by default', async () => {
    const before = Date.now();
    const plain = await record(HERE);
    expect(plain).toMatchObject({
      ...HERE,
      user_id: me.id,
      accuracy: null,
      altitude: null,
      heading: null,
      source: 'manual',
      platform: null,
      address: null,
      tracking_session_id: null,
      metadata: {},
    });
    expect(Math.abs(Date.parse(String(plain.recorded_at)) - before)).toBeLessThan(60_000);
    const full = {
      latitude: -90,
      longitude: 180,
      accuracy: 0,
      altitude: -12.5,
      altitude_accuracy: 3,
      heading: 360,
      speed: 1.25,
      source: 'device',
      address: 'Alexanderplatz',
      recorded_at: '2026-01-01T01:00:00.123+01:00',
      metadata: { a: 1 },
    };
    const ann = await contact();
    expect(await record({ ...full, user_id: ann.id })).toMatchObject({
      ...full,
      user_id: ann.id,
      recorded_at: '2026-01-01T00:00:00.123Z',
    });
  });

  it.each<[string, Json, [string, string]]>([
    ['no latitude', { longitude: 1 }, ['latitude', 'required']],
    ['a latitude beyond the pole', { latitude: 90.01, longitude: 1 }, ['latitude', 'too_large']],
    ['a longitude beyond the date line', { latitude: 1, longitude: -180.5 }, ['longitude', 'too_small']],
    ['a word', { latitude: '1', longitude: 1 }, ['latitude', 'invalid_type']],
    ['a negative accuracy', { ...HERE, accuracy: -1 }, ['accuracy', 'too_small']],
    ['a heading over 360', { ...HERE, heading: 361 }, ['heading', 'too_large']],
    ['the source platform', { ...HERE, source: 'platform' }, ['source', 'invalid_value']],
    ['a long address', { ...HERE, address: 'x'.repeat(513) }, ['address', 'too_long']],
    ['no time', { ...HERE, recorded_at: 'now' }, ['recorded_at', 'invalid_format']],
    ['no points', { points: [] }, ['points', 'too_short']],
    ['too many points', { points: Array.from({ length: 101 }, () => HERE) }, ['points', 'too_many']],
    ['a wrong point', { points: [HERE, { latitude: 1 }] }, ['points.1.longitude', 'required']],
    ['a point beside points', { ...HERE, latitude: undefined, points: [HERE] }, ['longitude', 'exclusive']],
    ['a wrong user', { ...HERE, user_id: 'x' }, ['user_id', 'invalid_format']],
    ['the platform of a location', { ...HERE, platform: 'sms' }, ['platform', 'read_only']],
    ['the id of a location', { ...HERE, id: NOBODY }, ['id', 'read_only']],
    ['a field of the response to a batch', { ...HERE, data: [] }, ['data', 'unknown_field']],
  ])('refuses %s', async (_what, body, problem) => {
    expect(fieldsOf(await api.post('/openapi/locations', body))).toEqual([problem]);
  });

  it('is recorded at most 5 minutes in the future', async () => {
    const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    await record({ ...HERE, user_id: (await contact()).id, recorded_at: ahead(4) });
    const refused = await api.post('/openapi/locations', { ...HERE, recorded_at: ahead(6) });
    expect(fieldsOf(refused)).toEqual([['recorded_at', 'too_large']]);
  });

  it('needs an existing user and session', async () => {
    const missing = async (body: Json) =>
      (await api.must(404, 'POST', '/openapi/locations', body)).details as Json;
    expect(await missing({ ...HERE, user_id: NOBODY })).toEqual({ field: 'user_id' });
    expect(await missing({ ...HERE, tracking_session_id: NOBODY })).toEqual({ field: 'tracking_session_id' });
    expect(await missing({ points: [HERE, { ...HERE, tracking_session_id: NOBODY }] })).toEqual({
      field: 'points.1.tracking_session_id',
    });
  });

  it('can be sent in a batch, and the response keeps the order', async () => {
    const ann = await contact();
    const points = [3, 1, 2].map((n) => ({
      ...HERE,
      accuracy: n,
      recorded_at: `2026-01-01T00:00:0${n}.000Z`,
    }));
    const { data } = await api.must<{ data: Json[] }>(201, 'POST', '/openapi/locations', {
      user_id: ann.id,
      points,
    });
    expect(data).toMatchObject(points.map((point) => ({ ...point, user_id: ann.id })));
  });

  it('is stored once for one idempotency key', async () => {
    const ann = await contact();
    const body = { user_id: ann.id, points: [HERE, HERE] };
    const options = { headers: { 'idempotency-key': 'twice' } };
    const first = await api.post('/openapi/locations', body, options);
    const second = await api.post('/openapi/locations', body, options);
    expect([second.headers['idempotent-replayed'], second.body]).toEqual(['true', first.body]);
    expect(await listed(`/openapi/locations?user_id=${ann.id}`)).toHaveLength(2);
  });
});

describe('the rate of points', () => {
  it('is limited per user after a burst of 100, and a batch over the limit is refused as a whole', async () => {
    const [ann, bob] = [await contact(), await contact()];
    const batch = (userId: unknown, length: number) =>
      api.post('/openapi/locations', { user_id: userId, points: Array.from({ length }, () => HERE) });
    expect((await batch(ann.id, 100)).status).toBe(201);
    const refused = await batch(ann.id, 50);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ error: 'rate_limit_exceeded', details: { limit: 100 } });
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(51);
    expect((await batch(bob.id, 1)).status).toBe(201);
    expect(await listed(`/openapi/locations?user_id=${ann.id}&limit=100`)).toHaveLength(100);
  });
});

describe('the list of locations', () => {
  it('is filtered by user, time and filter, and sorted by recording', async () => {
    const ann = await contact();
    const points = [1, 2, 3].map((n) => ({ ...HERE, speed: n, recorded_at: `2026-02-0${n}T00:00:00Z` }));
    await api.must(201, 'POST', '/openapi/locations', { user_id: ann.id, points });
    await record({ ...HERE, user_id: ann.id, source: 'device', metadata: { tag: 'x' } });
    const speeds = async (query: string) =>
      (await listed(`/openapi/locations?user_id=${ann.id}&${query}`)).map(({ speed }) => speed);
    expect(
      await speeds('from=2026-02-01T00:00:00Z&to=2026-02-03T00:00:00Z&sort=recorded_at&order=asc'),
    ).toEqual([1, 2]);
    expect(await speeds('filter=recorded_at:<2026-03-01T00:00:00Z&sort=recorded_at')).toEqual([3, 2, 1]);
    expect(await speeds('filter=source:device')).toEqual([null]);
    expect(await speeds('filter=metadata.tag:x,platform:null,tracking_session_id:null')).toEqual([null]);
    expect(await listed(`/openapi/locations?filter=user_id:${ann.id}`)).toHaveLength(4);
    await api.must(404, 'GET', `/openapi/locations?user_id=${NOBODY}`);
    await api.must(404, 'GET', `/openapi/locations?tracking_session_id=${NOBODY}`);
    expect(fieldsOf(await api.get('/openapi/locations?user_id=x&from=y'))).toEqual([
      ['user_id', 'invalid_format'],
      ['from', 'invalid_format'],
    ]);
  });

  it('shows with profile:read only the user’s own points', async () => {
    const own = service.client(await service.createKey({ scopes: 'profile:read' }));
    const ann = await contact();
    await record({ ...HERE, user_id: ann.id });
    await record(HERE);
    const seen = await listed('/openapi/locations?limit=100', own);
    expect(new Set(seen.map((one) => one.user_id))).toEqual(new Set([me.id]));
    expect(await listed(`/openapi/locations?user_id=${me.id}&limit=100`, own)).toEqual(seen);
    const refused = await own.must(403, 'GET', `/openapi/locations?user_id=${ann.id}`);
    expect(refused.details).toEqual({ required: ['locations:read'], provided: ['profile:read'] });
    const session = await api.must(201, 'POST', '/openapi/locations/tracking', { user_id: ann.id });
    await own.must(403, 'GET', `/openapi/locations/tracking/${session.id}`);
    await own.must(403, 'GET', `/openapi/locations?tracking_session_id=${session.id}`);
    await own.must(403, 'POST', '/openapi/locations', HERE);
    expect(await listed('/openapi/locations/tracking?filter=status:pending', own)).toEqual([]);
    const none = service.client(await service.createKey({ scopes: 'messages:read' }));
    expect((await none.must(403, 'GET', '/openapi/locations')).details).toEqual({
      required: ['locations:read', 'profile:read'],
      provided: ['messages:read'],
    });
  });
});

describe('events of locations', () => {
  it('are sent at most every 5 s for a user, and always include the last point', async () => {
    const ann = await contact();
    for (const accuracy of [1, 2, 3]) await record({ ...HERE, user_id: ann.id, accuracy });
    const events = await eventually(
      async () => told('location.updated', ann.id),
      (found) => found.some(({ data }) => data.accuracy === 3),
    );
    expect(events.map(({ data }) => data.accuracy).sort()).toEqual([1, 3]);
    const [one = 0, two = 0] = events.map(({ timestamp }) => Date.parse(timestamp)).sort();
    expect(two - one).toBeGreaterThanOrEqual(5_000);
    expect(events[0]?.data.sequence).toEqual(expect.any(Number));
  });
});

describe('a tracking session', () => {
  const start = (body: Json = {}) => api.must(201, 'POST', '/openapi/locations/tracking', body);
  const act = (session: Json, action: string, body?: Json) =>
    api.post(`/openapi/locations/tracking/${session.id}/${action}`, body);
  const get = (session: Json) => api.must(200, 'GET', `/openapi/locations/tracking/${session.id}`);

  it('of the caller starts immediately, accepts points and stops', async () => {
    const session = await start({ purpose: 'Delivery', share_with: [me.id, me.id], metadata: { a: 1 } });
    expect(session).toMatchObject({
      user_id: me.id,
      conversation_id: null,
      status: 'active',
      end_reason: null,
      purpose: 'Delivery',
      interval_seconds: 15,
      share_with: [me.id],
      started_by: me.id,
      consent: { status: 'granted', method: 'self', granted_at: session.started_at },
      points_count: 0,
      last_location: null,
      ended_at: null,
      metadata: { a: 1 },
    });
    const lasting = Date.parse(String(session.expires_at)) - Date.parse(String(session.started_at));
    expect(lasting).toBe(3_600_000);
    expect(session).not.toHaveProperty('duration_seconds');
    const point = await record(HERE);
    expect(point.tracking_session_id).toBe(session.id);
    expect(await get(session)).toMatchObject({ points_count: 1, last_location: point });
    expect((await record({ ...HERE, tracking_session_id: null })).tracking_session_id).toBeNull();
    const active = await api.post('/openapi/locations/tracking', {});
    expect([reasonOf(active), (active.body.details as Json).id]).toEqual(['tracking_active', session.id]);
    expect(await listed('/openapi/locations/tracking')).toMatchObject([{ id: session.id }]);
    expect(await listed(`/openapi/locations?tracking_session_id=${session.id}`)).toEqual([point]);
    const stopped = await act(session, 'stop');
    expect(stopped.body).toMatchObject({ status: 'stopped', end_reason: 'stopped' });
    expect(await get(session)).toEqual(stopped.body);
    expect(await listed('/openapi/locations/tracking')).toEqual([]);
    expect(
      await listed('/openapi/locations/tracking?filter=status:stopped,end_reason:stopped'),
    ).toMatchObject([{ id: session.id }]);
    const again = await act(session, 'stop');
    expect([reasonOf(again), (again.body.details as Json).current]).toEqual(['invalid_state', 'stopped']);
    const late = await api.post('/openapi/locations', { ...HERE, tracking_session_id: session.id });
    expect([reasonOf(late), (late.body.details as Json).current]).toEqual(['invalid_state', 'stopped']);
    expect((await record(HERE)).tracking_session_id).toBeNull();
    const [started] = await eventually(
      async () => told('tracking.started', me.id),
      (found) => found.some(({ data }) => data.id === session.id),
    );
    expect(started?.data).not.toHaveProperty('previous');
    const [ended] = await eventually(
      async () => told('tracking.stopped', me.id),
      (found) => found.length > 0,
    );
    expect(ended?.data).toMatchObject({ id: session.id, status: 'stopped', previous: { status: 'active' } });
  });

  it('of a contact waits for consent, which starts it', async () => {
    const ann = await contact();
    const session = await start({ user_id: ann.id, duration_seconds: 60 });
    expect(session).toMatchObject({
      status: 'pending',
      consent: { status: 'pending', granted_at: null, method: null },
      started_at: null,
    });
    const waiting = await api.post('/openapi/locations', {
      ...HERE,
      user_id: ann.id,
      tracking_session_id: session.id,
    });
    expect(reasonOf(waiting)).toBe('invalid_state');
    expect(fieldsOf(await act(session, 'consent', {}))).toEqual([['granted', 'required']]);
    const granted = (await act(session, 'consent', { granted: true })).body;
    expect(granted).toMatchObject({ status: 'active', consent: { status: 'granted', method: 'recorded' } });
    expect(Date.parse(String(granted.expires_at)) - Date.parse(String(granted.started_at))).toBe(60_000);
    expect(reasonOf(await act(session, 'consent', { granted: true }))).toBe('invalid_state');
    const revoked = (await act(session, 'consent', { granted: false })).body;
    expect(revoked).toMatchObject({
      status: 'stopped',
      end_reason: 'revoked',
      consent: { status: 'denied' },
    });
    expect(reasonOf(await act(session, 'consent', { granted: false }))).toBe('invalid_state');
    await eventually(
      async () => told('tracking.started', ann.id),
      (found) => found.length === 1,
    );
  });

  it('is denied by a contact who refuses', async () => {
    const session = await start({ user_id: (await contact()).id });
    expect((await act(session, 'consent', { granted: false })).body).toMatchObject({
      status: 'denied',
      end_reason: 'denied',
      consent: { status: 'denied', granted_at: null },
      started_at: null,
    });
  });

  it('starts immediately after an earlier consent, and not at all after a denial', async () => {
    const willing = await contact({ consent: { tracking: 'granted' } });
    const session = await start({ user_id: willing.id });
    expect(session).toMatchObject({ status: 'active', consent: { method: 'prior' } });
    await api.must(200, 'PATCH', `/openapi/users/${willing.id}`, { consent: { tracking: 'denied' } });
    expect(await get(session)).toMatchObject({ status: 'stopped', end_reason: 'revoked' });
    expect(reasonOf(await api.post('/openapi/locations/tracking', { user_id: willing.id }))).toBe(
      'consent_denied',
    );
  });

  it('follows the consent in the user’s record', async () => {
    const ann = await contact();
    const session = await start({ user_id: ann.id });
    await api.must(200, 'PATCH', `/openapi/users/${ann.id}`, { consent: { tracking: 'granted' } });
    expect(await get(session)).toMatchObject({ status: 'active', consent: { method: 'recorded' } });
  });

  it('ends when the contact is deleted, and no location is kept', async () => {
    const ann = await contact({ consent: { tracking: 'granted' } });
    const session = await start({ user_id: ann.id });
    await record({ ...HERE, user_id: ann.id });
    await api.must(204, 'DELETE', `/openapi/users/${ann.id}`);
    expect(await get(session)).toMatchObject({
      status: 'stopped',
      end_reason: 'revoked',
      last_location: null,
    });
    expect(await listed(`/openapi/locations?filter=user_id:${ann.id}`)).toEqual([]);
  });

  it('is limited to one per user and conversation', async () => {
    const ann = await contact();
    const conversation = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [ann.id] });
    const general = await start({ user_id: ann.id });
    const inIt = await start({ user_id: ann.id, conversation_id: conversation.number });
    expect(inIt.conversation_id).toBe(conversation.id);
    const twice = await api.post('/openapi/locations/tracking', {
      user_id: ann.id,
      conversation_id: conversation.id,
    });
    expect((twice.body.details as Json).id).toBe(inIt.id);
    for (const session of [general, inIt]) await act(session, 'consent', { granted: true });
    expect((await record({ ...HERE, user_id: ann.id })).tracking_session_id).toBeNull();
    const named = await record({ ...HERE, user_id: ann.id, tracking_session_id: inIt.id });
    expect(named.tracking_session_id).toBe(inIt.id);
    const foreign = await api.must(404, 'POST', '/openapi/locations', {
      ...HERE,
      tracking_session_id: inIt.id,
    });
    expect(foreign.details).toEqual({ field: 'tracking_session_id' });
  });

  it('starts once and stops once under parallel requests', async () => {
    const ann = await contact({ consent: { tracking: 'granted' } });
    const starts = await Promise.all(
      [1, 2, 3, 4].map(() => api.post('/openapi/locations/tracking', { user_id: ann.id })),
    );
    expect(starts.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const session = starts.find(({ status }) => status === 201)?.body ?? {};
    const stops = await Promise.all([1, 2, 3].map(() => act(session, 'stop')));
    expect(stops.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it.each<[string, Json, [string, string]]>([
    ['an interval of 0', { interval_seconds: 0 }, ['interval_seconds', 'too_small']],
    ['an hour and a bit', { interval_seconds: 3_601 }, ['interval_seconds', 'too_large']],
    ['59 s', { duration_seconds: 59 }, ['duration_seconds', 'too_small']],
    ['over a day', { duration_seconds: 86_401 }, ['duration_seconds', 'too_large']],
    ['a long purpose', { purpose: 'x'.repeat(257) }, ['purpose', 'too_long']],
    ['a wrong member', { share_with: ['x'] }, ['share_with.0', 'invalid_format']],
  ])('refuses %s', async (_what, body, problem) => {
    expect(fieldsOf(await api.post('/openapi/locations/tracking', body))).toEqual([problem]);
  });

  it('is 404 for unknown records', async () => {
    for (const [body, field] of [
      [{ user_id: NOBODY }, 'user_id'],
      [{ conversation_id: NOBODY }, 'conversation_id'],
      [{ conversation_id: 999_999 }, 'conversation_id'],
      [{ share_with: [NOBODY] }, 'share_with'],
    ] as const) {
      expect((await api.must(404, 'POST', '/openapi/locations/tracking', body)).details).toEqual({ field });
    }
    for (const path of ['', '/stop', '/consent']) {
      const method = path === '' ? 'GET' : 'POST';
      const body = path === '/consent' ? { granted: true } : undefined;
      await api.must(404, method, `/openapi/locations/tracking/${NOBODY}${path}`, body);
      await api.must(404, method, `/openapi/locations/tracking/x${path}`, body);
    }
  });
});
