import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Dropped } from '../../../src/connections/dropped.js';
import { createHost, type HostServices } from '../../../src/connections/host.js';
import { HOST_LIMITS } from '../../../src/connections/host-limits.js';
import type { Envelope } from '../../../src/contract/index.js';
import { Redactor } from '../../../src/core/adapters/redactor.js';
import { OutgoingError } from '../../../src/core/common/outgoing.js';
import { Receive } from '../../../src/core/inbound/receive.js';
import { recordingLog } from '../../support/log.js';

const SECRET = '123:AbC-secret';

describe('the host', () => {
  const saved: unknown[][] = [];
  const log = recordingLog();
  const dropped = new Dropped(log, { connection_id: 'c1', platform: 'alpha' });
  const redactor = new Redactor({ secrets: [SECRET], names: [] });
  const hosted = { id: 'c1', platform: 'alpha', redactor, dropped };
  const hostWith = (services: object) =>
    createHost(
      {
        runtime: {
          saveState: async (...args: unknown[]) => {
            saved.push(args);
            return true;
          },
        },
        receive: async () => undefined,
        assertTarget: async () => Promise.reject(new OutgoingError('forbidden_target', 'no')),
        log,
        publicUrl: () => 'https://bridge.example',
        ...services,
      } as unknown as HostServices,
      hosted,
      () => undefined,
    );
  const host = (fetchLike: () => Promise<Response> = async () => new Response()) =>
    hostWith({ fetch: fetchLike });
  afterEach(() => {
    dropped.flush();
    log.lines.length = 0;
    saved.length = 0;
  });

  it('provides the URL of its webhooks', () => {
    expect(host().webhookUrl).toBe('https://bridge.example/hooks/alpha/c1');
  });

  it('adds the connection to each log line', () => {
    host().log.warn('poll.failed', { reason: SECRET });
    expect(log.lines.at(-1)).toEqual({
      level: 'warn',
      event: 'poll.failed',
      fields: { connection_id: 'c1', platform: 'alpha', reason: '***' },
    });
  });

  it('keeps secrets out of the names of log events and of state', async () => {
    host().log.error(`start ${SECRET}`, { [SECRET]: SECRET });
    await host().state.save(`session:${SECRET}`, 'x');
    expect(JSON.stringify([log.lines, saved])).not.toContain(SECRET);
    expect(saved[0]?.[1]).toBe('session:***');
  });

  it('limits the number and the size of log lines, and logs how many it dropped', () => {
    const { log: adapterLog } = host();
    const startedAt = performance.now();
    for (let line = 0; line < 5_000; line += 1) adapterLog.info('flood', { text: 'x'.repeat(100_000) });
    const seconds = (performance.now() - startedAt) / 1_000;
    dropped.flush();
    const floods = log.lines.filter(({ event }) => event === 'flood');
    expect(floods.length).toBeGreaterThanOrEqual(200);
    expect(floods.length).toBeLessThanOrEqual(200 + 20 * seconds + 1);
    expect(JSON.stringify(floods[0]?.fields).length).toBeLessThan(3_000);
    const counts = log.lines.filter(({ event }) => event === 'adapter.calls_dropped');
    expect(counts).toMatchObject([{ fields: { dropped: { log: 5_000 - floods.length } } }]);
  });

  it('receives a limited number of events at once, queues the others, and loses none', async () => {
    let [now, peak] = [0, 0];
    const taken: string[] = [];
    const receive = async (_id: string, { dedupeKey }: Envelope) => {
      now += 1;
      peak = Math.max(peak, now);
      await new Promise((resolve) => setImmediate(resolve));
      taken.push(dedupeKey);
      now -= 1;
    };
    const { receive: flood } = hostWith({ receive });
    const keys = Array.from({ length: 1_500 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((dedupeKey) => flood({ dedupeKey, lane: 'l', payload: null })));
    expect(peak).toBe(HOST_LIMITS.receive.atOnce);
    expect(taken).toEqual(keys);
  });

  it('refuses events if too many are waiting, and logs how many it refused', async () => {
    const { atOnce, maxWaiting } = HOST_LIMITS.receive;
    const { receive: flood } = hostWith({ receive: () => new Promise(() => undefined) });
    const excess = 7;
    const results: string[] = [];
    for (let each = 0; each < atOnce + maxWaiting + excess; each += 1)
      void flood({ dedupeKey: `k${each}`, lane: 'l', payload: null }).catch(({ name }) => results.push(name));
    await new Promise((resolve) => setImmediate(resolve));
    expect(results).toEqual(Array(excess).fill('TooManyWaiting'));
    dropped.flush();
    expect(log.lines.at(-1)).toMatchObject({
      event: 'adapter.calls_dropped',
      fields: { dropped: { receive: excess } },
    });
  });

  it.each([
    ['fetch', HOST_LIMITS.fetch.atOnce],
    ['assertTarget', HOST_LIMITS.target.atOnce],
    ['openMedia', HOST_LIMITS.media.atOnce],
  ] as const)('runs a limited number of %s calls at once', async (call, limit) => {
    let begun = 0;
    const hang = () => {
      begun += 1;
      return new Promise<never>(() => undefined);
    };
    const limited = hostWith({ [call]: hang });
    for (let each = 0; each < 2 * limit; each += 1) void limited[call]('https://a.example');
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(limit);
  });

  it('stores only the latest value when values are saved faster than they can be stored', async () => {
    const { state } = host();
    await Promise.all(Array.from({ length: 5_000 }, (_, index) => state.save('offset', String(index))));
    expect(saved.map(([, , value]) => value)).toEqual(['4999']);
    await Promise.all([state.save('offset', 'a'), state.save('other', 'b'), state.save('offset', null)]);
    expect(saved.slice(1).map(([, name, value]) => [name, value])).toEqual([
      ['offset', null],
      ['other', 'b'],
    ]);
  });

  it('refuses state names that are too many or too long', async () => {
    const { state } = hostWith({ runtime: { saveState: async () => false } });
    await expect(state.save('n65', 'x')).rejects.toThrow('at most 64 names');
    await expect(state.save('n'.repeat(201), 'x')).rejects.toThrow(RangeError);
  });

  const refused = () =>
    log.lines
      .filter(({ event }) => event === 'adapter.argument_refused')
      .map(({ fields }) => `${fields.call} ${fields.field}`);
  const envelope = { dedupeKey: 'k', lane: 'l', payload: null };

  it.each<[string, object | null]>([
    ['dedupeKey', { ...envelope, dedupeKey: '' }],
    ['dedupeKey', { ...envelope, dedupeKey: 'k'.repeat(201) }],
    ['dedupeKey', { ...envelope, dedupeKey: 7 }],
    ['lane', { ...envelope, lane: undefined }],
    ['payload', { ...envelope, payload: undefined }],
    ['context', { ...envelope, context: { at: 7 } }],
    ['envelope', null],
  ])('refuses an invalid envelope, and names the adapter and the field: %s', async (field, wrong) => {
    const { receive } = hostWith({});
    await expect(receive(wrong as never)).rejects.toThrow(
      `The adapter alpha called host.receive: ${field} must be`,
    );
    expect(refused()).toEqual([`receive ${field}`]);
    await receive({ ...envelope, dedupeKey: 'k'.repeat(200) });
  });

  it.each([
    ['no JSON', { size: 7n }, 'The payload must be JSON.'],
    ['too long', 'x'.repeat(16 * 1024 * 1024), 'The payload must have at most 16 MiB of JSON.'],
  ])(
    'accepts a payload that is %s, and stores it as dead with the reason',
    async (_what, payload, reason) => {
      const stored: unknown[] = [];
      const store = {
        receive: async (...given: unknown[]) => {
          stored.push(given);
          return { stored: true, message: null };
        },
      };
      const receive = new Receive(store as never, {} as never, log);
      const host = hostWith({ receive: (id: string, given: Envelope) => receive.envelope(id, given) });
      await host.receive({ ...envelope, payload: payload as never, context: { a: 'b' } });
      expect(stored).toEqual([[expect.any(String), envelope, [], 'dead', reason]]);
      expect(refused()).toEqual([]);
    },
  );

  it.each<[string, unknown]>([
    ['code', { code: 'fine', message: 'x' }],
    ['code', { code: 'disabled', message: 'x' }],
    ['message', { code: 'ok' }],
    ['fix', { code: 'ok', message: 'x', fix: 7 }],
    ['report', undefined],
  ])('refuses an invalid health report, and names the adapter and the field: %s', (field, report) => {
    expect(() => hostWith({}).health(report as never)).toThrow(
      `The adapter alpha called host.health: ${field} must be`,
    );
    expect(refused()).toEqual([`health ${field}`]);
  });

  it('refuses other invalid arguments in the same way', async () => {
    const wrong = hostWith({});
    await expect(wrong.state.save('n', 7 as never)).rejects.toThrow(
      'alpha called host.state.save: value must be a text',
    );
    await expect(wrong.state.load(undefined as never)).rejects.toThrow(
      'alpha called host.state.load: name must be a text',
    );
    await expect(wrong.openMedia(7 as never)).rejects.toThrow(
      'alpha called host.openMedia: ref must be a text',
    );
    await expect(wrong.assertTarget({} as never)).rejects.toThrow(
      'alpha called host.assertTarget: url must be a text',
    );
    expect(refused()).toEqual(['state.save value', 'state.load name', 'openMedia ref', 'assertTarget url']);
  });

  it.each(['a\u0000b', 'a\ud800'])('refuses a state value that the database cannot store', async (value) => {
    await expect(host().state.save('session', value)).rejects.toThrow('value must not contain U+0000');
    await expect(host().state.replace('session', null, value)).rejects.toThrow(RangeError);
    expect(saved).toHaveLength(0);
  });

  it('refuses a state value of more than 4 KiB', async () => {
    await host().state.save('session', 'x'.repeat(4096));
    await expect(host().state.save('session', 'ä'.repeat(2049))).rejects.toThrow(RangeError);
    expect(saved).toHaveLength(1);
  });

  it('opens stored copies under a name that is valid in a form', async () => {
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
        hosted,
        () => undefined,
      ).openMedia('m1');
    expect((await opened('a\r\nb.txt')).name).toBe('ab.txt');
    expect((await opened('\n')).name).toBe('file.txt');
    expect((await opened(null)).name).toBe('file.txt');
    await rm(folder, { recursive: true });
  });

  it('reports failed requests as platform errors, with their certainty', async () => {
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
