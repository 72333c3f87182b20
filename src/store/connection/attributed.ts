import type { Pool, PoolClient } from 'pg';
import { currentActor } from '../../core/access/acting.js';
import { currentReader } from '../../core/access/reading.js';
import { inTransaction } from './transaction.js';

type Query = (...args: unknown[]) => Promise<unknown>;

/**
 * Runs each statement for an actor or a restricted member in a transaction that carries their identity. All other statements,
 * which are nearly all, run directly on the pool.
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
