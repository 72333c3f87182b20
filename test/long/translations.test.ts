import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiClient, fieldsOf, type Json } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { type Service, startService } from '../support/service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: Service;
let api: ApiClient;
let server: LoopbackServer & { readonly received: ReceivedRequest[] };
/** The next response of the server; undefined: as LibreTranslate responds. */
let answer: { readonly status: number; readonly body: string } | undefined;

const translate = (body: Json) => api.must(200, 'POST', '/openapi/translations', body);
const asked = () => server.received.map(({ body }) => JSON.parse(body) as Json);
/** Bypasses the client's check that no request fails with a server error. */
const failing = async (from: Service) => {
  const sent = { text: 'Anything', target_language: 'de' };
  const response = await fetch(`${from.url}/openapi/translations`, {
    method: 'POST',
    headers: { 'x-api-key': from.key, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  return [response.status, await response.json()];
};
const unavailable = (message: string) => [
  503,
  { error: 'service_unavailable', message, details: { reason: 'no_provider' } },
];

beforeAll(async () => {
  server = await loopbackReceiver(({ body, path }, response) => {
    const { q, target, source } = JSON.parse(body) as Record<string, string>;
    const usual = {
      translatedText: `${target}: ${q}`,
      ...(source === 'auto' ? { detectedLanguage: { confidence: 90, language: 'fr' } } : {}),
    };
    const { status = path === '/lt/translate' ? 200 : 404, body: text = JSON.stringify(usual) } =
      answer ?? {};
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  service = await startService({ env: { TRANSLATE_URL: `${server.url}lt/`, TRANSLATE_API_KEY: 'sesame' } });
  api = service.client();
});
beforeEach(() => {
  server.received.length = 0;
  answer = undefined;
});
afterAll(async () => {
  await service?.stop();
  await server?.close();
});

describe('a translation', () => {
  it('is requested once, and stored', async () => {
    const made = await translate({ text: 'Bonjour', target_language: 'de-AT' });
    expect(made).toEqual({
      text: 'de: Bonjour',
      detected_language: 'fr',
      target_language: 'de-AT',
      provider: 'libretranslate',
      cached: false,
    });
    expect(asked()).toEqual([
      { q: 'Bonjour', source: 'auto', target: 'de', format: 'text', api_key: 'sesame' },
    ]);
    expect(await translate({ text: 'Bonjour', target_language: 'de-AT' })).toEqual({ ...made, cached: true });
    expect(asked()).toHaveLength(1);
    const told = { text: 'Bonjour', target_language: 'de-AT', source_language: 'fr-FR' };
    expect(await translate(told)).toMatchObject({ detected_language: 'fr-FR', cached: false });
    expect(asked()[1]).toMatchObject({ source: 'fr' });
    await translate({ text: 'Bonjour', target_language: 'zh-TW' });
    expect(asked()[2]).toMatchObject({ target: 'zt' });
  });

  it('can use a tag that is not a locale: the server decides whether it supports the language', async () => {
    await translate({ text: 'Bonsoir', target_language: 'zh-yue-HK', source_language: 'x-dialect' });
    expect(asked()).toMatchObject([{ q: 'Bonsoir', source: 'x', target: 'zh' }]);
  });

  it('is stored for one workspace only', async () => {
    const other = service.client(await service.createKey({ test: true }));
    const body = { text: 'Merci', target_language: 'en' };
    await translate(body);
    expect(await other.must(200, 'POST', '/openapi/translations', body)).toMatchObject({ cached: false });
  });

  it('supports the longest allowed text', async () => {
    const text = '😀'.repeat(10_000);
    expect((await translate({ text, target_language: 'en' })).text).toBe(`en: ${text}`);
  });

  it('supports messages', async () => {
    const { id: user } = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ann' });
    const { id } = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [user] });
    const message = await api.must(201, 'POST', '/openapi/messages', { conversation_id: id, text: 'Salut' });
    expect(await translate({ message_id: message.id, target_language: 'en' })).toMatchObject({
      text: 'en: Salut',
    });
    const missing = await api.must(404, 'POST', '/openapi/translations', {
      message_id: NOBODY,
      target_language: 'en',
    });
    expect(missing.details).toEqual({ field: 'message_id' });
  });

  it.each<[string, Json, [string, string]]>([
    ['neither text nor message', { target_language: 'en' }, ['text', 'required']],
    ['both', { text: 'x', message_id: NOBODY, target_language: 'en' }, ['message_id', 'exclusive']],
    ['no language', { text: 'x' }, ['target_language', 'required']],
    ['a wrong language', { text: 'x', target_language: 'not a tag' }, ['target_language', 'invalid_format']],
    ['no text', { text: '', target_language: 'en' }, ['text', 'too_short']],
    ['a long text', { text: 'x'.repeat(10_001), target_language: 'en' }, ['text', 'too_long']],
  ])('refuses %s', async (_what, body, problem) => {
    expect(fieldsOf(await api.post('/openapi/translations', body))).toEqual([problem]);
  });

  it('of a message needs the scope for the message, before the body is checked', async () => {
    const other = service.client(await service.createKey({ scopes: 'translation:write' }));
    for (const target of ['en', 'not a tag']) {
      const body = { message_id: NOBODY, target_language: target };
      expect((await other.must(403, 'POST', '/openapi/translations', body)).details).toEqual({
        required: ['translation:write', 'messages:read'],
        provided: ['translation:write'],
      });
    }
    await other.must(200, 'POST', '/openapi/translations', { text: 'x', target_language: 'en' });
  });

  it('needs its scope', async () => {
    const other = service.client(await service.createKey({ scopes: 'messages:read' }));
    const body = { text: 'x', target_language: 'en' };
    expect((await other.must(403, 'POST', '/openapi/translations', body)).details).toEqual({
      required: ['translation:write'],
      provided: ['messages:read'],
    });
  });
});

describe('a translation provider', () => {
  it('that does not support the language is a client error', async () => {
    answer = { status: 400, body: '{"error":"xx is not supported"}' };
    const refused = await api.post('/openapi/translations', { text: 'x', target_language: 'tlh' });
    expect(fieldsOf(refused)).toEqual([['target_language', 'unsupported']]);
  });

  it.each([
    [500, '{"error":"out of memory"}'],
    [403, '{"error":"Please contact the server operator to get an API key"}'],
    [429, '{"error":"Slowdown"}'],
    [200, '<html>'],
    [200, '{"translated":"x"}'],
  ])('that responds with %i %s is unavailable', async (status, body) => {
    answer = { status, body };
    expect(await failing(service)).toEqual(unavailable('The translation provider failed.'));
  });

  it('that is not configured is unavailable, after the validation of the request', async () => {
    const bare = await startService();
    try {
      expect(await failing(bare)).toEqual(unavailable('No translation provider is configured.'));
      const client = bare.client();
      const body = { message_id: NOBODY, target_language: 'en' };
      expect((await client.post('/openapi/translations', body)).status).toBe(404);
    } finally {
      await bare.stop();
    }
  });
});
