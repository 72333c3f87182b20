import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../src/core/webhooks/signature.js';
import { eventually, type Json } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let receiver: LoopbackServer & { readonly received: ReceivedRequest[] };
let conversation: Json;
const children: ChildProcess[] = [];

interface Running {
  readonly child: ChildProcess;
  out: string;
  err: string;
  ended(): Promise<number | null>;
}

function trunkline(args: string[], env: Record<string, string> = {}, input = ''): Running {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['bin/trunkline.mjs', ...args], { env: { PATH, HOME, ...env } });
  children.push(child);
  const closed = once(child, 'close');
  const running: Running = { child, out: '', err: '', ended: async () => (await closed)[0] as number | null };
  child.stdout.on('data', (chunk: Buffer) => {
    running.out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    running.err += chunk;
  });
  child.stdin.end(input);
  return running;
}
const says = (running: Running, text: string) =>
  eventually(
    async () => running.out + running.err,
    (all) => all.includes(text),
  );
const say = (text: string) =>
  service.client().must(201, 'POST', '/openapi/messages', { conversation_id: conversation.id, text });

beforeAll(async () => {
  receiver = await loopbackReceiver((_request, response) => response.writeHead(202).end());
  service = await startService({ dataDir: await mkdtemp(join(tmpdir(), 'trunkline-listen-')) });
  conversation = await service
    .client()
    .must(201, 'POST', '/openapi/conversations', { type: 'group', participant_ids: [] });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await service?.stop();
  // A service with a given folder does not delete it.
  await rm(service.dataDir, { recursive: true, force: true });
  await receiver?.close();
});

describe('trunkline listen', () => {
  it('shows events as they happen', async () => {
    const running = trunkline(['listen', '--url', service.url, '--events', 'message.created'], {
      TRUNKLINE_API_KEY: service.key,
    });
    await says(running, 'connected');
    await say('shown');
    await says(running, '"text":"shown"');
    expect(running.out).toMatch(/^\S+Z {2}message\.created {2}whk_\S+ {2}\{"id":"whk_/);
    running.child.kill('SIGINT');
    expect(await running.ended()).toBe(0);
  });

  it('forwards them signed like webhooks, and resumes after a disconnect', async () => {
    const running = trunkline([
      'listen',
      ...['--url', service.url, '--key', service.key, '--events', 'messages'],
      ...['--forward-to', `${receiver.url}local`],
    ]);
    await says(running, 'connected');
    const secret = /Signing secret: (whsec_\S+)/.exec(running.out)?.[1] ?? '';
    await say('forwarded');
    await says(running, '→ 202');
    const [request] = receiver.received;
    const payload = new Webhook(secret).verify(
      request?.body ?? '',
      request?.headers as Record<string, string>,
    );
    expect(payload).toMatchObject({ event: 'message.created', data: { text: 'forwarded' } });
    expect(request?.headers['x-service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);

    const { dataDir, key } = service;
    service.process.kill('SIGTERM');
    await says(running, 'disconnected');
    await eventually(
      async () => service.process.exitCode,
      (code) => code !== null,
    );
    service = await startService({ dataDir, key, env: { PORT: new URL(service.url).port } });
    await say('meanwhile');
    await says(running, 'connected, going on after whk_');
    await say('again');
    const texts = () => receiver.received.map(({ body }) => JSON.parse(body).data.text);
    await eventually(
      async () => texts(),
      (all) => all.includes('again'),
    );
    expect(texts()).toEqual(['forwarded', 'meanwhile', 'again']);
  });

  it('exits with 1 when the service refuses the key, and with 2 on wrong usage', async () => {
    const refused = trunkline(['listen', '--url', service.url, '--key', 'wrong']);
    expect([await refused.ended(), refused.err]).toEqual([1, expect.stringContaining('answered with 401')]);
    for (const args of [
      ['listen', '--url', service.url],
      ['listen', '--key', 'k', '--forward-to', 'nowhere'],
      ['listen', '--key', 'k', '--url', 'ftp://x'],
      ['listen', '--key', 'k', '--secret', 'short'],
      ['listen', '--key', 'k', '--nope'],
      ['webhooks', 'list'],
      ['webhooks', 'verify', '--header', 'a: b'],
      ['webhooks', 'verify', '--secret', 'short'],
    ]) {
      expect(await trunkline(args).ended(), args.join(' ')).toBe(2);
    }
  });
});

describe('trunkline webhooks verify', () => {
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const body = '{"id":"whk_1","text":"Grüße ✓"}';
  const verify = async (more: string[], timestamp = Math.floor(Date.now() / 1_000), sent = body) => {
    const headers = signatureHeaders({ id: 'whk_1', body, timestamp }, [secret]);
    const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const running = trunkline(['webhooks', 'verify', '--secret', secret, ...given, ...more], {}, sent);
    return [await running.ended(), running.out];
  };

  it('checks both signatures over the raw body, and their age', async () => {
    expect(await verify([])).toEqual([0, 'X-Service-Signature: valid\nStandard Webhooks: valid\n']);
    expect(await verify([], undefined, `${body} `)).toEqual([
      1,
      'X-Service-Signature: wrong\nStandard Webhooks: wrong\n',
    ]);
    expect(await verify([], 1_767_225_600)).toEqual([
      1,
      expect.stringContaining('too old, or from the future'),
    ]);
    expect(await verify(['--tolerance', '999999999999'], 1_767_225_600)).toEqual([0, expect.anything()]);
  });
});
