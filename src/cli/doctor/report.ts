import { styleText } from 'node:util';
import { version } from '../../app/version.js';
import { amount } from '../amount.js';
import type { Finding, Level } from './finding.js';

const SIGNS: Readonly<Record<Level, { sign: string; color: 'green' | 'yellow' | 'red' }>> = {
  ok: { sign: '✓', color: 'green' },
  warning: { sign: '!', color: 'yellow' },
  problem: { sign: '✗', color: 'red' },
};
const LEVELS: readonly Level[] = ['ok', 'warning', 'problem'];
const INDENT = ' '.repeat(11);

/** The worst level of all findings. */
function worst(findings: readonly Finding[]): Level {
  return LEVELS.findLast((level) => findings.some((finding) => finding.level === level)) ?? 'ok';
}

function counted(findings: readonly Finding[]): Record<Level, number> {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  return { ok: count('ok'), warning: count('warning'), problem: count('problem') };
}

/** The report for programs: one JSON object. */
export function asJson(findings: readonly Finding[]): string {
  const report = { status: worst(findings), version, counts: counted(findings), findings };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** The report for people: a list. The sign and the word of a line have the same meaning as its color. */
export function asList(findings: readonly Finding[], colored: boolean): string {
  const lines = findings.flatMap(({ level, check, found, fix }) => {
    const { sign, color } = SIGNS[level];
    const head = `${sign} ${level.padEnd(8)}`;
    const painted = colored ? styleText(color, head, { validateStream: false }) : head;
    const line = `${painted} ${check}: ${found}`;
    return fix === null ? [line] : [line, `${INDENT}Fix: ${fix}`];
  });
  const { ok, warning, problem } = counted(findings);
  const total = `${ok} ok, ${amount(warning, 'warning')}, ${amount(problem, 'problem')}.`;
  return [...lines, '', total, ''].join('\n');
}

/** Warnings do not change the exit code, because a trial on one machine has some. */
export function exitCodeOf(findings: readonly Finding[]): number {
  return worst(findings) === 'problem' ? 1 : 0;
}
