import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type FormPart, fileServer, formOf, png } from '../support/files.js';
import { type Service, startService } from '../support/service.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NOBODY = '019b76da-a800-7000-8000-000000000001';
const MIB = 1_048_576;

let service: Service;
let api: ApiClient;
let files: Awaited<ReturnType<typeof fileServer>>;
const picture = png(12, 7);
let release: () => void = () => undefined;
const held = new Promise<void>((resolve) => {
  release = resolve;
});

const upload = (
  parts: readonly FormPart[],
  headers: Record<string, string> = {},
  path = '/openapi/attachments',
) => {
  const form = formOf(parts);
  return api.post(path, form.body, { headers: { ...form.headers, ...headers } });
};
const file = (value: Buffer | string = picture, type = 'image/png', fileName = 'plan.png'): FormPart => ({
  name: 'file',
  value,
  fileName,
  type,
});
const say = (attachments: unknown[], more: Json = {}) =>
  api.must(201, 'POST', '/openapi/messages', { conversation_id: 1, text: '', attachments, ...more });
const attachmentsOf = async (message: Json): Promise<Json[]> =>
  (await api.must(200, 'GET', `/openapi/messages/${message.id}`)).attachments as Json[];
const settled = (message: Json) =>
  eventually(
    () => attachmentsOf(message),
    (list) => list.every(({ state }) => state !== 'pending'),
  );
const staged = () => readdir(join(service.dataDir, 'media', 'staging'));
const download = (url: unknown, init?: RequestInit) => fetch(String(url), init);

beforeAll(async () => {
  files = await fileServer({
    '/a.png': { type: 'image/png', body: picture },
    '/sub/Grundri%C3%9F.pdf?x=1': {
      type: 'application/pdf',
      body: Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n'),
    },
    '/lies': { type: 'text/html', body: picture },
    '/page': { type: 'text/html; charset=utf-8', body: Buffer.from('<script>alert(1)</script>') },
    '/moved': { status: 302, location: '/a.png' },
    '/empty': { type: 'image/png', body: Buffer.alloc(0) },
    '/flaky': [{ status: 503 }, { type: 'image/png', body: picture }],
    '/large': { type: 'video/mp4', body: Buffer.alloc(25 * MIB + 1) },
    '/slow': { type: 'image/png', body: picture, until: held },
  });
  service = await startService();
  api = service.client();
  await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
});
afterAll(async () => {
  await service?.stop();
  await files.close();
});

describe('an upload', () => {
  it('returns the attachment with the properties of the file', async () => {
    const { status, text, body } = await upload([{ name: 'alt_text', value: 'Der Grundriß' }, file()]);
    expect(status).toBe(201);
    expect(body.id).toMatch(UUID);
    expect(body.url).toMatch(`${service.url}/media/`);
    expect(text).toBe(
      `{"id":"${body.id}","type":"image","url":"${body.url}","source_url":null,"thumbnail_url":null,"state":"ready","metadata":{},"name":"plan.png","mime_type":"image/png","alt_text":"Der Grundriß","size":${picture.length},"width":12,"height":7,"duration_ms":null,"latitude":null,"longitude":null}`,
    );
  });

  it('has the name and type that the client gives', async () => {
    const parts = [file(), { name: 'name', value: 'Küche 🏠.png' }, { name: 'type', value: 'file' }];
    expect((await upload(parts)).body).toMatchObject({
      name: 'Küche 🏠.png',
      type: 'file',
      mime_type: 'image/png',
    });
    const named = await upload([file('hello', 'text/plain', '../../etc/Grüße.txt')]);
    expect(named.body).toMatchObject({
      name: 'Grüße.txt',
      type: 'file',
      mime_type: 'text/plain',
      width: null,
    });
    const bare = await upload([file(picture, 'application/octet-stream', 'x')]);
    expect(bare.body).toMatchObject({ type: 'image', mime_type: 'image/png' });
  });

  it('needs no file name if its content type shows that it is a file', async () => {
    const sent = await upload([{ name: 'file', value: picture, type: 'image/png' }]);
    expect(sent.body).toMatchObject({ type: 'image', mime_type: 'image/png', name: null, width: 12 });
  });

  it('has the type of its content if the client gives no type', async () => {
    const typeOf = async (value: Buffer | string, fileName: string, more = {}) => {
      const { body } = await upload([{ name: 'file', value, fileName, ...more }]);
      return [body.type, body.mime_type];
    };
    expect(await typeOf(picture, 'plan.png')).toEqual(['image', 'image/png']);
    expect(await typeOf(picture, 'plan.png', { type: '' })).toEqual(['image', 'image/png']);
    expect(await typeOf('hello', 'notes')).toEqual(['file', 'text/plain']);
    expect(await typeOf(Buffer.from([0, 1, 2, 255]), 'data.bin')).toEqual([
      'file',
      'application/octet-stream',
    ]);
  });

  it('is accepted up to exactly 25 MiB', async () => {
    const largest = Buffer.alloc(25 * MIB, 'a');
    expect((await upload([file(largest, 'text/plain')])).body.size).toBe(25 * MIB);
    const more = await upload([file(Buffer.concat([largest, Buffer.from('a')]), 'text/plain')]);
    expect(fieldsOf(more)).toEqual([['file', 'too_large']]);
    await eventually(staged, (names) => names.length === 0);
  });

  it.each([
    ['a picture that is none', [file('<html></html>')], ['file', 'invalid_value']],
    ['a picture of another type', [file(picture, 'image/jpeg')], ['file', 'invalid_value']],
    ['text that is a picture', [file(picture, 'text/plain')], ['file', 'invalid_value']],
    ['a PDF that is none', [file('x', 'application/pdf')], ['file', 'invalid_value']],
    ['a picture as video', [file(), { name: 'type', value: 'video' }], ['type', 'invalid_value']],
    ['text as image', [file('x', 'text/plain'), { name: 'type', value: 'image' }], ['type', 'invalid_value']],
    ['a type without file', [file(), { name: 'type', value: 'location' }], ['type', 'invalid_value']],
    ['an empty file', [file('')], ['file', 'too_small']],
    ['no file', [{ name: 'name', value: 'x' }], ['file', 'required']],
    ['a file that is text', [{ name: 'file', value: 'x' }], ['file', 'invalid_type']],
    ['two files', [file(), file()], ['file', 'duplicate']],
    ['an empty name', [file(), { name: 'name', value: '' }], ['name', 'too_short']],
    ['a long name', [file(), { name: 'name', value: 'x'.repeat(256) }], ['name', 'too_long']],
    ['a long alt_text', [file(), { name: 'alt_text', value: 'x'.repeat(1001) }], ['alt_text', 'too_long']],
  ] as [string, FormPart[], [string, string]][])('refuses %s', async (_what, parts, problem) => {
    expect(fieldsOf(await upload(parts))).toEqual([problem]);
  });

  it('is refused with another content type, a broken form or, in both versions, an unknown part', async () => {
    expect(fieldsOf(await api.post('/openapi/attachments', {}))).toEqual([['', 'unsupported']]);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(fieldsOf(await api.post('/openapi/attachments', '--x\r\nbroken', { headers }))).toEqual([
      ['', 'malformed'],
    ]);
    const bare = { 'content-type': 'multipart/form-data' };
    expect(fieldsOf(await api.post('/openapi/attachments', 'x', { headers: bare }))).toHaveLength(1);
    const parts = [file(), { name: 'altText', value: 'x' }, { ...file(), name: 'second' }];
    for (const path of ['/openapi/attachments', '/v1/openapi/attachments', '/v2/openapi/attachments']) {
      const refused = await upload(parts, {}, path);
      expect(fieldsOf(refused)).toEqual([
        ['altText', 'unknown_field'],
        ['second', 'unknown_field'],
      ]);
      expect(refused.body.message).toContain('alt_text');
    }
  });

  it('needs a key and messages:write', async () => {
    const form = formOf([file()]);
    const none = await service.client('').post('/openapi/attachments', form.body, { headers: form.headers });
    expect(none.status).toBe(401);
    const reader = service.client(await service.createKey({ scopes: 'messages:read' }));
    const denied = await reader.post('/openapi/attachments', form.body, { headers: form.headers });
    expect([denied.status, denied.body.details]).toEqual([
      403,
      { required: ['messages:write'], provided: ['messages:read'] },
    ]);
  });

  it('with an idempotency key is compared by names and contents, not by its boundary', async () => {
    const headers = { 'idempotency-key': 'upload-1' };
    const [one, again] = [await upload([file()], headers), await upload([file()], headers)];
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([201, 'true', one.text]);
    expect(reasonOf(await upload([file(png(1, 1))], headers))).toBe('idempotency_key_reused');
    expect(reasonOf(await upload([file(picture, 'image/png', 'b.png')], headers))).toBe(
      'idempotency_key_reused',
    );
    await eventually(staged, (names) => names.length === 0);
  });
});

describe('a message with an upload', () => {
  it('shows it under the same id, with the name and description of the message', async () => {
    const { body: sent } = await upload([file(), { name: 'alt_text', value: 'A' }]);
    const message = await say([{ upload_id: sent.id, name: 'renamed.png', metadata: { a: 1 } }]);
    expect(message.attachments).toMatchObject([
      { ...sent, url: expect.stringContaining('/media/'), name: 'renamed.png', metadata: { a: 1 } },
    ]);
    const twice = await say([{ upload_id: String(sent.id).toUpperCase(), type: 'file' }]);
    expect(twice.attachments).toMatchObject([{ id: sent.id, type: 'file', alt_text: 'A' }]);
    const v2 = await api.must(200, 'GET', `/v2/openapi/messages/${message.id}`);
    expect((v2.content as Json).attachments).toMatchObject([{ id: sent.id, state: 'ready', width: 12 }]);
  });

  it('can be changed while it is scheduled, and an equal change has no effect', async () => {
    const { body: sent } = await upload([file()]);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const message = await say([], { text: 'x', send_at: later });
    const change = { attachments: [{ upload_id: sent.id }] };
    const changed = await api.must(200, 'PATCH', `/openapi/messages/${message.id}`, change);
    expect([changed.revision, changed.attachments]).toMatchObject([2, [{ id: sent.id, state: 'ready' }]]);
    const same = await api.must(200, 'PATCH', `/openapi/messages/${message.id}`, change);
    expect([same.revision, same.updated_at]).toEqual([2, changed.updated_at]);
  });

  it('is 404 for an unknown upload and one of another workspace', async () => {
    const { body: sent } = await upload([file()]);
    const test = service.client(await service.createKey({ test: true }));
    const conversation = await test.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
    const foreign = { conversation_id: conversation.id, text: '', attachments: [{ upload_id: sent.id }] };
    const unknown = {
      conversation_id: 1,
      text: '',
      attachments: [{ upload_id: sent.id }, { upload_id: NOBODY }],
    };
    for (const [client, body, field] of [
      [test, foreign, 'attachments.0.upload_id'],
      [api, unknown, 'attachments.1.upload_id'],
    ] as const) {
      const answer = await client.post('/openapi/messages', body);
      expect([answer.status, answer.body.details]).toEqual([404, { field }]);
    }
    const first = { participant_ids: [], message: { text: '', attachments: [{ upload_id: NOBODY }] } };
    const opened = await api.post('/openapi/conversations', first);
    expect([opened.status, opened.body.details]).toEqual([404, { field: 'message.attachments.0.upload_id' }]);
  });

  it('reports an unknown upload only after unknown ids in the path', async () => {
    for (const path of ['messages', 'templates', 'broadcasts']) {
      const patch = { attachments: [{ upload_id: NOBODY }] };
      const answer = await api.patch(`/openapi/${path}/${NOBODY}`, patch);
      expect([path, answer.status, answer.body.details]).toEqual([path, 404, undefined]);
    }
    const message = await say([], { text: 'x', send_at: new Date(Date.now() + 3_600_000).toISOString() });
    const answer = await api.patch(`/openapi/messages/${message.id}`, {
      attachments: [{ upload_id: NOBODY }],
    });
    expect([answer.status, answer.body.details]).toEqual([404, { field: 'attachments.0.upload_id' }]);
  });

  it('shares its rules with templates: an upload is accepted, and an unknown one is 404', async () => {
    const { body: sent } = await upload([file()]);
    const attachments = [{ upload_id: sent.id }];
    const made = await api.must(201, 'POST', '/openapi/templates', { name: 'T', text: 'x', attachments });
    expect(made.attachments).toMatchObject([{ id: sent.id, state: 'ready', width: 12 }]);
    const body = { name: 'T', text: 'x', attachments: [{ upload_id: NOBODY }] };
    const answer = await api.post('/openapi/templates', body);
    expect([answer.status, answer.body.details]).toEqual([404, { field: 'attachments.0.upload_id' }]);
  });

  it('shares its rules with broadcasts and their variants: an upload is accepted, and an unknown one is 404', async () => {
    const { body: sent } = await upload([file()]);
    const user = await api.must(200, 'GET', '/openapi/users/me');
    const broadcast = {
      text: 'x',
      draft: true,
      recipient_ids: [user.id],
      attachments: [{ upload_id: sent.id }],
      variants: [{ key: 'a', weight: 1, text: 'y', attachments: [{ upload_id: sent.id }] }],
    };
    const made = await api.must(201, 'POST', '/openapi/broadcasts', broadcast);
    expect(made).toMatchObject({
      attachments: [{ id: sent.id, state: 'ready', width: 12 }],
      variants: [{ key: 'a', attachments: [{ id: sent.id, state: 'ready' }] }],
    });
    const wrong = {
      ...broadcast,
      variants: [{ ...broadcast.variants[0], attachments: [{ upload_id: NOBODY }] }],
    };
    const answer = await api.post('/openapi/broadcasts', wrong);
    expect([answer.status, answer.body.details]).toEqual([
      404,
      { field: 'variants.0.attachments.0.upload_id' },
    ]);
  });
});

describe('an attachment with an address', () => {
  it('is fetched, and the message shows its properties', async () => {
    const message = await say([{ url: `${files.url}a.png`, alt_text: 'A', metadata: { a: 1 } }]);
    expect(message.attachments).toMatchObject([
      { state: expect.stringMatching(/pending|ready/), source_url: `${files.url}a.png` },
    ]);
    const [shown] = await settled(message);
    expect(shown).toMatchObject({
      type: 'image',
      state: 'ready',
      source_url: `${files.url}a.png`,
      name: 'a.png',
      mime_type: 'image/png',
      alt_text: 'A',
      metadata: { a: 1 },
      size: picture.length,
      width: 12,
      height: 7,
    });
    const copy = await download(shown?.url);
    expect(Buffer.from(await copy.arrayBuffer()).equals(picture)).toBe(true);
  });

  it('has a type that is detected only from its content', async () => {
    const wanted = ['lies', 'page', 'sub/Grundri%C3%9F.pdf?x=1'].map((path) => files.url + path);
    expect(await settled(await say(wanted))).toMatchObject([
      { state: 'ready', type: 'image', mime_type: 'image/png', name: null },
      { state: 'ready', type: 'file', mime_type: 'text/html' },
      { state: 'ready', type: 'file', mime_type: 'application/pdf', name: 'Grundriß.pdf' },
    ]);
  });

  it('fails permanently when a retry is pointless, without following redirects', async () => {
    const before = files.asked['/a.png'];
    const wanted = ['nothing', 'moved', 'empty', 'large'].map((path) => files.url + path);
    const failed = await settled(await say(wanted));
    expect(failed.map(({ state, url, size }) => [state, url, size])).toEqual(
      Array(4).fill(['failed', null, null]),
    );
    expect([files.asked['/nothing'], files.asked['/moved'], files.asked['/a.png']]).toEqual([1, 1, before]);
  });

  it('is retried after a temporary failure', async () => {
    expect(await settled(await say([`${files.url}flaky`]))).toMatchObject([{ state: 'ready' }]);
    expect(files.asked['/flaky']).toBe(2);
  });

  it('has no link before it is fetched', async () => {
    const message = await say([`${files.url}slow`]);
    await eventually(
      async () => files.asked['/slow'],
      (asked) => asked === 1,
    );
    expect(await attachmentsOf(message)).toMatchObject([{ state: 'pending', url: null, size: null }]);
    release();
    expect(await settled(message)).toMatchObject([{ state: 'ready', size: picture.length }]);
  });
});

describe('a signed link', () => {
  let shown: Json;
  beforeAll(async () => {
    shown = (await upload([file()])).body;
  });

  it('gives the file to anyone who has the link, whole, in ranges, or its headers alone', async () => {
    const whole = await download(shown.url);
    expect([
      whole.status,
      whole.headers.get('content-type'),
      whole.headers.get('x-content-type-options'),
    ]).toEqual([200, 'image/png', 'nosniff']);
    expect(whole.headers.get('content-disposition')).toBe('inline; filename="plan.png"');
    expect(whole.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(Buffer.from(await whole.arrayBuffer()).equals(picture)).toBe(true);
    const part = await download(shown.url, { headers: { range: 'bytes=1-3' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 1-3/${picture.length}`,
      'PNG',
    ]);
    const beyond = await download(shown.url, { headers: { range: 'bytes=99999-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${picture.length}`]);
    expect([beyond.headers.get('content-type'), beyond.headers.get('cache-control')]).toEqual([
      'application/json; charset=utf-8',
      'no-store',
    ]);
    expect(await beyond.json()).toMatchObject({
      error: 'invalid_request',
      details: { fields: [{ field: 'Range', code: 'invalid_value' }] },
    });
    const head = await download(shown.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(picture.length),
      '',
    ]);
  });

  it('never shows content that could run in a browser', async () => {
    for (const [content, type] of [
      ['<html><script>1</script></html>', 'text/html'],
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ] as const) {
      const { body } = await upload([file(content, type, 'x"ü.html')]);
      const answer = await download(body.url);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
      expect(answer.headers.get('content-type')).toContain(type);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('is 404 when it is altered or unknown', async () => {
    const url = String(shown.url);
    const last = url.at(-2) === 'A' ? 'B' : 'A';
    const altered = [
      `${url.slice(0, -2)}${last}${url.at(-1)}`,
      `${url}A`,
      url.slice(0, -1),
      `${service.url}/media/x`,
    ];
    const middle = url.length - 60;
    altered.push(`${url.slice(0, middle)}${url[middle] === 'A' ? 'B' : 'A'}${url.slice(middle + 1)}`);
    for (const each of altered) {
      const answer = await download(each);
      expect([answer.status, ((await answer.json()) as Json).error]).toEqual([404, 'not_found']);
    }
    expect((await download(url, { method: 'POST' })).status).toBe(404);
  });

  it('is renewed in later reads, and the earlier link remains valid', async () => {
    const message = await say([{ upload_id: shown.id }]);
    const first = String((await attachmentsOf(message))[0]?.url);
    const renewed = await eventually(
      async () => String((await attachmentsOf(message))[0]?.url),
      (url) => url !== first,
    );
    expect((await download(renewed)).status).toBe(200);
    expect((await download(first)).status).toBe(200);
  });
});
