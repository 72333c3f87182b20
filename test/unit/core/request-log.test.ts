import { describe, expect, it } from 'vitest';
import type { Log } from '../../../src/core/common/log.js';
import { loggedPath } from '../../../src/core/request-log/logged-path.js';
import type { RequestEntry } from '../../../src/core/request-log/ports.js';
import { RequestLog } from '../../../src/core/request-log/request-log.js';
import { waitFor } from '../../support/wait-for.js';

const request = (id: number) => ({ id: String(id) }) as RequestEntry;

function logOf(append: (requests: readonly RequestEntry[]) => Promise<void>) {
  const warnings: object[] = [];
  const log = { warn: (fields: object) => warnings.push(fields) } as unknown as Log;
  return { requests: new RequestLog({ store: { append }, log, waitMs: 1 }), warnings };
}

describe('The request log', () => {
  it('writes concurrent requests together, later ones in order, and all of them before it stops', async () => {
    const batches: number[][] = [];
    const { requests } = logOf(async (batch) => {
      batches.push(batch.map(({ id }) => Number(id)));
    });
    for (let id = 0; id < 3; id += 1) requests.add(request(id));
    await waitFor(() => expect(batches).toEqual([[0, 1, 2]]));
    for (let id = 3; id < 1_203; id += 1) requests.add(request(id));
    await requests.stop();
    expect(batches.map(({ length }) => length)).toEqual([3, 500, 500, 200]);
    expect(batches.flat()).toEqual(Array.from({ length: 1_203 }, (_, id) => id));
  });

  it('drops a batch that the store refuses, logs this, and continues with the next one', async () => {
    const written: string[] = [];
    let isAway = true;
    const { requests, warnings } = logOf(async (batch) => {
      if (isAway) throw new Error('away');
      written.push(...batch.map(({ id }) => id));
    });
    requests.add(request(1));
    await waitFor(() => expect(warnings).toEqual([{ err: new Error('away'), requests: 1 }]));
    isAway = false;
    requests.add(request(2));
    await requests.stop();
    expect(written).toEqual(['2']);
  });

  it('buffers 5,000 requests for a store that does not respond, and logs how many more were lost', async () => {
    let answer: () => void = () => undefined;
    const written: RequestEntry[] = [];
    const { requests, warnings } = logOf(async (batch) => {
      if (written.length === 0) await new Promise<void>((resolve) => (answer = resolve));
      written.push(...batch);
    });
    for (let id = 0; id < 500; id += 1) requests.add(request(id));
    for (let id = 0; id < 5_007; id += 1) requests.add(request(id));
    answer();
    await requests.stop();
    expect(written).toHaveLength(5_500);
    expect(warnings).toEqual([{ requests: 7 }]);
  });
});

describe('A path in the request log', () => {
  it('keeps ids, shortens possible keys, and is limited in length', () => {
    const id = '01a21ac5-fc6f-70a4-b66c-3620d2720644';
    expect(loggedPath(`/openapi/messages/${id}/replies`)).toBe(`/openapi/messages/${id}/replies`);
    expect(loggedPath(`/openapi/messages/tl_live_${'x'.repeat(43)}/replies`)).toBe(
      '/openapi/messages/tl_live_…/replies',
    );
    expect(loggedPath(`/${'a/'.repeat(500)}`)).toHaveLength(256);
  });
});
