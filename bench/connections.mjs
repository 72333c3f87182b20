import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './support/child.mjs';
import { residentMebibytes } from './support/memory.mjs';

const COUNT = 1_000;
const MAX_MIB = 1_024;
/** Time for garbage collection after the connections open. */
const REST_MS = 10_000;
/** Discord keeps a gateway socket and a heartbeat per connection, SMS only a client. */
const PLATFORMS = ['discord', 'sms'];

/** The memory of a process with many connections of one adapter. */
export async function connections() {
  const lines = [];
  for (const platform of PLATFORMS) {
    const simulator = await startChild('simulator', platform, '');
    const child = await startChild('connections', platform);
    const before = await residentMebibytes(child.info.pid);
    const { open } = await child.ask({ account: simulator.info.account, count: COUNT });
    await sleep(REST_MS);
    const after = await residentMebibytes(child.info.pid);
    await child.stop();
    await simulator.stop();
    lines.push({
      what: `${open} live connections of ${platform} in one process (resident)`,
      ours: `${(((after - before) * 1_024) / open).toFixed(0)} KiB for each, ${Math.round(before)} MiB without any`,
      limit: '–',
      figure: `${Math.round(after)} MiB`,
      required: `< ${MAX_MIB} MiB`,
      met: after < MAX_MIB && open === COUNT,
    });
  }
  return lines;
}
