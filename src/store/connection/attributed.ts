import type { Pool, PoolClient } from 'pg';
import { currentActor } from '../../core/access/acting.js';
import { currentReader } from '../../core/access/reading.js';
import { inTransaction } from './transaction.js';

type Query = (...args: unknown[]) => Promise<unknown>;

/**
 * Makes each statement of this pool that runs for an actor or a restricted member a transaction that knows them. What runs for
 * none, which is nearly everything, goes its ordinary way.
 */
export function attributeStatements(pool: Pool): Pool {
  const direct = pool.query.bind(pool) as Query;
  const queryOf = (client: PoolClient) => client.query.bind(client) as Query;
  const query: Query = (...args) =>
    currentActor() === undefined && currentReader() === undefined
      ? direct(...args)
      : inTransaction(pool, (client) => queryOf(client)(...args));
  return Object.assign(pool, { query });
}
