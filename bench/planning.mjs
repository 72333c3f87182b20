import { setTimeout as sleep } from 'node:timers/promises';
import { generateApiKey } from '../dist/src/core/access/api-key-format.js';
import { importSegments, LISTS } from './support/audience.mjs';
import { residentMebibytes } from './support/memory.mjs';
import { startService, withDataDir } from './support/service.mjs';

const ROWS = 1_000_000;
const MAX_SECONDS = 60;
const MAX_MEBIBYTES = 64;
const POLL_MS = 50;
const TEXT = 'Hello {{first_name}}, your code is {{code}}.';

/** A broadcast to a segment of a million: the time until sending starts, and the time until a cancellation stops it. */
export async function planning({ rows = ROWS } = {}) {
  return withDataDir(async (dataDir) => {
    const service = await startService(dataDir, { key: generateApiKey('test').key });
    try {
      const imported = await watched(service, () => importSegments(service, rows));
      const segments = imported.result;
      const rehearsed = await watched(service, () =>
        service.call('POST', '/openapi/broadcasts?dry_run=true', broadcastTo(segments)),
      );
      if (rehearsed.result.recipients !== rows) throw new Error(`rehearsed ${rehearsed.result.recipients}`);
      const planned = await watched(service, () => plan(service, segments, rows));
      const canceled = await watched(service, () => cancel(service, planned.result));
      return [
        line(
          `Import of ${LISTS} lists, ${rows} addresses that nobody has, with two variables each`,
          imported,
        ),
        line(`Dry run of a broadcast to all ${rows}`, rehearsed),
        line(`Planning a broadcast to all ${rows}, request to the first one queued`, planned, MAX_SECONDS),
        line(
          `Canceling it, answered after ${canceled.result.answeredMs} ms, until all are canceled`,
          canceled,
        ),
      ];
    } finally {
      await service.stop();
    }
  });
}

const broadcastTo = (segments) => ({
  text: TEXT,
  throttle: { per_minute: 1 },
  audience: { segment_ids: segments.map(({ id }) => id) },
});

async function plan(service, segments, rows) {
  const { id } = await service.call('POST', '/openapi/broadcasts', broadcastTo(segments));
  for (;;) {
    const { status, counts, error } = await service.call('GET', `/openapi/broadcasts/${id}`);
    if (status === 'failed') throw new Error(error.message);
    if (status === 'sending' && counts.sent > 0) {
      if (counts.total !== rows || counts.skipped > 0) throw new Error(`planned ${JSON.stringify(counts)}`);
      return id;
    }
    await sleep(POLL_MS);
  }
}

async function cancel(service, id) {
  const startedAt = performance.now();
  await service.call('DELETE', `/openapi/broadcasts/${id}`);
  const answeredMs = Math.round(performance.now() - startedAt);
  for (;;) {
    const { status } = await service.call('GET', `/openapi/broadcasts/${id}`);
    if (status === 'canceled') return { answeredMs };
    await sleep(POLL_MS);
  }
}

/** Runs `work` and measures the memory of the service during it. */
async function watched({ pid }, work) {
  const before = await residentMebibytes(pid);
  let peak = before;
  const watch = setInterval(async () => {
    peak = Math.max(peak, await residentMebibytes(pid));
  }, POLL_MS);
  const startedAt = performance.now();
  try {
    const result = await work();
    return { result, seconds: (performance.now() - startedAt) / 1000, grown: peak - before };
  } finally {
    clearInterval(watch);
  }
}

function line(what, { seconds, grown }, longest) {
  return {
    what,
    ours: `the service's memory grew by ${Math.round(grown)} MiB at peak`,
    limit: '–',
    figure: `${seconds.toFixed(1)} s`,
    required: longest === undefined ? '–' : `< ${longest} s, < ${MAX_MEBIBYTES} MiB`,
    met: longest === undefined || (seconds < longest && grown < MAX_MEBIBYTES),
  };
}
