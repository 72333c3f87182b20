import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../scripts/build.mjs';
import { readOptions } from './options.mjs';

let options;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exit(2);
}

await build();
// These modules import the build output.
const { choose } = await import('./catalogue.mjs');
const { runAll } = await import('./campaign.mjs');
const { describeVerdict } = await import('./report.mjs');
const { writeResults } = await import('./results.mjs');

const { names, seeds, length, atOnce, soak, write, keep } = options;
const faults = choose(names);
if (typeof faults === 'string') {
  console.error(faults);
  process.exit(2);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
console.log(`To run: ${faults.map(({ id }) => id).join(' ')}`);
const folder = await mkdtemp(join(tmpdir(), 'trunkline-faults-'));
const results = [];
let writing = Promise.resolve();
try {
  await runAll({ faults, seeds, length, atOnce, folder, soak }, (result) => {
    results.push(result);
    console.log(describeVerdict(result, keep));
    // After each run, because a long campaign may be interrupted.
    if (write) writing = writing.then(() => writeResults([...results]));
  });
} finally {
  if (keep) console.log(`Logs: ${folder}`);
  else await rm(folder, { recursive: true, force: true });
}
await writing;
const failed = results.filter(({ passed }) => !passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
// A campaign without a result for each run proves nothing.
process.exit(failed === 0 && results.length === faults.length * seeds.length ? 0 : 1);
