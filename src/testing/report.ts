import Table from 'cli-table3';

export interface CheckResult {
  readonly number: number;
  readonly title: string;
  readonly outcome: 'pass' | 'fail' | 'skipped';
  /** Figures of a passed check, the violation, or the reason of a skip. */
  readonly detail?: string;
  /** Claims that the check could not test. */
  readonly unproved?: readonly UnprovedCell[];
}

/** A claimed capability or kind of event that no check has proven. */
export interface UnprovedCell {
  readonly cell: string;
  readonly reason: string;
}

export interface ConformanceReport {
  readonly name: string;
  readonly version: string;
  readonly contractVersion: number;
  /** Whether no check failed. Skipped checks and unproved cells prove nothing. */
  readonly passed: boolean;
  /** All claims that this run could not test, including those of skipped checks. */
  readonly unproved: readonly UnprovedCell[];
  readonly results: readonly CheckResult[];
}

const words: Readonly<Record<CheckResult['outcome'], string>> = {
  pass: 'pass',
  fail: 'FAIL',
  skipped: 'skip',
};
const WIDTH = { check: 62, detail: 56 } as const;

/** The report as a table for a terminal. */
export function printedReport(report: ConformanceReport): string {
  const table = new Table({
    head: ['#', 'Check', '', 'Detail'],
    colWidths: [4, WIDTH.check, 6, WIDTH.detail],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { number, title, outcome, detail = '' } of report.results)
    table.push([number, title, words[outcome], detail]);
  const open = report.unproved.map(({ cell, reason }) => `- ${cell}: ${reason}\n`).join('');
  const unproved = open === '' ? '' : `Claimed and not proven:\n${open}`;
  return `${report.name} ${report.version}, adapter contract ${report.contractVersion}: ${summary(report)}\n${table}\n${unproved}`;
}

function summary({ results }: ConformanceReport): string {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((each) => each.outcome === outcome).length;
  return `${count('pass')} passed, ${count('fail')} failed, ${count('skipped')} skipped`;
}

/** Several reports side by side, as Markdown. Figures are omitted because they depend on the machine. */
export function markdownReport(reports: readonly ConformanceReport[]): string {
  const [first] = reports;
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const head = ['#', 'Check', ...reports.map(({ name }) => name)];
  const lines = (first?.results ?? []).map(({ number, title }, place) =>
    row([number, title, ...reports.map(({ results }) => words[results[place]?.outcome ?? 'fail'])]),
  );
  const excused = reports.flatMap(({ name, results }) =>
    results
      .filter(({ outcome }) => outcome === 'skipped')
      .map(({ number, detail }) => `- ${name}, ${number}: ${detail}`),
  );
  const open = reports.flatMap(({ name, unproved }) =>
    unproved.map(({ cell, reason }) => `- ${name}, ${cell}: ${reason}`),
  );
  const table = [row(head), row(head.map(() => '---')), ...lines];
  return [...table, '', 'Skipped:', '', ...excused, '', 'Not proven:', '', ...open, ''].join('\n');
}
