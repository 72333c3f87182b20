import type { Pool, QueryConfig, QueryResult } from 'pg';
import { type Fragment, Parameters } from '../listing/filter.js';
import { isRefusal, type Refusal, refusalError, translateLostClaim, translateRefusal } from './refusals.js';

/**
 * Runs a call: the pool, a connection within a transaction, or a reader. On the pool, a call that lost to a concurrent
 * transaction is retried a few times.
 */
export interface Caller {
  query(query: QueryConfig): Promise<QueryResult>;
}

/** Serialization failures and deadlocks. The transaction was rolled back and may be retried. */
const AGAIN = new Set(['40001', '40P01']);
const TRIES = 4;

let inspect: ((name: string, result: unknown) => void) | undefined;

/**
 * Passes every result to `by`. Tests compare results with the schema in the header of the function. The service does not use it.
 */
export function inspectResults(by: typeof inspect): void {
  inspect = by;
}

/** The value of a JSON argument; null is the NULL of SQL. */
export function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** Runs the one statement of a function. Each connection keeps it prepared, under the name of the function. */
export async function callVoid(db: Caller, name: string, text: string, values: unknown[]): Promise<void> {
  await run(db, { name, text, values });
}

/** Resolves with the one value that a function returns. */
export async function callValue<T>(db: Caller, name: string, text: string, values: unknown[]): Promise<T> {
  return resultOf(name, await run<{ result: T }>(db, { name, text, values }));
}

/** The same for a function that may refuse, by its result or by raising an error. `what` names the record in the message. */
export async function callAnswer<T>(
  db: Caller,
  name: string,
  text: string,
  values: unknown[],
  what: string,
): Promise<T> {
  return answer(db, { name, text, values }, name, what);
}

/** The same for arguments that are pieces of SQL. Its text rarely repeats, so it is not kept prepared. */
export async function callAnswerAdHoc<T>(
  db: Caller,
  name: string,
  text: string,
  values: unknown[],
  what: string,
): Promise<T> {
  return answer(db, spliced(text, values), name, what);
}

export async function callValueAdHoc<T>(
  db: Caller,
  name: string,
  text: string,
  values: unknown[],
): Promise<T> {
  return resultOf(name, await run<{ result: T }>(db, spliced(text, values)));
}

/** Resolves with the values of a function that returns a set of them. */
export async function callColumn<T>(db: Caller, name: string, text: string, values: unknown[]): Promise<T[]> {
  const rows = await run<{ result: T }>(db, { name, text, values });
  return shown(
    name,
    rows.map(({ result }) => result),
  );
}

/** Resolves with the one row that a function returns. */
export async function callRow<T>(db: Caller, name: string, text: string, values: unknown[]): Promise<T> {
  return shown(name, only(name, await run<T>(db, { name, text, values })));
}

/** Resolves with the rows of a function that returns a set of them. */
export async function callRows<T>(db: Caller, name: string, text: string, values: unknown[]): Promise<T[]> {
  return shown(name, await run<T>(db, { name, text, values }));
}

/** Runs `work`, which is a transaction, and retries it a few times when it lost to a concurrent transaction. */
export async function unlessLost<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const lost = AGAIN.has((error as { code?: string }).code ?? '');
      if (!lost || tries === TRIES) throw error;
    }
  }
}

async function answer<T>(db: Caller, query: QueryConfig, name: string, what: string): Promise<T> {
  const rows = await run<{ result: T | Refusal }>(db, query).catch((error: unknown) =>
    translateRefusal(error, what),
  );
  const result = resultOf(name, rows);
  if (isRefusal(result)) throw refusalError(result, what);
  return result;
}

async function run<Row>(db: Caller, query: QueryConfig): Promise<Row[]> {
  const once = () => db.query(query);
  const { rows } = await (isPool(db) ? unlessLost(once) : once()).catch(translateLostClaim);
  return rows as Row[];
}

/** Only a call that is its own transaction can be retried. */
function isPool(db: Caller): db is Pool {
  return 'totalCount' in db;
}

function resultOf<T>(name: string, rows: { result: T }[]): T {
  return shown(name, only(name, rows).result);
}

function shown<T>(name: string, result: T): T {
  inspect?.(name, result);
  return result;
}

function only<Row>(name: string, rows: Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error(`${name} answered no row.`);
  return row;
}

/** The statement with the pieces of SQL inserted. */
function spliced(text: string, values: readonly unknown[]): QueryConfig {
  const parameters = new Parameters();
  const places = values.map((value) => (isFragment(value) ? parameters.add(value) : parameters.value(value)));
  const whole = text.replace(/\$(\d+)/g, (_, number) => places[Number(number) - 1] ?? 'NULL');
  return { text: whole, values: parameters.values };
}

function isFragment(value: unknown): value is Fragment {
  return typeof value === 'object' && value !== null && 'sql' in value;
}
