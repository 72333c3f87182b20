import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, fieldsOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';
import { waitFor } from '../support/wait-for.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';
const JSON_TYPE = 'application/json';

let service: SharedService;
let api: ApiClient;

const note = { conversation_id: 1, text: 'x' };
const post = (body: unknown, headers: Record<string, string | undefined> = {}) =>
  api.post('/openapi/messages', body, { headers });

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
});

/** Sends bytes as they are and reads until the server closes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

describe('a malformed request', () => {
  it.each<[string, string | Buffer | undefined, string | undefined]>([
    ['broken JSON', '{"conversation_id":1,', JSON_TYPE],
    ['a list', '[]', JSON_TYPE],
    ['a word', '"x"', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['another type', '{}', 'text/plain'],
    ['a form', 'text=x', 'application/x-www-form-urlencoded'],
    ['no type', '{}', undefined],
    ['another charset', '{}', 'application/json; charset=latin1'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), JSON_TYPE],
    [
      'too deep',
      `{"conversation_id":1,"text":"x","metadata":{"a":${'['.repeat(40)}${']'.repeat(40)}}}`,
      JSON_TYPE,
    ],
    ['too large', JSON.stringify({ ...note, text: 'x'.repeat(1_048_576) }), JSON_TYPE],
    ['nothing', undefined, undefined],
  ])('%s is 400', async (_what, body, type) => {
    const answer = await post(body, { 'content-type': type });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  it('with U+0000 or lone surrogates is 400, wherever they are', async () => {
    for (const bad of ['a\\u0000b', '\\ud800', 'x\\udc00x']) {
      const bodies: [string, string][] = [
        ['/openapi/messages', `{"conversation_id":1,"text":"${bad}"}`],
        ['/openapi/messages', `{"conversation_id":1,"text":"x","metadata":{"a":"${bad}"}}`],
        ['/openapi/messages', `{"conversation_id":1,"text":"x","metadata":{"${bad}":1}}`],
        ['/openapi/conversations', `{"participant_ids":[],"title":"${bad}"}`],
        ['/openapi/conversations', `{"participant_ids":[],"labels":["${bad}"]}`],
        ['/openapi/conversations', `{"recipient":{"platform":"sms","address":"${bad}"}}`],
        ['/openapi/users', `{"display_name":"${bad}"}`],
        ['/openapi/users', `{"display_name":"x","identities":[{"platform":"sms","external_id":"${bad}"}]}`],
        ['/openapi/broadcasts', `{"text":"${bad}","recipient_ids":["${NOBODY}"]}`],
        ['/openapi/broadcasts', `{"text":"x","audience":{"filter":"display_name:${bad}"}}`],
        ['/api/webhooks', `{"url":"https://example.com/${bad}","events":["messages"]}`],
        ['/api/webhooks', `{"url":"https://example.com/","events":["messages"],"description":"${bad}"}`],
        ['/openapi/platforms/telegram/connections', `{"name":"x","credentials":{"bot_token":"${bad}"}}`],
        [
          '/openapi/platforms/telegram/connections',
          `{"name":"x","credentials":{"bot_token":"1000:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},"settings":{"x":"${bad}"}}`,
        ],
      ];
      for (const [path, body] of bodies) {
        const answer = await api.post(path, body);
        expect(`${path} ${body} ${answer.status}`).toBe(`${path} ${body} 400`);
      }
    }
    for (const query of [
      'filter=text:a%00b',
      'filter=metadata.a:%00',
      'cursor=%00',
      'sort=%00',
      'conversation_id=%00',
      'filter=%FF',
    ]) {
      expect((await api.get(`/openapi/messages?${query}`)).status).toBe(400);
    }
  });

  it('with a very long name is 400 with a short response', async () => {
    const name = 'é'.repeat(300_000);
    for (const body of [{ [name]: 1 }, { metadata: { [name]: 1 } }]) {
      const answer = await post(JSON.stringify({ conversation_id: 1, text: 'x', ...body }));
      expect(fieldsOf(answer)[0]?.[0].length).toBeLessThanOrEqual(256);
      expect(answer.text.length).toBeLessThan(2_000);
    }
  });

  it('with an invalid id in the path is 404', async () => {
    for (const id of [
      'x',
      '1',
      '0',
      '-1',
      `${NOBODY}0`,
      '%00',
      '%ff',
      'a%2fb',
      "'",
      '999999999999999999999',
    ]) {
      for (const name of ['messages', 'users', 'broadcasts', 'deliveries', 'platforms/connections']) {
        const answer = await api.get(`/openapi/${name}/${id}`);
        expect(`${name}/${id} ${answer.status}`).toBe(`${name}/${id} 404`);
      }
    }
    for (const id of ['x', '0', '-1', '%00', '1.0', '9999999999999999'])
      await api.must(404, 'GET', `/openapi/conversations/${id}`);
  });

  it('with an inexact path or an unlisted method is 404', async () => {
    for (const path of [
      '/openapi/messages/',
      '/openapi//messages',
      '/OPENAPI/messages',
      '/openapi/Messages',
      '/openapi/./messages',
      '/openapi/x/../messages',
      '/openapi/messages%2F',
      '/openapi',
      '/api',
      '/v1/openapi',
      '/openapi/%6Dessages',
    ]) {
      expect([path, (await api.get(path)).status]).toEqual([path, 404]);
    }
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      expect([method, (await api.send(method, '/openapi/messages')).status]).toEqual([method, 404]);
    }
  });

  it('with a repeated parameter is 400, except filter', async () => {
    for (const name of ['page', 'limit', 'sort', 'order', 'conversation_id', 'version', 'cursor']) {
      expect([name, (await api.get(`/openapi/messages?${name}=1&${name}=1`)).status]).toEqual([name, 400]);
    }
    expect((await api.get('/openapi/messages?filter=status:sent&filter=platform:null')).status).toBe(200);
  });

  it('with a too long path or head is 400', async () => {
    expect((await api.get(`/openapi/messages?x=${'a'.repeat(8_200)}`)).status).toBe(400);
    expect((await api.get('/openapi/messages', { headers: { 'x-long': 'a'.repeat(17_000) } })).status).toBe(
      400,
    );
    const head = await raw(
      `GET /openapi/messages HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(40_000)}\r\n\r\n`,
    );
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head).toContain('"code":"too_large"');
  });

  it('that is not HTTP receives the error body too', async () => {
    const answer = await raw('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/i);
    expect(answer).toContain('"error":"invalid_request"');
  });

  it('that Node would answer by itself is handled by the service', async () => {
    const head = `GET /v1/openapi/status HTTP/1.1\r\nX-API-Key: ${service.key}\r\nConnection: close\r\n`;
    const many = Array.from({ length: 1_500 }, (_, at) => `X-${at}: z\r\n`).join('');
    expect(await raw(`${head}Host: a\r\nExpect: nothing\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw(`${head}${many}Host: a\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw(`${head}\r\n`)).toMatch(/^HTTP\/1.1 400 .*"field":"Host","code":"required"/s);
  });

  it('with a compressed body is 400, and the field names the reason', async () => {
    const body = gzipSync(JSON.stringify(note));
    const upload = { 'content-type': 'multipart/form-data; boundary=b' };
    const answers = await Promise.all([
      post(body, { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' }),
      api.post('/openapi/attachments', body, { headers: { ...upload, 'content-encoding': 'br' } }),
    ]);
    for (const { status, body } of answers) {
      const fields = [expect.objectContaining({ field: 'Content-Encoding', code: 'unsupported' })];
      expect([status, body.details]).toEqual([400, { fields }]);
    }
    expect((await post(note, { 'content-encoding': 'identity' })).status).toBe(201);
  });

  it('with a form part without name is 400', async () => {
    const body = '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n';
    const { status } = await api.post('/openapi/attachments', body, {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(status).toBe(400);
  });

  it('has its body ignored on GET or DELETE, and may be empty where nothing is required', async () => {
    expect((await api.get('/openapi/status', { body: '{broken' })).status).toBe(200);
    expect((await api.delete(`/openapi/messages/${NOBODY}`, { body: '{broken' })).status).toBe(404);
    const { id } = await api.must(201, 'POST', '/openapi/messages', note);
    expect((await api.patch(`/openapi/messages/${id}`)).status).toBe(200);
  });
});

describe('a client that hangs up', () => {
  it.each([`/hooks/telegram/${NOBODY}`, '/oauth/token'])(
    'in the middle of its body is not logged as an error: %s',
    async (path) => {
      const id = `hung-up${path.replaceAll('/', '.')}`;
      const head = [
        `POST ${path} HTTP/1.1`,
        'Host: x',
        `X-Request-Id: ${id}`,
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Length: 100',
        'Expect: 100-continue',
      ];
      await new Promise<void>((resolve, reject) => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        // The request has arrived, with only half of its body.
        socket.once('data', () => socket.write('half=', () => socket.destroy()));
        socket.once('error', reject);
        socket.once('close', () => resolve());
      });
      const told = () => service.log.filter((entry) => entry.request_id === id);
      const seen = () => expect(told().map(({ msg }) => msg)).toContain('request.hung_up');
      await waitFor(seen);
      expect(told().filter(({ level }) => level === 'error')).toEqual([]);
    },
  );
});

describe('every response', () => {
  it('has the well-formed request id of the request, otherwise a new one', async () => {
    const answer = await api.get('/openapi/status', { headers: { 'x-request-id': 'My-Id_1.2' } });
    expect(answer.headers['x-request-id']).toBe('My-Id_1.2');
    for (const wrong of ['has space', 'a'.repeat(129), 'ü', '']) {
      expect(
        (await api.get('/openapi/status', { headers: { 'x-request-id': wrong } })).headers['x-request-id'],
      ).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('to HEAD equals that to GET without the body', async () => {
    for (const path of ['/openapi/messages', '/v2/openapi/status', '/openapi/messages/nothing']) {
      const [head, get] = await Promise.all([api.send('HEAD', path), api.get(path)]);
      expect([head.status, head.text, head.headers['content-type']]).toEqual([
        get.status,
        '',
        get.headers['content-type'],
      ]);
    }
  });
});
