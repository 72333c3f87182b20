// Sends requests that are made from the description, and put wrong, to a service of its own.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { build } from './build.mjs';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    // A comma list of numbers; `random` is a random one.
    seed: { type: 'string', default: 'random' },
    first: { type: 'string', default: '0' },
    only: { type: 'string' },
    // How many seconds the main thread is measured with expensive requests, and from which on.
    measure: { type: 'string', default: '60' },
    'measure-first': { type: 'string', default: '0' },
  },
});
const seeds = values.seed.split(',').map((seed) => (seed === 'random' ? randomInt(2 ** 31) : Number(seed)));
const [requests, first] = [Number(values.requests), Number(values.first)];
const measure = { seconds: Number(values.measure), first: Number(values['measure-first']) };
if (![requests, first, ...Object.values(measure), ...seeds].every(Number.isSafeInteger)) {
  console.error(
    '--seed is a comma list of whole numbers or of the word random, every other option but --only a whole number.',
  );
  process.exit(2);
}

await build();
const { module } = await runnerImport('./test/fuzz/run.ts');
const isWell = await module.run({ requests, first, seeds, only: values.only, measure });
process.exitCode = isWell ? 0 : 1;
