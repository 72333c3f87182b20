import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { faults } from './catalogue.mjs';

export const RESULTS = new URL('./results.json', import.meta.url);
export const PAGE = new URL('../docs/reliability.md', import.meta.url);

const INTRODUCTION = `# Reliability

What happens when processes are killed, servers vanish and platforms misbehave, tried with the real things: processes that get
SIGKILL, a PostgreSQL and a Redis that are stopped, killed, locked and filled, simulated platforms in processes of their own that
keep count of what they saw. How a run is made and read is told in [faults/README.md](../faults/README.md).

Written by \`npm run faults -- --write\` from \`faults/results.json\`. **Lost** is what was acknowledged and is not there, **duplicated**
what is there twice without being marked, **marked** what is there twice after it was shown as uncertain, **uncertain** what a person or a receipt
has to decide, **misordered** what stands before something earlier, **late** what a platform that keeps no order brought again behind
later messages, **unexpected** what nobody sent. A row has passed when each of its bars is met, one of which is that its fault did happen; the
bars are those of the fault's file in [faults/faults/](../faults/faults/). Each row says with how many seeds it was run: a seed is one order of
events, and a row with one seed has been tried once. \`npm run faults -- all --seeds 20\` tries each with twenty.

A platform that is slow gets no message twice: one that is not there yet may still appear, so it is looked for and not sent again
([0060](decisions/0060-what-is-known-of-a-create.md), F32). What never got there stays **uncertain** on Slack, on SMS and in Discord's webhooks when its
request was cut off on its way, and on Telegram, which can't be asked, whenever an answer was lost. On the others the fault was not that of a request
on its way: what a killed process had not begun is sent ([0061](decisions/0061-a-journal-of-writes.md)).`;

/** The results as a page of the documentation: a row per fault and length. */
export function renderPage(results) {
  const rows = faults.flatMap((fault) => rowsOf(fault, results));
  const machines = [
    ...new Set(
      Object.values(results)
        .flat()
        .map(({ machine, date }) => `- ${date}: ${machine}`),
    ),
  ];
  const head = [
    '| Fault | Length and load | Seeds | Figures of the last seed | Result |',
    '|---|---|---|---|---|',
  ];
  return [INTRODUCTION, '', ...head, ...rows, '', 'Run on', '', ...machines.sort(), ''].join('\n');
}

function rowsOf(fault, results) {
  const name = `**${fault.id}** ${fault.title}`;
  return Object.entries(fault.lengths).map(([length, load]) => {
    const runs = results[`${fault.id} ${length}`] ?? [];
    // How long it ran may be a setting of the run.
    const size = `${length}: ${loadInWords({ ...load, ...runs.at(-1)?.load })}`;
    if (runs.length === 0) return `| ${name} | ${size} | – | – | not run yet at this length |`;
    const seeds = `${runs.length}: ${runs.map(({ seed, queue }) => `${seed} (${queue})`).join(', ')}`;
    return `| ${name} | ${size} | ${seeds} | ${runs.at(-1).figures} | ${resultOf(runs)} |`;
  });
}

function loadInWords(load) {
  return Object.entries(load)
    .map(([what, value]) => `${what.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${value}`)
    .join(', ');
}

function resultOf(runs) {
  const failed = runs.filter(({ passed }) => !passed);
  const seconds = Math.round(Math.max(...runs.map((run) => run.seconds)));
  if (failed.length === 0) return `passed, ${runs.length} of ${runs.length}, ${seconds} s at most`;
  const missed = failed.map((run) => `seed ${run.seed}: ${run.missed.join('; ')}`).join('. ');
  return `**failed**, ${failed.length} of ${runs.length}. ${missed}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(renderPage(JSON.parse(await readFile(RESULTS, 'utf8'))));
}
