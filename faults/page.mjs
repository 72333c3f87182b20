import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { faults } from './catalogue.mjs';

export const RESULTS = new URL('./results.json', import.meta.url);
export const PAGE = new URL('../docs/reliability.md', import.meta.url);

const INTRODUCTION = `# Reliability

This page shows what happens when processes are killed, servers disappear and platforms misbehave. Every run uses real parts: service
processes that get SIGKILL, a PostgreSQL and a Redis that are stopped, killed, locked and filled, and simulated platforms in their own
processes, which count what they saw. [faults/README.md](../faults/README.md) explains how to run the suite and how it works.`;

const WORDS = `A run passes when it meets all criteria of its fault, which are in \`faults/faults/\`. One criterion is that the fault
really happened. A seed is one order of events. \`npm run faults -- all --seeds 20\` runs each fault with twenty seeds.

A run that failed because of the suite itself, or because its machine had no processor time left, is not in the table. It is made again.

| Figure | Counts messages that |
|---|---|
| lost | were acknowledged and are missing |
| duplicated | exist twice, and Trunkline did not say so |
| marked | exist twice after Trunkline had shown the first one as uncertain |
| uncertain | may or may not have arrived; a person or a later receipt decides |
| misordered | stand before an earlier message |
| late | came after later ones, from a platform that does not keep the order when it delivers again |
| unexpected | were never sent |

The \`traces\` of random messages, 1,000 in a long run and 100 in a short one, are compared with the platforms, the webhooks and the database. An
unexpected one lacks a step, contradicts one of these, or has a wrong order.

A slow platform gets no message twice. A message that is not there yet may still appear, so Trunkline looks for it and does not send it again
([0060](decisions/0060-what-is-known-of-a-create.md), F32). A message stays **uncertain** in two cases: its request was cut off on its way to Slack,
to SMS or to a Discord webhook, or the answer of Telegram was lost, because Telegram offers no way to look. What a killed process had not begun to
send is sent later ([0061](decisions/0061-a-journal-of-writes.md)).`;

/** Renders the results as a documentation page: a summary table, then the figures of each fault. */
export function renderPage(results) {
  const machines = [
    ...new Set(
      Object.values(results)
        .flat()
        .map(({ machine, date }) => `- ${date}: ${machine}`),
    ),
  ];
  return [
    INTRODUCTION,
    '',
    summaryOf(results),
    '',
    '| Fault | Short runs | Long runs |',
    '|---|---|---|',
    ...faults.map((fault) => rowOf(fault, results)),
    '',
    WORDS,
    '',
    '## Figures',
    '',
    'Each line has the figures of the run with the highest seed.',
    '',
    ...faults.flatMap((fault) => figuresOf(fault, results)),
    '## Machines',
    '',
    ...machines.sort(),
    '',
    'Written by `npm run faults -- --write` from `faults/results.json`.',
    '',
  ].join('\n');
}

function summaryOf(results) {
  const runs = Object.values(results).flat();
  const passed = runs.filter((run) => run.passed).length;
  return `**${faults.length} faults, ${runs.length} runs, ${passed} passed.**`;
}

const runsOf = ({ id }, length, results) => results[`${id} ${length}`] ?? [];

function rowOf(fault, results) {
  const cell = (length) => {
    const runs = runsOf(fault, length, results);
    if (fault.lengths[length] === undefined) return '–';
    if (runs.length === 0) return 'not run yet';
    const passed = runs.filter((run) => run.passed).length;
    const text = `${passed} of ${runs.length} passed`;
    return passed === runs.length ? text : `**${text}**`;
  };
  return `| **${fault.id}** ${fault.title} | ${cell('short')} | ${cell('long')} |`;
}

function figuresOf(fault, results) {
  const lines = Object.entries(fault.lengths).flatMap(([length, load]) => {
    const runs = runsOf(fault, length, results);
    const last = runs.at(-1);
    if (last === undefined) return [];
    // Options of the command line may set the duration.
    const size = loadInWords({ ...load, ...last.load });
    const queues = [...new Set(runs.map(({ queue }) => QUEUES[queue]))].join(' and ');
    const seconds = Math.round(Math.max(...runs.map((run) => run.seconds)));
    return [
      `- **${length}**${size === '' ? '' : `: ${size}`}. ${runs.length === 1 ? 'Seed' : 'Seeds'} ${rangesOf(runs.map(({ seed }) => seed))}, with the queue in ${queues}. Up to ${seconds} s.`,
      ...last.figures.split('; ').map((figure) => `  - ${figure}`),
      ...runs
        .filter(({ passed }) => !passed)
        .map((run) => `  - **failed with seed ${run.seed}**: ${run.missed.join('; ')}`),
    ];
  });
  return [`### ${fault.id}: ${fault.title}`, '', ...(lines.length === 0 ? ['Not run yet.'] : lines), ''];
}

const QUEUES = { postgres: 'PostgreSQL', redis: 'Redis' };

/** Ascending numbers as ranges: `1 to 6, 8`. */
function rangesOf(numbers) {
  const ranges = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
}

function loadInWords(load) {
  return Object.entries(load)
    .map(([what, value]) => `${what.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${value}`)
    .join(', ');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(renderPage(JSON.parse(await readFile(RESULTS, 'utf8'))));
}
