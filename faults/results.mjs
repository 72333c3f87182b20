import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describeMachine } from '../bench/support/machine.mjs';
import { PAGE, RESULTS, renderPage } from './page.mjs';
import { figuresInWords } from './report.mjs';

/** Replaces earlier runs with the same fault, length and seed, and writes the page. */
export async function writeResults(runs) {
  const known = JSON.parse(await readFile(RESULTS, 'utf8'));
  const about = { machine: describeMachine(), date: new Date().toISOString().slice(0, 10) };
  const rows = groupedBy(runs);
  for (const [key, row] of Object.entries(rows)) {
    const earlier = (known[key] ?? []).filter(({ seed }) => !row.some((run) => run.seed === seed));
    const made = row.map((run) => ({ ...shortened(run), ...about }));
    known[key] = [...earlier, ...made].sort((a, b) => a.seed - b.seed);
  }
  await writeFile(RESULTS, JSON.stringify(known));
  execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(RESULTS)], { stdio: 'ignore' });
  await writeFile(PAGE, renderPage(known));
}

function keyOf({ id, length }) {
  return `${id} ${length}`;
}

function groupedBy(runs) {
  const rows = {};
  for (const run of runs) rows[keyOf(run)] = [...(rows[keyOf(run)] ?? []), run];
  return rows;
}

function shortened({ seed, load, queue, seconds, passed, figures, criteria }) {
  const missed = criteria.filter(({ met }) => !met).map(({ what, figure }) => `${what}: ${figure}`);
  const size = Object.keys(load).length === 0 ? {} : { load };
  return { seed, ...size, queue, seconds, passed, figures: figuresInWords(figures), missed };
}
