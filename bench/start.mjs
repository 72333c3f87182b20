import { setTimeout as sleep } from 'node:timers/promises';
import { residentMebibytes } from './support/memory.mjs';
import { startService, withDataDir } from './support/service.mjs';
import { median } from './support/stats.mjs';

const STARTS = 5;
const READY_WITHIN_S = 3;
const IDLE_MIB = 200;
/** Time for garbage collection after the start and for several rounds of the sweeper. */
const IDLE_AFTER_MS = 15_000;

/** The time from the command until /readyz answers 200 on an existing data directory, and the memory of the idle process. */
export async function start() {
  return withDataDir(async (dataDir) => {
    // Creates the directory, and dist if necessary.
    const first = await startService(dataDir);
    await first.stop();
    const seconds = [];
    for (let round = 0; round < STARTS; round += 1) {
      const service = await startService(dataDir, { key: first.key });
      seconds.push(service.readyMs / 1000);
      await service.stop();
    }
    const service = await startService(dataDir, { key: first.key });
    await sleep(IDLE_AFTER_MS);
    const mebibytes = await residentMebibytes(service.pid);
    await service.stop();
    return [
      {
        what: 'Start to ready on an existing data directory',
        ours: `median of ${STARTS}, longest ${Math.max(...seconds).toFixed(2)} s`,
        limit: '–',
        figure: `${median(seconds).toFixed(2)} s`,
        required: `< ${READY_WITHIN_S} s`,
        met: median(seconds) < READY_WITHIN_S,
      },
      {
        what: 'Idle memory of the Node process (resident)',
        ours: `${IDLE_AFTER_MS / 1000} s after the start`,
        limit: '–',
        figure: `${Math.round(mebibytes)} MiB`,
        required: `< ${IDLE_MIB} MiB`,
        met: mebibytes < IDLE_MIB,
      },
    ];
  });
}
