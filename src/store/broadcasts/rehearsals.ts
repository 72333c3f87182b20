import type { Pool, PoolClient } from 'pg';
import type { AudienceFilters, NewBroadcast } from '../../core/broadcasts/ports.js';
import type {
  RehearsalAudience,
  RehearsalStore,
  RehearsedRecipient,
} from '../../core/broadcasts/rehearsal/ports.js';
import { dryRunBroadcast, rehearsalRecipientsSql, rehearsalSetup } from '../calls.gen.js';
import { unlessLost } from '../connection/function-calls.js';
import { foundAudience } from './recipients.js';
import { inRolledBackTransaction } from './rolled-back-transaction.js';

/** Maximum number of recipients of a rehearsal that are in memory at once. */
const AT_ONCE = 2_000;

/** Rehearsals of broadcasts in PostgreSQL, in transactions that are rolled back. */
export class PostgresRehearsals implements RehearsalStore {
  constructor(private readonly pool: Pool) {}

  play(broadcast: NewBroadcast, filters: AudienceFilters, audience: RehearsalAudience): Promise<void> {
    // Steps that can lose to a concurrent transaction run before the audience is shown, so a retry shows nothing twice.
    return unlessLost(() =>
      inRolledBackTransaction(this.pool, async (client) => {
        const filtered = foundAudience(broadcast.workspace_id, filters);
        const found = await dryRunBroadcast(client, { input: broadcast, filtered }, 'The broadcast');
        const setup = await rehearsalSetup(client, broadcast.id);
        await audience.begin(found, setup);
        await showRecipients(client, broadcast.id, setup.is_local, audience);
      }),
    );
  }
}

async function showRecipients(client: PoolClient, id: string, isLocal: boolean, audience: RehearsalAudience) {
  await client.query(
    `DECLARE pending NO SCROLL CURSOR FOR SELECT id FROM broadcast_recipients
     WHERE broadcast_id = $1 AND status = 'pending' ORDER BY ${isLocal ? 'due_at, ' : ''}created_at, id`,
    [id],
  );
  for (;;) {
    const { rows } = await client.query<{ id: string }>(`FETCH ${AT_ONCE} FROM pending`);
    if (rows.length === 0) return;
    const recipients = await client.query<RehearsedRecipient>(
      `SELECT * FROM ${rehearsalRecipientsSql('$1', '$2')}`,
      [id, rows.map((row) => row.id)],
    );
    if (!(await audience.see(recipients.rows))) return;
  }
}
