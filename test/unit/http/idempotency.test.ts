import { beforeEach, describe, expect, it } from 'vitest';
import { ALL, callerWith, MemoryIdempotency, Notes, testServer } from '../../support/http.js';

let notes: Notes;
let server: ReturnType<typeof testServer>;
const other = callerWith(['messages:write'], {
  credential: { kind: 'api_key', id: '019b76da-a800-7000-8000-0000000000f9' },
});
const ann = callerWith(['messages:write'], { oauthScopes: new Set(['messages.write']) });
const bob = callerWith(['messages:write'], {
  oauthScopes: new Set(['messages.write']),
  userId: '019b76da-a800-7000-8000-0000000000e2',
});
const send = (payload: unknown, { url = '/v1/openapi/notes', key = 'k1', as = 'all', headers = {} } = {}) =>
  server.inject({
    method: 'POST',
    url,
    headers: { 'x-api-key': as, 'content-type': 'application/json', 'idempotency-key': key, ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

beforeEach(() => {
  notes = new Notes();
  server = testServer(notes.routes(), { all: ALL, other, ann, bob });
});

describe('an idempotency key', () => {
  it('replays the response of a repeated request, which has no further effect', async () => {
    const first = await send({ text: 'x' });
    const again = await send({ text: 'x' });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
    expect(notes.items).toHaveLength(1);
  });

  it('is shared by all paths of one version, and refused in another version', async () => {
    const first = await send({ text: 'x' });
    expect((await send({ text: 'x' }, { url: '/openapi/notes' })).json().id).toBe(first.json().id);
    expect((await send({ text: 'x' }, { url: '/v2/openapi/notes' })).json().details.reason).toBe(
      'idempotency_key_reused',
    );
  });

  it.each([
    ['another body', { text: 'y' }, {}],
    ['other bytes of the same body', '{ "text":"x"}', {}],
    ['another query', { text: 'x' }, { url: '/v1/openapi/notes?a=1' }],
  ])('is refused with %s', async (_, payload, more) => {
    await send({ text: 'x' });
    const answer = await send(payload, more);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ error: 'conflict', details: { reason: 'idempotency_key_reused' } });
  });

  it('is separate for each key and each credential', async () => {
    await send({ text: 'x' });
    await send({ text: 'x' }, { key: 'k2' });
    await send({ text: 'x' }, { as: 'other' });
    expect(notes.items).toHaveLength(3);
  });

  it('is separate for each user on whose behalf an app uses the same API key', async () => {
    const first = await send({ text: 'x' }, { as: 'ann' });
    expect((await send({ text: 'x' }, { as: 'bob' })).json().id).not.toBe(first.json().id);
    expect((await send({ text: 'x' }, { as: 'ann' })).json().id).toBe(first.json().id);
    expect((await send({ text: 'y' }, { as: 'bob' })).statusCode).toBe(409);
  });

  it('lets exactly one of many parallel requests take effect', async () => {
    let open: () => void = () => undefined;
    notes.beforeCreate = () => new Promise((resolve) => (open = resolve));
    const first = send({ text: 'x' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const others = await Promise.all([send({ text: 'x' }), send({ text: 'x' })]);
    open();
    expect((await first).statusCode).toBe(201);
    for (const answer of others) {
      expect([answer.statusCode, answer.json().details.reason]).toEqual([409, 'idempotency_in_progress']);
    }
    expect(notes.items).toHaveLength(1);
  });

  it('replays a conflict, in the format of the version', async () => {
    const first = await send({ text: 'taken' }, { url: '/v2/openapi/notes' });
    const again = await send({ text: 'taken' }, { url: '/v2/openapi/notes' });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect([again.statusCode, again.json()]).toEqual([409, first.json()]);
    expect(again.json().code).toBe('already_exists');
  });

  it('replays a 200 as well', async () => {
    notes.add('x', { size: 7 });
    const request = { text: 'x', size: 7 };
    notes.items[0]!.size = 7;
    expect((await send(request)).statusCode).toBe(200);
    expect((await send(request)).headers['idempotent-replayed']).toBe('true');
    expect((await send(request)).statusCode).toBe(200);
  });

  it('can be used again after an invalid request or an internal error', async () => {
    expect((await send({})).statusCode).toBe(400);
    notes.beforeCreate = () => Promise.reject(new Error('broken'));
    expect((await send({ text: 'x' })).statusCode).toBe(500);
    notes.beforeCreate = async () => undefined;
    expect((await send({ text: 'y' })).statusCode).toBe(201);
  });

  it('stays claimed by a request that lost the database, and its retry succeeds once', async () => {
    const ids: string[] = [];
    notes.beforeCreate = () =>
      Promise.reject(Object.assign(new Error('The line broke.'), { code: 'ECONNRESET' }));
    expect((await send({ text: 'x' })).statusCode).toBe(503);
    notes.beforeCreate = async () => undefined;
    expect((await send({ text: 'y' })).json().details.reason).toBe('idempotency_key_reused');
    ids.push((await send({ text: 'x' })).json().id, (await send({ text: 'x' })).json().id);
    expect(new Set(ids).size).toBe(1);
    expect(notes.items).toHaveLength(1);
  });

  it('does not delay the response to a request that lost the database, however long the release takes', async () => {
    const claims = new MemoryIdempotency();
    claims.lapse = () => new Promise(() => undefined);
    server = testServer(notes.routes(), { all: ALL }, { idempotency: claims });
    notes.beforeCreate = () =>
      Promise.reject(Object.assign(new Error('The line broke.'), { code: 'ECONNRESET' }));
    expect((await send({ text: 'x' })).statusCode).toBe(503);
  });

  it.each(['é', 'x'.repeat(256), 'tab\there'])(
    'must be printable ASCII of at most 255 characters: %s',
    async (key) => {
      expect((await send({ text: 'x' }, { key })).json().details.fields[0]).toMatchObject({
        field: 'Idempotency-Key',
        code: 'invalid_format',
      });
    },
  );

  it('does not change the id of the record', async () => {
    const { id } = (await send({ text: 'x' })).json();
    expect(notes.items[0]?.id).toBe(id);
  });
});
