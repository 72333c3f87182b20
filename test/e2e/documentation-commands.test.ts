import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { readApiKey } from '../../src/core/access/api-key-format.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { blocksToRun } from '../support/code-blocks.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const run = promisify(execFile);
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const telegram = new TelegramSimulator({ limits: 'none' });
let service: SharedService;
let api: ApiClient;
let folder: string;

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  await telegram.start();
  folder = await mkdtemp(join(tmpdir(), 'trunkline-commands-'));
  await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [], title: 'First' });
});
afterAll(async () => {
  await telegram.stop();
  await rm(folder, { recursive: true, force: true });
});

const block = (page: string, at = 0, language = 'sh') => blocksToRun(page, language)[at] ?? '';

/** Runs a block in the folder, with the two variables of the quickstart. A refusal of the service fails. */
async function sh(code: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const command = code.replaceAll(/^curl /gm, 'curl --silent --show-error --fail-with-body ');
  const { stdout } = await run('bash', ['-e', '-c', command], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      TRUNKLINE: `${service.url}/v1`,
      TRUNKLINE_API_KEY: service.key,
      ...more,
    },
  });
  return stdout;
}

const answerOf = async (...given: Parameters<typeof sh>) => JSON.parse(await sh(...given)) as Json;

describe('The commands of the documentation', () => {
  test('upload a file and send it', async () => {
    await writeFile(join(folder, 'plan.png'), PNG);
    const [upload = '', send = ''] = block('docs/attachments.md').split(/(?<=The plan'\n)/);
    const { id } = await answerOf(upload);
    const message = await answerOf(send.replace('…', String(id)));
    expect(message).toMatchObject({
      conversation_number: 1,
      attachments: [{ type: 'image', alt_text: 'The plan' }],
    });
  });

  test('create a segment from the file on the page, and a broadcast to it', async () => {
    await writeFile(join(folder, 'customers.csv'), block('docs/audiences.md', 0, 'csv'));
    const segment = await answerOf(block('docs/audiences.md'));
    expect(segment).toMatchObject({ name: 'Customers' });
    const broadcast = await answerOf(block('docs/broadcasts.md').replace('…', String(segment.id)));
    expect(broadcast).toMatchObject({ status: 'scheduled', throttle: { per_minute: 600 } });
  });

  test('start a call, and create a token for one of its participants', async () => {
    const connection = { name: 'Bot', ...telegram.account() };
    await api.must(201, 'POST', '/openapi/platforms/telegram/connections', connection);
    const address = telegram.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
    await telegram.post({ chatId: address, sender: 'Ada', text: 'Call me' });
    await eventually(
      () => api.must<{ data: Json[] }>(200, 'GET', '/openapi/messages?limit=1'),
      ({ data }) => data[0]?.text === 'Call me',
    );
    const call = await answerOf(block('docs/calls.md').replace('8001', address));
    expect(call).toMatchObject({ type: 'video' });
    const [participant] = call.participants as Json[];
    const token = await answerOf(block('docs/calls.md', 1).replace('…', String(participant?.user_id)), {
      CALL: String(call.id),
    });
    expect(token).toMatchObject({ token: expect.any(String) });
  });

  test('record a location', async () => {
    expect(await answerOf(block('docs/locations.md'))).toMatchObject({ latitude: 52.52, longitude: 13.405 });
  });

  test('register a webhook and show its secret', async () => {
    expect(await answerOf(block('docs/webhooks.md'))).toMatchObject({
      url: 'https://shop.example/hooks/trunkline',
      secret: expect.stringMatching(/^whsec_/),
    });
  });

  test('open the stream of events', async () => {
    const reading = sh(
      `timeout 60 ${block('docs/events.md').replace('curl ', 'curl --silent ').trim()} | grep -m 1 'message.created'`,
    );
    const ended = reading.then(() => true);
    const send = () => api.must(201, 'POST', '/openapi/messages', { conversation_id: 1, text: 'Streamed' });
    while (!(await Promise.race([ended, send().then(() => false)])));
    expect(await reading).toContain('event: message.created');
  });

  test('make a master key and an API key', async () => {
    const [masterKey = '', apiKey = ''] = (
      await sh(block('docs/configuration.md').replace('bin/', `${process.cwd()}/bin/`))
    )
      .trim()
      .split('\n');
    expect(Buffer.from(masterKey, 'base64')).toHaveLength(32);
    expect(readApiKey(apiKey)).toBeDefined();
  });
});

test('The error of the page about the REST API is the one that the service answers', async () => {
  const { status, body } = await api.send('GET', '/openapi/messages?limit=1000');
  expect(status).toBe(400);
  expect(body).toEqual(JSON.parse(block('docs/rest-api.md', 0, 'json')));
});
