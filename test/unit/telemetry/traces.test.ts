import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type TraceSampling, Traces } from '../../../src/telemetry/traces.js';
import { silentLog } from '../../support/log.js';

const REQUESTS = 400;
const [KEPT, DROPPED] = ['01', '00'];

/** The number of traced requests. Each has one row. */
async function tracedOf(sampling: TraceSampling, flags?: string): Promise<number> {
  let rows = 0;
  const store = {
    keep: async () => {
      rows += 1;
    },
    find: async () => undefined,
  };
  const traces = new Traces({
    endpoint: 'http://localhost:1',
    sampling,
    version: '0',
    store: store as never,
    log: silentLog,
  });
  for (let n = 0; n < REQUESTS; n += 1) {
    const traceId = n.toString(16).padStart(32, '1');
    const parent = flags && `00-${traceId}-1111111111111111-${flags}`;
    await traces.requestBegan('POST', parent).keepFor('message', 'workspace');
  }
  return rows;
}

describe('requests', () => {
  it('are all traced or none, depending on the sampler', async () => {
    expect(await tracedOf({ sampler: 'always_on', ratio: 0 })).toBe(REQUESTS);
    expect(await tracedOf({ sampler: 'always_off', ratio: 1 })).toBe(0);
  });

  it.each(['traceidratio', 'parentbased_traceidratio'] as const)(
    'are partly traced by %s',
    async (sampler) => {
      expect(await tracedOf({ sampler, ratio: 0 })).toBe(0);
      expect(await tracedOf({ sampler, ratio: 1 })).toBe(REQUESTS);
      const traced = await tracedOf({ sampler, ratio: 0.5 });
      expect(traced).toBeGreaterThan(REQUESTS / 4);
      expect(traced).toBeLessThan((REQUESTS * 3) / 4);
    },
  );

  it('follow the sampling decision of their client if the sampler is parent-based', async () => {
    expect(await tracedOf({ sampler: 'parentbased_always_off', ratio: 1 }, KEPT)).toBe(REQUESTS);
    expect(await tracedOf({ sampler: 'parentbased_always_on', ratio: 1 }, DROPPED)).toBe(0);
    expect(await tracedOf({ sampler: 'always_on', ratio: 1 }, DROPPED)).toBe(REQUESTS);
  });
});

describe('the shutdown', () => {
  it('does not wait long for a collector that never answers', async () => {
    const mute = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const traces = new Traces({
      endpoint: `http://127.0.0.1:${port}`,
      sampling: { sampler: 'always_on', ratio: 1 },
      version: '0',
      store: { find: async () => undefined, keep: async () => undefined } as never,
      log: silentLog,
    });
    const trace = traces.requestBegan('GET', undefined);
    traces.requestAnswered({ method: 'GET', route: '/', status: 200, seconds: 0, trace });
    await traces.stop();
    // The exporter gives up later, and would then close its connection.
    const connections = promisify(mute.getConnections.bind(mute));
    expect(await connections()).toBe(1);
    mute.closeAllConnections();
    mute.close();
  });
});
