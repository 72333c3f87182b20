import type { Pool, PoolClient } from 'pg';
import {
  type Claim,
  type ClaimKey,
  ClaimLost,
  type ClaimOutcome,
  type IdempotencyStore,
  type IdempotentRequest,
  type StoredAnswer,
} from '../../core/common/idempotency.js';
import { newId } from '../../core/common/new-id.js';
import type { SecretBox } from '../../core/common/secret-box.js';
import { hasProcessEndedSql, requireLiveMasterKeySql } from '../calls.gen.js';
import type { ProcessLiveness } from '../connection/process-liveness.js';
import { SealedAnswers, sealedFields } from './sealed-answers.js';

const KEPT = `interval '24 hours'`;
const CLAIMED = `interval '60 seconds'`;
/** Maximum number of attempts. A key can be released between the failed claim and the read, and then it is claimed again. */
const TRIES = 5;

// A claim is taken over when its process died and the request is the same. It keeps the resource id, so that a record that was
// stored is found. After a day, the row counts as new. The commit does not wait for the disk: the commit of the effect follows in
// the log, so a crash that loses the claim has also lost the effect.
const CLAIM = `
  WITH quickly AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO idempotency_keys AS k
    (credential_id, method, path, key, fingerprint, resource_id, claimed_until, expires_at, holder)
  SELECT $1, $2, $3, $4, $5, $6, now() + ${CLAIMED}, now() + ${KEPT}, $7 FROM quickly
  ON CONFLICT (credential_id, method, path, key) DO UPDATE SET
    fingerprint = excluded.fingerprint,
    resource_id = CASE WHEN k.expires_at <= now() THEN excluded.resource_id ELSE k.resource_id END,
    expires_at = CASE WHEN k.expires_at <= now() THEN excluded.expires_at ELSE k.expires_at END,
    status = NULL, body = NULL, claimed_until = excluded.claimed_until, holder = excluded.holder
  WHERE k.expires_at <= now()
    OR (k.status IS NULL AND k.fingerprint = excluded.fingerprint AND (k.claimed_until <= now() OR ${hasProcessEndedSql('k.holder')}))
  RETURNING resource_id`;

const MINE = 'credential_id = $1 AND method = $2 AND path = $3 AND key = $4';
const FIND = `SELECT fingerprint, resource_id, status, body FROM idempotency_keys WHERE ${MINE}`;
const EXTEND = `UPDATE idempotency_keys SET claimed_until = now() + ${CLAIMED} WHERE ${MINE} AND status IS NULL`;
const COMPLETE = `UPDATE idempotency_keys SET status = $5, body = $6 WHERE ${MINE} AND status IS NULL`;
// Fails for a value that was sealed before a rotation of the master key and would be stored after it.
const COMPLETE_SEALED = `
  WITH live AS MATERIALIZED (SELECT ${requireLiveMasterKeySql('$7::bytea[]')})
  UPDATE idempotency_keys SET status = $5, body = $6 FROM live WHERE ${MINE} AND status IS NULL`;
// Rounded down: the column has milliseconds, and a time that is rounded up would keep the claim for a moment longer.
const LAPSE = `UPDATE idempotency_keys SET claimed_until = date_trunc('milliseconds', now()) WHERE ${MINE} AND status IS NULL`;
const RELEASE = `DELETE FROM idempotency_keys WHERE ${MINE} AND status IS NULL`;

interface Row {
  readonly fingerprint: Buffer;
  readonly resource_id: string;
  readonly status: number | null;
  readonly body: unknown;
}

/** Idempotency keys in PostgreSQL. */
export class PostgresIdempotency implements IdempotencyStore {
  private readonly answers: SealedAnswers;

  constructor(
    private readonly pool: Pool,
    secrets: SecretBox,
    private readonly liveness: ProcessLiveness,
  ) {
    this.answers = new SealedAnswers(secrets);
  }

  async claim(request: IdempotentRequest): Promise<ClaimOutcome> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const outcome = (await this.tryClaim(request)) ?? (await this.find(request));
      if (outcome !== undefined) return outcome;
    }
    return { kind: 'running' };
  }

  async extend(claim: Claim): Promise<void> {
    await this.pool.query(EXTEND, nameOf(claim.request));
  }

  async complete(claim: Claim, answer: StoredAnswer): Promise<boolean> {
    const body = await this.answers.seal(claim.resourceId, answer.body);
    const { values, ...statement } = completion(nameOf(claim.request), { status: answer.status, body });
    const sealed = sealedFields(claim.resourceId, body).map((field) => field.sealed);
    const query = sealed.length === 0 ? { ...statement, values } : sealing(values, sealed);
    return (await this.pool.query(query)).rowCount === 1;
  }

  async release(claim: Claim): Promise<boolean> {
    return (await this.pool.query(RELEASE, nameOf(claim.request))).rowCount === 1;
  }

  async lapse(claim: Claim): Promise<void> {
    await this.pool.query(LAPSE, nameOf(claim.request));
  }

  /** Deletes keys that are a day old. */
  async forgetExpired(): Promise<void> {
    await this.pool.query('DELETE FROM idempotency_keys WHERE expires_at <= now()');
  }

  private async tryClaim(request: IdempotentRequest): Promise<ClaimOutcome | undefined> {
    const { rows } = await this.pool.query<{ resource_id: string }>({
      name: 'idempotency_keys.claim',
      text: CLAIM,
      values: [...nameOf(request), request.fingerprint, newId(), this.liveness.number],
    });
    const row = rows[0];
    if (row === undefined) return undefined;
    const { credentialId, method, path, key } = request;
    const name = { credential_id: credentialId, method, path, key };
    return { kind: 'claimed', claim: { name, request, resourceId: row.resource_id } };
  }

  private async find(request: IdempotentRequest): Promise<ClaimOutcome | undefined> {
    const { rows } = await this.pool.query<Row>(FIND, nameOf(request));
    const row = rows[0];
    if (row === undefined) return undefined;
    if (!row.fingerprint.equals(request.fingerprint)) return { kind: 'reused' };
    if (row.status === null) return { kind: 'running' };
    const body = await this.answers.open(row.resource_id, row.body);
    return { kind: 'finished', answer: { status: row.status, body } };
  }
}

/**
 * Stores the response in the transaction of its effect.
 *
 * Throws ClaimLost when another process has already responded. The transaction must then be rolled back.
 */
export async function completeIn(client: PoolClient, claim: ClaimKey, answer: StoredAnswer): Promise<void> {
  const { credential_id, method, path, key } = claim;
  const { rowCount } = await client.query(completion([credential_id, method, path, key], answer));
  if (rowCount !== 1) throw new ClaimLost();
}

function completion(name: readonly string[], { status, body }: StoredAnswer) {
  return {
    name: 'idempotency_keys.complete',
    text: COMPLETE,
    values: [...name, status, JSON.stringify(body)],
  };
}

function sealing(values: readonly unknown[], sealed: readonly Buffer[]) {
  return { text: COMPLETE_SEALED, values: [...values, sealed] };
}

function nameOf({ credentialId, method, path, key }: IdempotentRequest): string[] {
  return [credentialId, method, path, key];
}
