import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { now } from '../../src/http/openapi/examples/ids.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type Descriptions, loadDescriptions } from '../support/api-description.js';
import { type LoopbackServer, loopbackReceiver } from '../support/loopback-receiver.js';
import { ReplayStage, special } from '../support/replay-stage.js';
import { type Service, startService } from '../support/service.js';
import { xmltv } from '../support/xmltv.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string | readonly string[];
}
interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly example: Json }> };
}
interface Example {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** Of the body, if there is one. */
  readonly type?: string;
}

/** Operations that are not an exchange of one request and one response. */
const NOT_REPLAYED = new Set([
  // Its response has no end; test/long/event-stream.test.ts reads it.
  'GET /openapi/events/stream',
  // Its response is a WebSocket; test/e2e/rtc.test.ts opens it.
  'GET /openapi/rtc',
]);
/** Operations of live workspaces only. The others run in a test workspace, where the sandbox replaces the platforms. */
const LIVE = /^\/openapi\/(platforms|protocols)/;

let service: Service;
let live: ApiClient;
let test: ApiClient;
let testKey: string;
let elsewhere: LoopbackServer;
let folder: string;
let descriptions: Descriptions;

beforeAll(async () => {
  elsewhere = await loopbackReceiver(({ path }, response) => {
    const translated = { translatedText: 'Hallo', detectedLanguage: { confidence: 90, language: 'en' } };
    const refused = { ok: false, error_code: 401, description: 'Unauthorized' };
    const known = path.startsWith('/bot') ? 401 : 200;
    response.writeHead(known, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known === 401 ? refused : translated));
  });
  folder = await mkdtemp(join(tmpdir(), 'trunkline-replay-'));
  const guide = join(folder, 'guide.xml');
  const show = { channel: 'one.example.uk', start: new Date(now), minutes: 60, title: 'News' };
  await writeFile(guide, xmltv(['one.example.uk'], [show]));
  service = await startService({ env: { TV_SOURCES: guide, TRANSLATE_URL: elsewhere.url } });
  testKey = await service.createKey({ test: true });
  live = service.client();
  test = service.client(testKey);
  descriptions = await loadDescriptions(service.url);
  // The conversation with number 1. Messages are sent to it by its number.
  await test.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
  await eventually(
    () => test.must(200, 'GET', '/openapi/platforms/sandbox'),
    ({ status }) => status === 'connected',
  );
  await eventually(
    () => test.must<{ data: Json[] }>(200, 'GET', '/openapi/tv/networks'),
    ({ data }) => data.length === 1,
  );
});
afterAll(async () => {
  await service?.stop();
  await elsewhere?.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each([
  ['1.0', 'v1', 'docs/api/openapi.json'],
  ['2.0', 'v2', 'docs/api/openapi-2.0.json'],
])('each example of version %s gets the described response', (version, prefix, file) => {
  it.each(examplesIn(file).map((one): [string, Example] => [`${one.name} ${one.type ?? ''}`, one]))(
    '%s',
    async (_title, example) => {
      const api = LIVE.test(example.path) ? live : test;
      const stage = new ReplayStage(api, elsewhere.url.replace(/\/$/, ''), special[example.name]);
      const target = await stage.translate(targetOf(example));
      const { status, body } = await send(example, stage, `/${prefix}${target}`);
      expect(status, `${example.name} ${JSON.stringify(body)}`).toBeLessThan(300);
      const [path = ''] = target.split('?');
      expect(descriptions[version]?.problems(example.method, path, status, body)).toEqual([]);
      await tidy(example, api, body);
    },
  );
});

function examplesIn(file: string): Example[] {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, operation]) => {
      const method = verb.toUpperCase();
      const one = { name: `${method} ${path}`, method, path, operation };
      const types = Object.keys(operation.requestBody?.content ?? {});
      if (NOT_REPLAYED.has(one.name)) return [];
      return types.length === 0 ? [one] : types.map((type) => ({ ...one, type }));
    }),
  );
}

/** Path and query, from the examples of the parameters. */
function targetOf({ path, operation }: Example): string {
  const values = operation.parameters.filter(({ example }) => example !== undefined);
  const inPath = values.filter((one) => one.in === 'path');
  const filled = inPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(
    values
      .filter((one) => one.in === 'query')
      .flatMap(({ name, example = '' }) => [example].flat().map((value): [string, string] => [name, value])),
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
}

async function send(
  { method, operation, type }: Example,
  stage: ReplayStage,
  target: string,
): Promise<{ status: number; body: Json | undefined }> {
  const sent = type && operation.requestBody?.content[type]?.example;
  const text = sent && (await stage.translate(JSON.stringify(sent)));
  const form = type === 'multipart/form-data' && text ? formOf(JSON.parse(text) as Json) : undefined;
  const answer = await fetch(`${service.url}${target}`, {
    method,
    headers: {
      'x-api-key': stage.api === live ? service.key : testKey,
      ...(text && !form && { 'content-type': 'application/json' }),
    },
    ...(text && { body: form ?? recent(text) }),
  });
  const answered = await answer.text();
  return {
    status: answer.status,
    body: answered === '' ? undefined : (JSON.parse(answered) as Json),
  };
}

function formOf(fields: Json): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'file') form.set(name, new Blob([String(value)]), 'example.txt');
    else form.set(name, String(value));
  }
  return form;
}

/** Replaces the time of the examples by a recent one. */
function recent(text: string): string {
  return text.replaceAll(now, new Date(Date.now() - 3_600_000).toISOString());
}

/** Deletes records with unique addresses, so that the same example can create them again. */
async function tidy({ name }: Example, api: ApiClient, body: Json | undefined): Promise<void> {
  if (name === 'POST /openapi/users') await api.must(204, 'DELETE', `/openapi/users/${body?.id}`);
  if (name === 'POST /openapi/conversations/{id}/links') {
    await api.must(204, 'DELETE', `/openapi/conversations/${body?.conversation_id}/links/${body?.id}`);
  }
}
