import type { Pool } from 'pg';
import type { SecretBox, SecretLocation } from '../../core/common/secret-box.js';
import type { Account } from '../../core/sessions/ports.js';
import type { SecondStepRecord } from '../../core/sessions/second-step-record.js';
import type { Proof, SecondStepStore, StoredSecret } from '../../core/sessions/second-step-store.js';
import {
  acceptSecondStep,
  disableSecondStep,
  enableSecondStep,
  renewRecoveryCodes,
  resetSecondStep,
  startSecondStep,
  wireTimeSql,
} from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

const DESCRIBE = `
  SELECT s.user_id IS NOT NULL AS enabled, ${wireTimeSql('s.enabled_at')} AS enabled_at,
    (SELECT count(*)::int FROM recovery_codes c WHERE c.user_id = u.id) AS recovery_codes_left
  FROM users u LEFT JOIN second_steps s ON s.user_id = u.id AND s.enabled_at IS NOT NULL 
  WHERE u.id = $1 AND u.kind = 'member'`;

const SECRET = 'SELECT workspace_id, secret FROM second_steps WHERE user_id = $1';
const ENABLED = `${SECRET} AND enabled_at IS NOT NULL`;
const PENDING = `${SECRET} AND enabled_at IS NULL AND begun_at > now() - interval '15 minutes'`;

/** The second step of the sign-in in PostgreSQL. */
export class PostgresSecondSteps implements SecondStepStore {
  constructor(
    private readonly pool: Pool,
    private readonly secrets: SecretBox,
  ) {}

  async describe(workspaceId: string, userId: string): Promise<SecondStepRecord | undefined> {
    const { rows } = await readIn<SecondStepRecord>(this.pool, workspaceId, {
      text: DESCRIBE,
      values: [userId],
    });
    return rows[0];
  }

  async begin(workspaceId: string, { userId, passwordHash }: Account, secret: string): Promise<boolean> {
    const sealer = await this.secrets.sealer(workspaceId);
    const sealed = sealer.seal(secret, place(workspaceId, userId));
    return startSecondStep(this.pool, { person: userId, proven: passwordHash, sealed });
  }

  pendingSecret(userId: string): Promise<StoredSecret | undefined> {
    return this.read(PENDING, userId);
  }

  secret(userId: string): Promise<StoredSecret | undefined> {
    return this.read(ENABLED, userId);
  }

  enable(userId: string, sealed: Buffer, step: number, codes: Buffer[]): Promise<boolean> {
    return enableSecondStep(this.pool, { person: userId, sealed, step, codes });
  }

  accept(userId: string, proof: Proof): Promise<boolean> {
    return acceptSecondStep(this.pool, { person: userId, ...columns(proof) });
  }

  renewCodes({ userId, passwordHash }: Account, proof: Proof, codes: Buffer[]): Promise<boolean> {
    const proven = { person: userId, proven: passwordHash, ...columns(proof) };
    return renewRecoveryCodes(this.pool, { ...proven, codes });
  }

  disable({ userId, passwordHash }: Account, proof: Proof): Promise<boolean> {
    return disableSecondStep(this.pool, { person: userId, proven: passwordHash, ...columns(proof) });
  }

  async reset(workspaceId: string, userId: string): Promise<void> {
    await resetSecondStep(this.pool, { workspace_id: workspaceId, id: userId }, 'The member');
  }

  private async read(text: string, userId: string): Promise<StoredSecret | undefined> {
    const { rows } = await this.pool.query<{ workspace_id: string; secret: Buffer }>(text, [userId]);
    const [row] = rows;
    if (row === undefined) return undefined;
    const secret = await this.secrets.open(row.secret, place(row.workspace_id, userId));
    return { secret, sealed: row.secret };
  }
}

function columns({ step, recoveryHash }: Proof): { step: number | null; code: Buffer | null } {
  return { step: step ?? null, code: recoveryHash ?? null };
}

function place(workspaceId: string, userId: string): SecretLocation {
  return { workspaceId, rowId: userId, field: 'second_steps.secret' };
}
