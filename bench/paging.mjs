import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { measure } from './paging/measure.mjs';
import { populate } from './paging/population.mjs';
import { startService, withDataDir } from './support/service.mjs';

const FEW = 10_000;
const MANY = 10_000_000;
const REQUIRED = 2;

/** Pages of lists over many messages, against few. `keep` names a folder that keeps the many messages for the next run. */
export async function paging({ rows = MANY, only, keep } = {}) {
  const few = await withDataDir((dataDir) => measureAt(FEW, { dataDir, only }));
  const many =
    keep === undefined
      ? await withDataDir((dataDir) => measureAt(rows, { dataDir, only, limits: few }))
      : await measureAt(rows, { dataDir: await folder(keep, rows), only, limits: few });
  return [...many].flatMap(([name, ours]) => {
    const limit = few.get(name);
    return limit === undefined ? [] : [line(`${name}, ${rows} messages against ${FEW}`, ours, limit)];
  });
}

async function folder(keep, rows) {
  const dataDir = join(resolve(keep), String(rows));
  await mkdir(dataDir, { recursive: true });
  return dataDir;
}

async function measureAt(rows, { dataDir, only, limits }) {
  const service = await startService(dataDir, await keyOf(dataDir));
  try {
    const tell = (what) => console.log(`  ${rows}: ${what}`);
    const until = (await filledUntil(dataDir)) ?? (await fill(dataDir, rows, { tell, key: service.key }));
    return await measure(service, dataDir, { until, only, limits });
  } finally {
    await service.stop();
  }
}

const NOTE = 'filled.json';

async function fill(dataDir, rows, { tell, key }) {
  const { until } = await populate(dataDir, rows, tell);
  await writeFile(join(dataDir, NOTE), JSON.stringify({ until, key }));
  return until;
}

const filledUntil = async (dataDir) => (await noteIn(dataDir)).until;
/** The key of the service that filled the folder, or a new one. */
async function keyOf(dataDir) {
  const { key } = await noteIn(dataDir);
  return key === undefined ? {} : { key };
}

async function noteIn(dataDir) {
  try {
    return JSON.parse(await readFile(join(dataDir, NOTE), 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return {};
  }
}

function line(what, ours, limit) {
  const ratio = ours.ms / limit.ms;
  const text = ({ ms, rows }) => `p50 ${ms.toFixed(1)} ms, ${rows} rows`;
  return {
    what,
    ours:
      ours.refused === undefined
        ? text(ours)
        : `refused with ${ours.refused} after ${Math.round(ours.ms)} ms`,
    limit: text(limit),
    figure: ours.refused === undefined ? ratio.toFixed(2) : '–',
    required: `≤ ${REQUIRED}`,
    met: ours.refused === undefined && ratio <= REQUIRED,
  };
}
