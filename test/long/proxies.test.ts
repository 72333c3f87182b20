import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { runProgram } from '../support/command-line.js';
import { freePort } from '../support/free-port.js';
import { hasProxy, type RunningProxy, startProxy } from '../support/proxies.js';
import { type Service, startService } from '../support/service.js';

const MIB = 2 ** 20;

describe.each(['nginx', 'caddy'] as const)('the example for %s', (program) => {
  describe.runIf(hasProxy(program))('in front of a real service', () => {
    let proxy: RunningProxy;
    let service: Service;
    let port: number;

    beforeAll(async () => {
      const front = await freePort();
      port = await freePort();
      service = await startService({
        port,
        env: { PUBLIC_URL: `https://localhost:${front}`, TRUST_PROXY: '127.0.0.1/32' },
      });
      proxy = await startProxy(program, front, port);
    });
    afterAll(async () => {
      await proxy?.stop();
      await service?.stop();
    });

    /** Sends a request from its own address, which the proxy must pass on. */
    async function send(
      method: string,
      path: string,
      { body, ...headers }: Record<string, string> & { body?: string } = {},
      key = service.key,
    ): Promise<IncomingMessage> {
      const outgoing = request(`${proxy.url}${path}`, {
        method,
        ca: proxy.certificate,
        family: 4,
        localAddress: '127.0.0.5',
        agent: false,
        headers: { 'x-api-key': key, ...headers, ...(body && { 'content-length': Buffer.byteLength(body) }) },
      });
      outgoing.end(body);
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      return answer;
    }

    const textOf = async (answer: IncomingMessage) => (await answer.setEncoding('utf8').toArray()).join('');

    it('passes each event of a stream on as it happens', async () => {
      const stream = await send('GET', '/v1/openapi/events/stream?events=user.created');
      expect(stream.statusCode).toBe(200);
      let seen = '';
      stream.setEncoding('utf8').on('data', (text: string) => {
        seen += text;
      });
      await expect.poll(() => seen, { timeout: 30_000 }).toContain('retry:');
      for (const name of ['Ada', 'Grace']) {
        const { id } = await service.client().must(201, 'POST', '/openapi/users', { display_name: name });
        await expect.poll(() => seen, { timeout: 30_000 }).toContain(String(id));
      }
      expect(stream.complete).toBe(false);
      stream.destroy();
    });

    it('opens the WebSocket of calls', async () => {
      const socket = new WebSocket(`${proxy.url.replace('https', 'wss')}/openapi/rtc`, ['trunkline.rtc.v1'], {
        ca: proxy.certificate,
        family: 4,
        headers: { 'x-api-key': service.key },
      });
      const [frame] = await once(socket, 'message');
      expect(JSON.parse(String(frame))).toMatchObject({ type: 'ready' });
      socket.terminate();
    });

    it('lets an attachment of 24 MiB through', async () => {
      const head =
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
      const body = `${head}${'a'.repeat(24 * MIB)}\r\n--b--\r\n`;
      const answer = await send('POST', '/v1/openapi/attachments', {
        body,
        'content-type': 'multipart/form-data; boundary=b',
      });
      expect([answer.statusCode, JSON.parse(await textOf(answer))]).toEqual([
        201,
        expect.objectContaining({ size: 24 * MIB }),
      ]);
    });

    it('passes on the address of the client, regardless of the forwarding header that the client sends', async () => {
      const answer = await send(
        'GET',
        '/v1/openapi/users',
        { 'x-forwarded-for': '203.0.113.9' },
        'tl_live_no',
      );
      expect(answer.statusCode).toBe(401);
      answer.resume();
      await expect
        .poll(() => service.log.filter(({ refused }) => refused !== undefined), { timeout: 30_000 })
        .toContainEqual(expect.objectContaining({ address: '127.0.0.5' }));
    });

    it('satisfies trunkline doctor', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'trunkline-proxies-'));
      const authority = join(folder, 'authority.pem');
      await writeFile(authority, proxy.certificate);
      try {
        const { out } = await runProgram(['doctor', '--json'], {
          env: {
            PATH: process.env.PATH ?? '',
            HOME: folder,
            DATA_DIR: service.dataDir,
            PORT: String(port),
            PUBLIC_URL: proxy.url,
            TRUST_PROXY: '127.0.0.1/32',
            NODE_EXTRA_CA_CERTS: authority,
          },
        });
        const { findings } = JSON.parse(out) as { findings: { check: string }[] };
        const ofProxy = findings.filter(({ check }) => ['PUBLIC_URL', 'Proxy headers'].includes(check));
        expect(ofProxy).toEqual([
          expect.objectContaining({ level: 'ok', check: 'PUBLIC_URL' }),
          expect.objectContaining({
            level: 'ok',
            check: 'Proxy headers',
            found: 'The proxy is trusted, and its client is known.',
          }),
        ]);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
});
