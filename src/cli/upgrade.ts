import { existsSync } from 'node:fs';
import { newestBackup } from '../app/backup/newest-backup.js';
import {
  type RehearsalReport,
  type RehearsalStep,
  rehearsalSteps,
  rehearse,
} from '../app/backup/rehearse.js';
import type { Config } from '../config.js';
import { amount } from './amount.js';
import { UsageError } from './usage-error.js';

export interface RehearseOptions {
  readonly embedded: boolean;
  readonly json: boolean;
}

const MEGABYTE = 1_000_000;
const MILLISECONDS = 1_000;
/** Maximum number of changed tables and migrations in the text. The JSON has all of them. */
const MAX_NAMED = 50;

const descriptions: Readonly<Record<RehearsalStep, string>> = {
  check: 'Check the backup and the master key',
  create: 'Create a temporary database',
  restore: 'Restore the backup into it',
  migrate: 'Migrate it to this version',
  verify: 'Count the rows, check constraints and indexes',
};

/** Rehearses the upgrade to this version with a backup, and prints a report. Exit code 1 when the upgrade would fail. */
export async function rehearseCommand(
  config: Config,
  path: string,
  { embedded, json }: RehearseOptions,
): Promise<number> {
  if (!existsSync(path)) throw new UsageError(`There is no file or folder ${path}.`);
  const file = await newestBackup(path);
  const write = (line: string) => process.stderr.write(line);
  write(`Rehearsal with ${file}\n`);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('The rehearsal was interrupted.'));
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const report = await rehearse({
      config,
      path: file,
      embedded,
      write,
      onStep: (step) =>
        write(`[${rehearsalSteps.indexOf(step) + 1}/${rehearsalSteps.length}] ${descriptions[step]}\n`),
      signal: interruption.signal,
    });
    process.stdout.write(json ? `${JSON.stringify(report)}\n` : textOf(report));
    return report.result === 'passed' ? 0 : 1;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

function textOf(report: RehearsalReport): string {
  const { backup, release, restored, changed, migrations, rows } = report;
  const lines: [string, string][] = [];
  if (backup !== null) {
    lines.push(
      ['Backup', `${backup.file}, ${(backup.bytes / MEGABYTE).toFixed(1)} MB, snapshot of ${backup.at}`],
      ['From', `Trunkline ${backup.release}, schema ${backup.schema}`],
    );
  }
  lines.push(['To', `Trunkline ${release}`]);
  if (report.place !== null) lines.push(['Database', placeOf(report)]);
  for (const { step, ms } of report.steps) lines.push([titled(step), secondsOf(ms)]);
  if (restored !== null)
    lines.push([
      'Restored',
      `${amount(restored.rows, 'row')} of ${amount(restored.tables, 'table')}; the backup has ${amount(restored.files, 'file')}`,
    ]);
  for (const { name, ms } of migrations.slice(0, MAX_NAMED))
    lines.push(['Migration', `${name}, ${secondsOf(ms)}`]);
  if (migrations.length === 0 && rows !== null) lines.push(['Migration', 'none is needed']);
  if (rows !== null) lines.push(['Counted', `${amount(rows, 'row')} after the migrations`]);
  for (const { table, before, after } of changed.slice(0, MAX_NAMED))
    lines.push(['Changed', `${table}: ${amount(before, 'row')} before, ${after ?? 'no table'} after`]);
  const width = Math.max(...lines.map(([name]) => name.length));
  return `${lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')}\n\n${endOf(report)}`;
}

function placeOf({ place, server }: RehearsalReport): string {
  const where = place === 'server' ? 'on the server of DATABASE_URL' : 'an embedded server';
  return `temporary, ${where}, PostgreSQL ${server ?? 'of unknown version'}`;
}

function endOf({ result, error, steps, changed, release }: RehearsalReport): string {
  const removed = 'The temporary database is removed. The live database was not changed.\n';
  if (result === 'failed')
    return (
      `FAILED at the step "${error?.step}": ${error?.message}\n${removed}` +
      'Do not upgrade. Keep the running version, and report this output.\n'
    );
  const total = steps.reduce((sum, { ms }) => sum + ms, 0);
  const hint = changed.length === 0 ? '' : 'Compare the changed tables with the changelog.\n';
  return (
    `PASSED in ${secondsOf(total)}. ${removed}${hint}` +
    `Next: make a new backup with "trunkline backup", then start Trunkline ${release}. See docs/upgrading.md.\n`
  );
}

function titled(step: string): string {
  return step.charAt(0).toUpperCase() + step.slice(1);
}

function secondsOf(ms: number): string {
  return `${(ms / MILLISECONDS).toFixed(2)} s`;
}
