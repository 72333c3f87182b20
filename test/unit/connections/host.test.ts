import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHost, type HostServices, redact } from '../../../src/connections/host.js';
import { OutgoingError } from '../../../src/core/ports/outgoing.js';
import { recordingLog } from '../../support/log.js';

const SECRET = '123:AbC-secret';

describe('what an adapter logs', () => {
  it('holds no secret, wherever it stood', () => {
    const error = Object.assign(new Error(`GET /bot${SECRET}/getMe`), { config: SECRET });
    const fields = {
      text: `x ${SECRET} y`,
      url: new URL(`https://a.example/?t=${encodeURIComponent(SECRET)}`),
      deep: { list: [`${SECRET}`, { [SECRET]: 1 }] },
      error,
      nested: { error },
    };
    const written = JSON.stringify(redact(fields, [SECRET]));
    expect(written).not.toContain(SECRET);
    expect(written).not.toContain(encodeURIComponent(SECRET));
    expect(written).toContain('GET /bot***/getMe');
  });

  it('stays readable when a secret is short, looks like JSON, or is part of another', () => {
    const fields = { a: { n: 1, t: 'text' }, b: 'say "hi"', c: 'abcdef' };
    expect(redact(fields, ['1', '"', '{', ','])).toEqual({
      a: { n: 1, t: 'text' },
      b: 'say ***hi***',
      c: 'abcdef',
    });
    expect(redact(fields, ['abc', 'abcdef'])).toMatchObject({ c: '***' });
    expect(redact(fields, [''])).toEqual(fields);
  });

  it('may be anything: circles, functions, big numbers, nothing', () => {
    const circle: Record<string, unknown> = {
      big: 10n,
      run: () => 1,
      none: undefined,
      nil: null,
      at: new Date(0),
    };
    circle.self = circle;
    expect(() => JSON.stringify(redact({ circle }, [SECRET]))).not.toThrow();
  });
});

describe('the host', () => {
  const saved: unknown[] = [];
  const log = recordingLog();
  const host = (fetchLike: () => Promise<Response> = async () => new Response()) =>
    createHost(
      {
        runtime: { saveState: async (...args: unknown[]) => void saved.push(args) },
        receive: async () => undefined,
        fetch: fetchLike,
        assertTarget: async () => Promise.reject(new OutgoingError('forbidden_target', 'no')),
        log,
        publicUrl: () => 'https://bridge.example',
      } as unknown as HostServices,
      { id: 'c1', platform: 'alpha', secrets: [SECRET] },
      () => undefined,
    );

  it('names the address of its webhooks', () => {
    expect(host().webhookUrl).toBe('https://bridge.example/hooks/alpha/c1');
  });

  it('writes the connection beside each log line', () => {
    host().log.warn('poll.failed', { reason: SECRET });
    expect(log.lines.at(-1)).toEqual({
      level: 'warn',
      event: 'poll.failed',
      fields: { connection_id: 'c1', platform: 'alpha', reason: '***' },
    });
  });

  it('keeps small state only', async () => {
    await host().state.save('session', 'x'.repeat(4096));
    await expect(host().state.save('session', 'ä'.repeat(2049))).rejects.toThrow(RangeError);
    expect(saved).toHaveLength(1);
  });

  it('opens stored copies under a name that a form can carry', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'host-'));
    const path = join(folder, 'copy');
    await writeFile(path, 'abc');
    const opened = (name: string | null) =>
      createHost(
        {
          openMedia: async () => ({ path, name, mimeType: 'text/plain', sizeBytes: 3 }),
          log,
          publicUrl: () => '',
        } as never,
        { id: 'c1', platform: 'alpha', secrets: [] },
        () => undefined,
      ).openMedia('m1');
    expect((await opened('a\r\nb.txt')).name).toBe('ab.txt');
    expect((await opened('\n')).name).toBe('file.txt');
    expect((await opened(null)).name).toBe('file.txt');
    await rm(folder, { recursive: true });
  });

  it("tells of requests that got no answer in the adapter's terms, with their certainty", async () => {
    for (const [outgoing, expected] of [
      [new OutgoingError('dns', 'no'), { problem: { kind: 'unavailable' }, dispatched: 'no' }],
      [new OutgoingError('timeout', 'unknown'), { problem: { kind: 'unavailable' }, dispatched: 'unknown' }],
      [new OutgoingError('forbidden_target', 'no'), { problem: { kind: 'misconfigured' }, dispatched: 'no' }],
    ] as const) {
      await expect(host(() => Promise.reject(outgoing)).fetch('https://a.example')).rejects.toMatchObject(
        expected,
      );
    }
    await expect(host().assertTarget('wss://10.0.0.1')).rejects.toMatchObject({
      problem: { kind: 'misconfigured' },
    });
    await expect(host(() => Promise.reject(new TypeError('x'))).fetch('y')).rejects.toThrow(TypeError);
  });
});
