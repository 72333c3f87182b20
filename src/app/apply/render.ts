import type { Change, FieldChange } from './change.js';

const SIGNS = { create: '+', change: '~', remove: '-' } as const;
const MAX_CHARACTERS = 200;
/** Names come from users. Unprintable characters are replaced, because a terminal would interpret them. */
const UNPRINTABLE = /\p{C}/gu;

/** The text of a plan: one line for each record and field, then the totals. */
export function describePlan(changes: readonly Change[]): string {
  if (changes.length === 0) return 'Nothing to change: the database has what the file names.\n';
  const lines: string[] = [];
  let workspace: string | undefined;
  for (const change of changes) {
    if (change.workspace !== workspace) lines.push(`${printable(change.workspace)}:`);
    workspace = change.workspace;
    lines.push(`  ${SIGNS[change.action]} ${change.what} ${printable(change.name)}`);
    for (const field of change.fields) lines.push(`      ${describeField(field)}`);
  }
  const number = (action: Change['action']) => changes.filter((each) => each.action === action).length;
  const totals = `${number('create')} to create, ${number('change')} to change, ${number('remove')} to remove`;
  return `${lines.join('\n')}\n${totals}.\n`;
}

function describeField({ field, from, to, secret }: FieldChange): string {
  const name = printable(field);
  if (secret) return `${name}: (secret)`;
  return from === undefined ? `${name}: ${textOf(to)}` : `${name}: ${textOf(from)} → ${textOf(to)}`;
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'none';
  return printable(text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);
}

function printable(text: string): string {
  return text.replace(UNPRINTABLE, '?');
}
