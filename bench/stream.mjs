import { setTimeout as sleep } from 'node:timers/promises';
import { generateApiKey } from '../dist/src/core/access/api-key-format.js';
import { startChild } from './support/child.mjs';
import { EventSource } from './support/events.mjs';
import { residentMebibytes } from './support/memory.mjs';
import { makeKey, makeWorkspace, startService, withDataDir } from './support/service.mjs';

const READERS = 1_000;
const PER_KEY = 10;
const PER_SECOND = 100;
const DURATION_MS = 30_000;
const WARM_UP_MS = 3_000;
const ARRIVED_WITHIN_MS = 30_000;
const P99_MS = 500;
const READER_KIB = 128;

/** Sending every event to many streams: the time from the change to the reader, and the memory per reader. */
export async function stream({ durationMs = DURATION_MS } = {}) {
  return withDataDir(async (dataDir) => {
    const service = await startService(dataDir);
    const readers = await startChild('readers');
    const source = await EventSource.open(dataDir);
    try {
      const workspace = await makeWorkspace(service, source, 0);
      const keys = [];
      for (let n = 0; n < READERS / PER_KEY; n += 1) {
        const { key, hash, hint } = generateApiKey('live');
        await makeKey(source, { ...workspace, hash, hint });
        keys.push(key);
      }
      const next = () => ({ workspaceId: workspace.workspaceId, type: 'message.created' });
      await source.emit({ perSecond: PER_SECOND, durationMs: WARM_UP_MS, next });
      const before = await residentMebibytes(service.pid);
      await readers.ask({ question: 'open', url: service.url, keys, perKey: PER_KEY });
      await source.emit({ perSecond: PER_SECOND, durationMs: WARM_UP_MS, next });
      await sleep(WARM_UP_MS);
      await readers.ask({ question: 'delays' });
      const sent = await source.emit({ perSecond: PER_SECOND, durationMs, next });
      await arrived(readers, sent * READERS);
      const delays = await readers.ask({ question: 'delays' });
      const after = await residentMebibytes(service.pid);
      return [delayLine(delays), memoryLine(before, after)];
    } finally {
      await readers.stop();
      await source.close();
      await service.stop();
    }
  });
}

async function arrived(readers, wanted) {
  const endsAt = Date.now() + ARRIVED_WITHIN_MS;
  let found = { count: 0 };
  while (Date.now() < endsAt) {
    found = await readers.ask({ question: 'count' });
    if (found.count >= wanted) return;
    await sleep(100);
  }
  throw new Error(`${wanted} receipts expected, ${found.count} counted; ${found.ended} streams ended.`);
}

function delayLine({ p50, p99, longest, count }) {
  return {
    what: `Event stream: ${PER_SECOND} events/s to ${READERS} readers each, change to reader`,
    ours: `p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms, ${count} receipts`,
    limit: '–',
    figure: `p99 ${p99} ms`,
    required: `< ${P99_MS} ms`,
    met: p99 < P99_MS,
  };
}

function memoryLine(before, after) {
  const each = ((after - before) * 1024) / READERS;
  return {
    what: `Event stream: resident memory that ${READERS} readers add`,
    ours: `${Math.round(before)} MiB before, ${Math.round(after)} MiB with them, after the events`,
    limit: '–',
    figure: `${Math.round(each)} KiB each`,
    required: `< ${READER_KIB} KiB each`,
    met: each < READER_KIB,
  };
}
