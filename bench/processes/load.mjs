// Sends requests on a number of connections for some time, one at a time per connection.
import { Pool } from 'undici';
import { answer } from '../support/answering.mjs';
import { percentile } from '../support/stats.mjs';

async function load({
  url,
  path,
  method = 'POST',
  expected = 201,
  headers,
  bodies = [],
  connections,
  durationMs,
}) {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const latencies = [];
  const failures = new Map();
  const startedAt = performance.now();
  let next = 0;
  const worker = async () => {
    while (performance.now() - startedAt < durationMs) {
      const body = bodies[next++ % bodies.length];
      const sentAt = performance.now();
      const response = await pool.request({ path, method, headers, body });
      const text = await response.body.text();
      latencies.push(performance.now() - sentAt);
      if (response.statusCode !== expected)
        failures.set(`${response.statusCode} ${text}`.slice(0, 300), true);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    failures: [...failures.keys()],
  };
}

answer({}, load);
