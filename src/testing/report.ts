import Table from 'cli-table3';

export interface CheckResult {
  readonly number: number;
  readonly title: string;
  readonly outcome: 'pass' | 'fail' | 'not_applicable';
  /** Figures of a pass, what was violated, or why the check does not apply. */
  readonly detail?: string;
}

export interface ConformanceReport {
  readonly name: string;
  readonly version: string;
  readonly contractVersion: number;
  /** No check failed. */
  readonly passed: boolean;
  readonly results: readonly CheckResult[];
}

const words: Readonly<Record<CheckResult['outcome'], string>> = {
  pass: 'pass',
  fail: 'FAIL',
  not_applicable: 'n/a',
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
  return `${report.name} ${report.version}, adapter contract ${report.contractVersion}: ${summary(report)}\n${table}\n`;
}

export function summary({ results }: ConformanceReport): string {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((each) => each.outcome === outcome).length;
  return `${count('pass')} passed, ${count('fail')} failed, ${count('not_applicable')} not applicable`;
}

/** Several reports side by side, as Markdown; figures, which change with the machine, are left out. */
export function markdownReport(reports: readonly ConformanceReport[]): string {
  const [first] = reports;
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const head = ['#', 'Check', ...reports.map(({ name }) => name)];
  const lines = (first?.results ?? []).map(({ number, title }, place) =>
    row([number, title, ...reports.map(({ results }) => words[results[place]?.outcome ?? 'fail'])]),
  );
  const excused = reports.flatMap(({ name, results }) =>
    results
      .filter(({ outcome }) => outcome === 'not_applicable')
      .map(({ number, detail }) => `- ${name}, ${number}: ${detail}`),
  );
  return [row(head), row(head.map(() => '---')), ...lines, '', 'Not applicable:', '', ...excused, ''].join(
    '\n',
  );
}
