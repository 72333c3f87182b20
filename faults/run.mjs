import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // Comma-separated numbers. `random` is a random number.
    seed: { type: 'string' },
    // Runs with the seeds 1 to this number.
    seeds: { type: 'string', default: '1' },
    length: { type: 'string', default: 'short' },
    // Duration of a soak.
    minutes: { type: 'string' },
    // Minutes between the starts of two periods of kills.
    'kills-every': { type: 'string' },
    'at-once': { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    // Keeps the logs.
    keep: { type: 'boolean', default: false },
  },
});

await build();
// These modules import the build output.
const { choose } = await import('./catalogue.mjs');
const { runAll } = await import('./campaign.mjs');
const { describeVerdict } = await import('./report.mjs');
const { writeResults } = await import('./results.mjs');

const faults = choose(positionals.length === 0 ? ['ci'] : positionals);
const counted = Array.from({ length: Number(values.seeds) }, (_, at) => at + 1);
const seeds =
  values.seed === undefined
    ? counted
    : values.seed.split(',').map((seed) => (seed === 'random' ? randomInt(2 ** 31) : Number(seed)));
const soak = Object.fromEntries(
  Object.entries({ minutes: values.minutes, everyMinutes: values['kills-every'] })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Number(value)]),
);
const atOnce = Number(values['at-once']);
if (
  typeof faults === 'string' ||
  !['short', 'long'].includes(values.length) ||
  !seeds.every(Number.isSafeInteger) ||
  seeds.length === 0 ||
  !Object.values(soak).every((minutes) => minutes >= 1)
) {
  console.error(
    typeof faults === 'string'
      ? faults
      : '--length is short or long. --seed takes numbers or random. --seeds, --minutes and --kills-every take a number.',
  );
  process.exit(2);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
console.log(`To run: ${faults.map(({ id }) => id).join(' ')}`);
const folder = await mkdtemp(join(tmpdir(), 'trunkline-faults-'));
const results = [];
let writing = Promise.resolve();
try {
  await runAll({ faults, seeds, length: values.length, atOnce, folder, soak }, (result) => {
    results.push(result);
    console.log(describeVerdict(result, values.keep));
    // After each run, because a long campaign may be interrupted.
    if (values.write) writing = writing.then(() => writeResults([...results]));
  });
} finally {
  if (values.keep) console.log(`Logs: ${folder}`);
  else await rm(folder, { recursive: true, force: true });
}
await writing;
const failed = results.filter(({ passed }) => !passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
