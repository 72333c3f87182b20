import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json } from '../support/api-client.js';
import { postForm } from '../support/forms.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';
const LATER = new Date(Date.now() + 86_400_000).toISOString();

let service: SharedService;
let api: ApiClient;

const contact = (address: string, more: Json = {}) =>
  api.must(201, 'POST', '/openapi/users', {
    display_name: address,
    identities: [{ platform: 'sandbox', external_id: address }],
    ...more,
  });
const create = (body: Json) => api.must(201, 'POST', '/openapi/segments', body);
const get = (id: unknown) => api.must(200, 'GET', `/openapi/segments/${id}`);
const upload = (content: string | Buffer, name = 'List', headers: Record<string, string> = {}) =>
  postForm(api, '/openapi/segments', { name, file: { name: 'list.csv', content } }, headers);
const broadcast = (body: Json) => api.must(201, 'POST', '/openapi/broadcasts', { text: 'Hi', ...body });
const finished = (id: unknown) =>
  eventually(
    () => api.must(200, 'GET', `/openapi/broadcasts/${id}`),
    ({ status }) => ['completed', 'failed', 'expired'].includes(String(status)),
  );
const recipients = async (id: unknown) =>
  (await api.must<{ data: Json[] }>(200, 'GET', `/openapi/broadcasts/${id}/recipients?limit=100`)).data;
const texts = async (id: unknown) =>
  (await api.must<{ data: Json[] }>(200, 'GET', `/openapi/messages?limit=100&filter=broadcast_id:${id}`)).data
    .map(({ text }) => text)
    .sort();

beforeAll(async () => {
  service = await shareService({ test: true });
  api = service.client();
});

describe('a segment of users', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const [ann, bob] = [await contact('sent+ann'), await contact('sent+bob')];
    const made = await create({ name: 'Friends', user_ids: [ann.id, ann.id], metadata: { team: 'a' } });
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Friends',
      kind: 'static',
      size: 1,
      filter: null,
      metadata: { team: 'a' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await get(made.id)).toEqual(made);
    for (const filter of ['name:Friends', 'name:~riend', 'kind:static,metadata.team:a']) {
      const path = `/openapi/segments?sort=name&filter=${encodeURIComponent(filter)}`;
      expect((await api.must<{ data: Json[] }>(200, 'GET', path)).data).toEqual([made]);
    }
    const changed = await api.must(200, 'PATCH', `/openapi/segments/${made.id}`, {
      name: 'Both',
      user_ids: [ann.id, bob.id],
    });
    expect(changed).toMatchObject({ name: 'Both', size: 2, metadata: { team: 'a' } });
    const same = { name: 'Both', user_ids: [bob.id, ann.id], filter: null };
    expect(await api.must(200, 'PATCH', `/openapi/segments/${made.id}`, same)).toEqual(changed);
    await api.must(204, 'DELETE', `/openapi/users/${bob.id}`);
    expect(await get(made.id)).toMatchObject({ size: 1 });
    await api.must(204, 'DELETE', `/openapi/segments/${made.id}`);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      await api.must(404, method, `/openapi/segments/${made.id}`, method === 'PATCH' ? {} : undefined);
  });

  it.each<[string, Json, [string, string]]>([
    ['no name', { user_ids: [] }, ['name', 'required']],
    ['nobody and no filter', { name: 'x' }, ['user_ids', 'required']],
    ['both', { name: 'x', user_ids: [], filter: 'kind:contact' }, ['filter', 'exclusive']],
    ['a wrong id', { name: 'x', user_ids: ['1'] }, ['user_ids.0', 'invalid_format']],
    ['an unknown field in its filter', { name: 'x', filter: 'nope:1' }, ['filter', 'invalid_value']],
    ['half a filter', { name: 'x', filter: 'status:' }, ['filter', 'malformed']],
    ['a long name', { name: 'x'.repeat(257), user_ids: [] }, ['name', 'too_long']],
  ])('is refused with %s', async (_what, body, problem) => {
    expect(fieldsOf(await api.post('/openapi/segments', body))).toEqual([problem]);
  });

  it('accepts only existing users, and keeps its kind', async () => {
    const unknown = await api.post('/openapi/segments', { name: 'x', user_ids: [NOBODY] });
    expect([unknown.status, unknown.body.details]).toEqual([404, { field: 'user_ids' }]);
    const [list, filter] = [
      await create({ name: 'l', user_ids: [] }),
      await create({ name: 'f', filter: 'status:active' }),
    ];
    const patch = (id: unknown, body: Json) => api.patch(`/openapi/segments/${id}`, body);
    expect(fieldsOf(await patch(list.id, { filter: 'status:active' }))).toEqual([['filter', 'exclusive']]);
    expect(fieldsOf(await patch(filter.id, { user_ids: [] }))).toEqual([['user_ids', 'exclusive']]);
    expect(fieldsOf(await patch(filter.id, { filter: null }))).toEqual([['filter', 'required']]);
    expect(fieldsOf(await patch(filter.id, { kind: 'static', size: 3 }))).toEqual([
      ['kind', 'read_only'],
      ['size', 'read_only'],
    ]);
  });

  it('by a filter has its size in the response, also in a repeated one', async () => {
    await contact('sent+sized');
    const body = { name: 'Sized', filter: 'display_name:sent+sized' };
    const create = () =>
      api.post('/openapi/segments', body, { headers: { 'idempotency-key': 'segment-sized' } });
    const [first, second] = [await create(), await create()];
    expect(first.body).toMatchObject({ kind: 'filter', size: 1 });
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('needs scopes of broadcasts', async () => {
    const reader = service.client(await service.createKey({ test: true, scopes: 'broadcasts:read' }));
    await reader.must(200, 'GET', '/openapi/segments');
    const refused = await reader.post('/openapi/segments', {});
    expect([refused.status, (refused.body.details as Json).required]).toEqual([403, ['broadcasts:write']]);
  });
});

describe('a segment by a filter', () => {
  it('counts its current contacts', async () => {
    const made = await create({ name: 'Gold', filter: 'metadata.plan:gold' });
    expect(made).toMatchObject({ kind: 'filter', size: 0, filter: 'metadata.plan:gold' });
    await contact('sent+gold', { metadata: { plan: 'gold' } });
    expect(await get(made.id)).toMatchObject({ size: 1 });
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', '/openapi/segments?filter=name:Gold');
    expect(data).toMatchObject([{ size: 1 }]);
    expect(
      await api.must(200, 'PATCH', `/openapi/segments/${made.id}`, { filter: 'metadata.plan:silver' }),
    ).toMatchObject({ size: 0, filter: 'metadata.plan:silver' });
  });
});

describe('a segment from a file', () => {
  it('accepts addresses with variables, and creates contacts for unknown addresses', async () => {
    const known = await contact('sent+csv-known', { display_name: 'Known' });
    const file = [
      '\uFEFFplatform,address,first name,points',
      'sandbox,sent+csv-known,Ann,7',
      '',
      'sandbox,sent+csv-new,"Bob, ""B""",',
      'sandbox,sent+csv-known,Again,8',
    ].join('\r\n');
    const answer = await upload(file, 'People');
    expect([answer.status, answer.body]).toMatchObject([201, { name: 'People', kind: 'static', size: 2 }]);
    const made = await broadcast({
      text: 'Dear {{first name}}{{name}}',
      variables: { name: '!', 'first name': 'friend' },
      audience: { segment_ids: [answer.body.id] },
    });
    await finished(made.id);
    expect(await texts(made.id)).toEqual(['Dear Ann!', 'Dear Bob, "B"!']);
    const users = (await recipients(made.id)).map(({ user_id }) => user_id);
    expect(users).toContain(known.id);
    const created = await api.must<{ data: Json[] }>(
      200,
      'GET',
      '/openapi/users?filter=display_name:sent%2Bcsv-new',
    );
    expect(created.data).toMatchObject([{ kind: 'contact', identities: [{ external_id: 'sent+csv-new' }] }]);
  });

  it('accepts user ids, and uses its cells as variables of the text', async () => {
    const [one, two] = [await contact('sent+u1'), await contact('sent+u2')];
    const { body } = await upload(`code,user_id\n"A-1",${one.id}\n,${String(two.id).toUpperCase()}\n`);
    expect(body).toMatchObject({ size: 2 });
    const made = await broadcast({ text: 'Code {{code}}', audience: { segment_ids: [body.id] } });
    const done = await finished(made.id);
    expect(done).toMatchObject({ counts: { total: 2, sent: 1 }, skip_reasons: { missing_variable: 1 } });
    expect(await texts(made.id)).toEqual(['Code A-1']);
  });

  it.each<[string, string, string, RegExp]>([
    ['without a header', '', 'required', /header/],
    ['with another header', 'name,phone\nx,y', 'invalid_value', /Line 1/],
    ['with half of a header', 'platform,name\nx,y', 'invalid_value', /Line 1/],
    ['with two ways to say who', 'user_id,platform,address\n', 'invalid_value', /Line 1/],
    ['with a column twice', 'user_id,a,a\n', 'duplicate', /Line 1/],
    ['with a wrong id', `user_id\n${NOBODY}\nx\n`, 'invalid_format', /Line 3/],
    ['with a wrong platform', 'platform,address\nsandbox,a\n\nX,b', 'invalid_format', /Line 4/],
    ['with an empty address', 'platform,address\nsandbox,', 'invalid_format', /Line 2/],
    ['with a cell too many', 'platform,address\nsandbox,a\nsandbox,a,b', 'malformed', /Line 3/],
    ['with an open quote', 'platform,address\nsandbox,"a', 'malformed', /Line \d/],
  ])('is refused %s, and nothing is stored', async (_what, content, code, message) => {
    const before = await api.must<{ meta: Json }>(200, 'GET', '/openapi/segments');
    const answer = await upload(content);
    expect(fieldsOf(answer)).toEqual([['file', code]]);
    expect(answer.body.message).toMatch(message);
    expect((await api.must<{ meta: Json }>(200, 'GET', '/openapi/segments')).meta).toEqual(before.meta);
  });

  it('is refused for an unknown user, a missing part, or another encoding', async () => {
    const { id } = await contact('sent+exists');
    const unknown = await upload(`user_id\n${id}\n${NOBODY}\n`);
    expect([unknown.status, unknown.body]).toMatchObject([404, { details: { field: 'file' } }]);
    expect(unknown.body.message).toMatch(/line 3/);
    const form = (parts: Record<string, string>) => postForm(api, '/openapi/segments', parts);
    expect(fieldsOf(await form({ name: 'x' }))).toEqual([['file', 'required']]);
    expect(fieldsOf(await form({ file: 'user_id\n' }))).toEqual([['name', 'required']]);
    expect(fieldsOf(await upload(Buffer.from([0x75, 0xff, 0x0a])))).toEqual([['file', 'malformed']]);
    for (const path of ['/openapi/segments', '/v2/openapi/segments']) {
      const strange = await postForm(api, path, { name: 'x', file: 'user_id\n', more: 'y' });
      expect(fieldsOf(strange)).toEqual([['more', 'unknown_field']]);
    }
  });

  it('has one effect per Idempotency-Key, whatever the boundary', async () => {
    const file = 'platform,address\nsandbox,sent+once';
    const first = await upload(file, 'Once', { 'idempotency-key': 'segment-1' });
    const second = await upload(file, 'Once', { 'idempotency-key': 'segment-1' });
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    const other = await upload(`${file}\n`, 'Once', { 'idempotency-key': 'segment-1' });
    expect([other.status, (other.body.details as Json).reason]).toEqual([409, 'idempotency_key_reused']);
  });

  it('accepts tens of thousands of rows', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `sandbox,sent+many${n},${n}`);
    const { body } = await upload(['platform,address,number', ...rows].join('\n'));
    expect(body).toMatchObject({ size: 20_000 });
  });
});

describe('the audience of a broadcast', () => {
  it('includes and excludes segments', async () => {
    const [a, b, c] = [
      await contact('sent+aud-a', { metadata: { aud: 'x' } }),
      await contact('sent+aud-b', { metadata: { aud: 'x' } }),
      await contact('sent+aud-c', { metadata: { aud: 'y' } }),
    ];
    const [x, y, onlyB] = [
      await create({ name: 'x', filter: 'metadata.aud:x' }),
      await create({ name: 'yc', user_ids: [c.id, a.id] }),
      await create({ name: 'b', user_ids: [b.id] }),
    ];
    const made = await broadcast({
      audience: { segment_ids: [x.id, y.id], exclude: { segment_ids: [onlyB.id] } },
    });
    expect(await finished(made.id)).toMatchObject({
      counts: { total: 3, sent: 2, skipped: 1 },
      skip_reasons: { duplicate: 1 },
    });
    const reached = (await recipients(made.id)).filter(({ status }) => status === 'sent');
    expect(reached.map(({ user_id }) => user_id).sort()).toEqual([a.id, c.id].sort());
    const without = await broadcast({
      audience: { user_ids: [a.id, c.id], exclude: { segment_ids: [x.id] } },
    });
    expect(await finished(without.id)).toMatchObject({ counts: { total: 1, sent: 1 } });
  });

  it('keeps the members of a segment that is deleted before it starts', async () => {
    const { body } = await upload('platform,address\nsandbox,sent+kept');
    const excluded = await contact('sent+kept-out');
    const out = await create({ name: 'out', user_ids: [excluded.id] });
    const made = await broadcast({
      schedule: { at: LATER },
      audience: {
        user_ids: [excluded.id],
        segment_ids: [body.id],
        exclude: { segment_ids: [out.id] },
      },
    });
    for (const id of [body.id, out.id]) await api.must(204, 'DELETE', `/openapi/segments/${id}`);
    await api.must(200, 'POST', `/openapi/broadcasts/${made.id}/start`);
    expect(await finished(made.id)).toMatchObject({ counts: { total: 1, sent: 1 } });
    const unknown = await api.post('/openapi/broadcasts', { text: 'x', audience: { segment_ids: [out.id] } });
    expect([unknown.status, unknown.body.details]).toEqual([404, { field: 'audience.segment_ids' }]);
  });
});
