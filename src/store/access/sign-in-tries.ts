import type { Pool } from 'pg';
import type { SignInTries, SignInTry } from '../../core/sessions/ports.js';
import type { CodeTries } from '../../core/sessions/second-step-store.js';
import { releaseSignInAttempt, reserveSignInAttemptSql } from '../calls.gen.js';

const TRIES = 10;
/** A code has six digits, and three codes are valid at a time. */
const CODE_TRIES = 5;
export const triesSpan = '15 minutes';

// PostgreSQL lower-cases the address, as in the lookup of the account. JavaScript lower-cases İ differently, so each spelling of
// an address would have its own tries.
const TAKE = `
  SELECT a.account, ${reserveSignInAttemptSql('a.account', '$2', '$3', '$4')} AS answer
  FROM (SELECT sha256(convert_to(lower($1), 'UTF8')) AS account OFFSET 0) a`;

interface Taken {
  readonly account: Buffer;
  readonly answer: { readonly taken?: string; readonly free_at?: number };
}

/** For the second step, where the client already knows the password of the account. */
const TAKE_CODE = `
  SELECT a.account, ${reserveSignInAttemptSql('a.account', '$2', '$3', '$4')} AS answer
  FROM (SELECT sha256(convert_to('second step ' || $1, 'UTF8')) AS account OFFSET 0) a`;
/** Tries of codes count per user, for all addresses together. */
const ANYWHERE = '';

/** Failed sign-ins and wrong codes in PostgreSQL. */
export class PostgresSignInTries implements SignInTries, CodeTries {
  constructor(private readonly pool: Pool) {}

  take(email: string, address: string): Promise<SignInTry> {
    return this.ask(TAKE, email, address, TRIES);
  }

  takeCode(userId: string): Promise<SignInTry> {
    return this.ask(TAKE_CODE, userId, ANYWHERE, CODE_TRIES);
  }

  private async ask(text: string, who: string, address: string, limit: number): Promise<SignInTry> {
    const { rows } = await this.pool.query<Taken>(text, [who, address, limit, triesSpan]);
    const [row] = rows;
    if (row === undefined) throw new Error('No try was taken or refused.');
    const { taken, free_at: freeAt = 0 } = row.answer;
    if (taken === undefined) return { kind: 'refused', limit, freeAt };
    const release = () =>
      releaseSignInAttempt(this.pool, { accountHash: row.account, ipAddress: address, taken });
    return { kind: 'taken', release };
  }
}
