// Generates requests from the OpenAPI description, mutates them, and sends them to its own service.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { build } from './build.mjs';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    // Integers separated by commas. `random` stands for a random one.
    seed: { type: 'string', default: 'random' },
    first: { type: 'string', default: '0' },
    only: { type: 'string' },
    // Seconds for which the main thread is measured with expensive requests, and the first of these.
    measure: { type: 'string', default: '60' },
    'measure-first': { type: 'string', default: '0' },
  },
});
const seeds = values.seed.split(',').map((seed) => (seed === 'random' ? randomInt(2 ** 31) : Number(seed)));
const [requests, first] = [Number(values.requests), Number(values.first)];
const measure = { seconds: Number(values.measure), first: Number(values['measure-first']) };
if (![requests, first, ...Object.values(measure), ...seeds].every(Number.isSafeInteger)) {
  console.error(
    '--seed takes integers or the word random, separated by commas. Other options except --only take an integer.',
  );
  process.exit(2);
}

await build();
const { module } = await runnerImport('./test/fuzz/run.ts');
const isWell = await module.run({ requests, first, seeds, only: values.only, measure });
process.exitCode = isWell ? 0 : 1;
