import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type CheckResult, conformance, markdownReport, printedReport } from '../../src/testing/index.js';
import { bundledKits } from './kits/index.js';
import { openViolations } from './kits/open-violations.js';

/** `npm run conformance [-- platform …] [--only 1,2] [--quick] [--write]`: the bundled adapters and the table of each. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, quick: { type: 'boolean' }, write: { type: 'boolean' } },
});
const kits = bundledKits.filter(
  ({ definition }) => positionals.length === 0 || positionals.includes(definition.platform),
);
const reports = [];
for (const kit of kits) {
  const only = values.only?.split(',').map(Number);
  const effort = values.quick === true ? 'quick' : 'full';
  const onResult = ({ number, outcome }: CheckResult) =>
    process.stderr.write(
      `${kit.name ?? kit.definition.platform} ${number} ${outcome} ${process.uptime().toFixed(1)} s\n`,
    );
  const report = await conformance(kit, { effort, onResult, ...(only === undefined ? {} : { only }) });
  process.stdout.write(`${printedReport(report)}\n`);
  reports.push(report);
}
if (values.write === true) {
  const path = 'docs/conformance.md';
  const page = await readFile(path, 'utf8');
  const mark = '<!-- written by npm run conformance -- --write -->\n';
  await writeFile(path, `${page.slice(0, page.indexOf(mark))}${mark}\n${markdownReport(reports)}`);
}
const unexpected = reports.flatMap(({ name, results }) =>
  results.filter(({ number, outcome }) => outcome === 'fail' && openViolations[name]?.[number] === undefined),
);
process.exit(reports.length > 0 && unexpected.length === 0 ? 0 : 1);
