import { bareCell } from '../csv/cells.js';
import { csvProblem } from '../csv/csv-problem.js';
import { metadata } from '../schema/scalars.js';

const OWN_COLUMNS = ['user_id', 'platform', 'address', 'display_name', 'locale', 'timezone'] as const;
type OwnColumn = (typeof OWN_COLUMNS)[number];

/** Indexes of the columns of a list. −1: the list has no such column. */
export interface Columns {
  readonly own: Readonly<Record<OwnColumn, number>>;
  readonly variables: readonly { readonly name: string; readonly at: number }[];
  /** Columns without a name. Their cells must be empty. */
  readonly unnamed: readonly number[];
  readonly count: number;
}

/** Raises `invalid_request`. */
export function readHeader(header: readonly string[]): Columns {
  const names = header.map(bareCell);
  const own = Object.fromEntries(OWN_COLUMNS.map((name) => [name, names.indexOf(name)])) as Columns['own'];
  const byUser = own.user_id !== -1 && own.platform === -1 && own.address === -1;
  const byAddress = own.user_id === -1 && own.platform !== -1 && own.address !== -1;
  if (!byUser && !byAddress) {
    throw csvProblem(
      'invalid_value',
      'Line 1: expected the column user_id, or the columns platform and address.',
    );
  }
  const columns = names.map((name, at) => ({ name, at }));
  const named = columns.filter(({ name }) => name !== '');
  if (new Set(named.map(({ name }) => name)).size < named.length) {
    throw csvProblem('duplicate', 'Line 1: expected each column once.');
  }
  const variables = named.filter(({ at }) => !Object.values(own).includes(at));
  const checked = metadata.safeParse(Object.fromEntries(variables.map(({ name }) => [name, ''])));
  if (!checked.success) {
    throw csvProblem(
      'invalid_value',
      'Line 1: expected at most 50 variables with names of 1 to 40 characters.',
    );
  }
  const unnamed = columns.filter(({ name }) => name === '').map(({ at }) => at);
  return { own, variables, unnamed, count: names.length };
}
