import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';
import { describeMachine } from './support/machine.mjs';
import { report } from './support/report.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    rows: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'string' },
  },
});

await build();
// Imported after the build, because they import from dist.
const { benchmarks, onRequest } = await import('./benchmarks.mjs');
const known = { ...benchmarks, ...onRequest };

const unknown = positionals.filter((name) => !(name in known));
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Benchmarks: ${Object.keys(known).join(', ')}.`);
  process.exit(2);
}
const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const lines = [];
const options = { only: values.only, keep: values.keep, ...(values.rows && { rows: Number(values.rows) }) };
for (const name of names) {
  console.log(`${name} …`);
  lines.push(...(await known[name](name in onRequest ? options : {})));
}
const text = report(lines, describeMachine());
console.log(`\n${text}`);
// Benchmarks that run only by name have their own pages.
const page = names.every((name) => name in onRequest) ? `benchmarks-${names.join('-')}` : 'benchmarks';
if (values.write) await writeFile(new URL(`../docs/${page}.md`, import.meta.url), text);
process.exitCode = lines.every(({ met }) => met) ? 0 : 1;
