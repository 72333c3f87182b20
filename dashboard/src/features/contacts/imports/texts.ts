import type { ContactImport, ImportRow, RowProblem } from '../../../api/import-paths';
import { isOwnField } from './mapping';
import { messages as t } from './messages';
import { problems as p } from './problem-messages';

const CODES = [
  'cell_count',
  'invalid_format',
  'too_long',
  'too_short',
  'required',
  'not_consent',
  'unknown_platform',
  'consent_kept',
  'several_contacts',
  'already_exists',
  'not_a_contact',
  'limit_reached',
] as const;
const REASONS = ['changed', 'conversation', 'location', 'broadcast', 'segment', 'gone'] as const;

const isOne = <Value extends string>(values: readonly Value[], text: string): text is Value =>
  (values as readonly string[]).includes(text);

export function fieldName(field: string): string {
  if (isOwnField(field)) return t(field);
  const [kind, name] = [field.slice(0, field.indexOf('.')), field.slice(field.indexOf('.') + 1)];
  if (kind === 'address') return t('address', { platform: name });
  return kind === 'metadata' ? t('metadata', { name }) : field;
}

/** The problem of a row and its field. */
export function problemText({ field, code }: RowProblem): string {
  const what = p(isOne(CODES, code) ? code : 'other');
  return field === undefined || code === 'required' ? what : `${fieldName(field)}: ${what}`;
}

/** The result of a row in the undo. */
export function undoText({ undo, kept_reason: reason }: ImportRow): string | undefined {
  if (undo === 'removed') return t('removed');
  if (undo === null) return undefined;
  return reason !== null && isOne(REASONS, reason) ? p(`kept_${reason}`) : t('kept');
}

export const TONES: Readonly<Record<ContactImport['status'], 'neutral' | 'info' | 'success' | 'warning'>> = {
  uploaded: 'neutral',
  running: 'info',
  completed: 'success',
  undoing: 'info',
  undone: 'warning',
};
