import type { Pool } from 'pg';
import type { MediaKey } from '../../core/media/token.js';
import { sessionIdle } from '../access/sessions.js';
import { triesSpan } from '../access/sign-in-tries.js';
import {
  endExpiredPauses,
  purgeExpired,
  purgeHistory,
  purgeSignIns,
  sweepSnoozes,
  wakePendingEnvelopes,
  wakeReactions,
} from '../calls.gen.js';
import { purgeInBatches } from '../connection/batches.js';

/** How long work has waited, for the status of the service. */
export interface Backlog {
  /** Seconds since the oldest due reminder was written; 0 when there is none. */
  readonly queueSeconds: number;
  /**
   * The same for deliveries to endpoints that would accept them: healthy, without a rate limit, and with fewer than ten leased
   * deliveries.
   */
  readonly webhookSeconds: number;
  /**
   * The same for messages of live traffic that could be sent: their connection is up, their chat accepts messages, and no message
   * is before them in their lane.
   */
  readonly deliverySeconds: number;
}

/** Number of enabled connections by platform and status. */
export interface ConnectionCount {
  readonly platform: string;
  readonly status: string;
  readonly count: number;
}

// Only the first thousand deliveries of each connection are read, because later ones are younger. One chat that must wait may
// hold hundreds.
const BACKLOG = `
  SELECT
    extract(epoch FROM now() - (SELECT created_at FROM outbox WHERE run_at IS NULL ORDER BY id LIMIT 1))::int AS queue,
    extract(epoch FROM now() - (
      SELECT min(d.next_attempt_at) FROM webhooks w CROSS JOIN LATERAL (
        SELECT next_attempt_at FROM webhook_deliveries WHERE webhook_id = w.id AND status = 'pending'
          AND next_attempt_at < now() AND (leased_until IS NULL OR leased_until < now())
        ORDER BY next_attempt_at LIMIT 1
      ) d
      WHERE w.status = 'enabled' AND w.deleted_at IS NULL AND w.failing_since IS NULL AND w.rate_limit IS NULL AND (
        SELECT count(*) FROM webhook_deliveries l
        WHERE l.webhook_id = w.id AND l.status = 'pending' AND l.leased_until > now()) < 10))::int AS webhooks,
    extract(epoch FROM now() - (
      SELECT min(greatest(d.created_at, d.next_attempt_at, l.held_until, c.paused_until)) FROM connections c CROSS JOIN LATERAL (
        SELECT * FROM deliveries WHERE connection_id = c.id AND duty = 'send' AND priority = 0 ORDER BY position LIMIT 1000
      ) d JOIN links l ON l.id = d.link_id
      WHERE c.enabled AND c.status = 'connected' AND c.deleted_at IS NULL
        AND (c.paused_until IS NULL OR c.paused_until <= now()) AND d.status = 'queued'
        AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now()) AND (l.held_until IS NULL OR l.held_until <= now())
        AND NOT EXISTS (SELECT FROM deliveries h WHERE h.connection_id = d.connection_id AND h.lane = d.link_id AND h.position < d.position)))::int AS deliveries`;

const CONNECTIONS = `
  SELECT platform, status, count(*)::int FROM connections WHERE enabled AND deleted_at IS NULL GROUP BY platform, status`;

/** Maintenance of the database that belongs to no area. */
export class Housekeeping {
  constructor(private readonly pool: Pool) {}

  /** Raises when the database does not answer. */
  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  /** Raises when the database does not answer, or is read-only. */
  async pingForWrites(): Promise<void> {
    const { rows } = await this.pool.query<{ is_read_only: boolean }>(
      "SELECT current_setting('transaction_read_only')::boolean AS is_read_only",
    );
    if (rows[0]?.is_read_only) throw new Error('The database is read-only.');
  }

  async backlog(): Promise<Backlog> {
    const { rows } =
      await this.pool.query<Record<'queue' | 'webhooks' | 'deliveries', number | null>>(BACKLOG);
    const [ages] = rows;
    return {
      queueSeconds: ages?.queue ?? 0,
      webhookSeconds: ages?.webhooks ?? 0,
      deliverySeconds: ages?.deliveries ?? 0,
    };
  }

  async connections(): Promise<readonly ConnectionCount[]> {
    return (await this.pool.query<ConnectionCount>(CONNECTIONS)).rows;
  }

  /**
   * Stores the values that the database renders records with: the origin of absolute URLs, and the key that signs media links.
   */
  async publish(url: string, key: MediaKey): Promise<void> {
    await this.pool.query(
      `WITH signing AS (
         UPDATE media_signing SET key_inner = $2, key_outer = $3
         WHERE (key_inner, key_outer) IS DISTINCT FROM ($2::bytea, $3::bytea)
       )
       UPDATE installation SET public_url = $1 WHERE public_url IS DISTINCT FROM $1`,
      [url, key.inner, key.outer],
    );
  }

  /** Stores the platforms on which an address is a phone number. */
  async declarePhonePlatforms(platforms: readonly string[]): Promise<void> {
    await this.pool.query('UPDATE installation SET phone_platforms = $1 WHERE phone_platforms <> $1', [
      platforms,
    ]);
  }

  /** Writes reminders for envelopes whose reminder was lost. */
  wakeEnvelopes(): Promise<void> {
    return wakePendingEnvelopes(this.pool);
  }

  /** Writes reminders for reactions that platforms do not show as they should. */
  wakeReactions(): Promise<void> {
    return wakeReactions(this.pool);
  }

  /** Marks connections as connected when the wait for their platform is over. */
  endExpiredPauses(): Promise<void> {
    return endExpiredPauses(this.pool);
  }

  /** Opens snoozed conversations whose reminder was lost. */
  endSnoozes(): Promise<void> {
    return sweepSnoozes(this.pool);
  }

  /** Removes short-lived rows that are no longer needed, and history that is too old. */
  async purge(): Promise<void> {
    await purgeInBatches((batch) => purgeExpired(this.pool, batch));
    await purgeSignIns(this.pool, { idle: sessionIdle, span: triesSpan });
    await purgeInBatches((batchSize) => purgeHistory(this.pool, batchSize));
  }
}
