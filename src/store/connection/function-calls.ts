import type { Pool, QueryConfig } from 'pg';
import { isRefusal, refusalError, translateRefusal } from './refusals.js';

/** Serialization failures and deadlocks: the transaction left nothing behind and may be run again. */
const AGAIN = new Set(['40001', '40P01']);
const TRIES = 4;

/** What the server is to keep of each statement: parsed and planned once per connection, not once per call. */
const names = new Map<string, string>();

/**
 * Runs one statement that calls a database function and resolves with its rows. `what` names the record in a refusal; `text` is
 * one of few, for each connection keeps it prepared.
 *
 * A call that lost to a parallel one is run again, a few times.
 */
export function callFunction<Row extends object>(
  pool: Pool,
  what: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return run(pool, what, { name: nameOf(text), text, values });
}

/** The same with a text that hardly comes again, such as one with the filters of an audience: nothing of it is kept. */
export function callAdHoc<Row extends object>(
  pool: Pool,
  what: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return run(pool, what, { text, values });
}

async function run<Row extends object>(pool: Pool, what: string, query: QueryConfig): Promise<Row[]> {
  const { rows } = await unlessLost(() => pool.query<Row>(query)).catch((error: unknown) =>
    translateRefusal(error, what),
  );
  return rows;
}

/** Does `work`, which is a transaction, again when it lost to a parallel one, a few times. */
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

/** Says which function it calls: once it is prepared, its name is all that is seen of it on the wire. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const [, called = 'statement'] = /\b(\w+)\(/.exec(text) ?? [];
  const name = `${called} ${names.size}`;
  names.set(text, name);
  return name;
}

/** Calls a change that takes one JSON object and answers `{"record": …}`. */
export async function change<Answer extends { readonly record: unknown }>(
  pool: Pool,
  what: string,
  name: string,
  input: object,
): Promise<Answer> {
  const rows = await callFunction<{ answer: Answer }>(pool, what, `SELECT ${name}($1) AS answer`, [
    JSON.stringify(input),
  ]);
  const answer = rows[0]?.answer;
  if (answer === undefined) throw new Error(`${name} answered no row.`);
  if (isRefusal(answer)) throw refusalError(answer, what);
  return answer;
}
