import type { Pool } from 'pg';
import type { MediaKey } from '../../core/media/token.js';
import { sessionIdle } from '../access/sessions.js';
import { triesSpan } from '../access/sign-in-tries.js';
import {
  endPauses,
  purgeExpired,
  purgeHistory,
  purgeSignIns,
  sweepSnoozes,
  wakePendingEnvelopes,
  wakeReactions,
} from '../calls.gen.js';
import { purgeInBatches } from '../connection/batches.js';

/** How long work has waited, for the service's status. */
export interface Backlog {
  /** Seconds since the oldest reminder that is due was written; 0 when there is none. */
  readonly queueSeconds: number;
  /** Of deliveries to endpoints that would take them: healthy, without a rate limit, and less than ten of them out. */
  readonly webhookSeconds: number;
  /** Of messages of live traffic that could be sent: their connection is up, their chat takes some and nothing is in their lane before them. */
  readonly deliverySeconds: number;
}

/** Connections that are switched on. */
export interface ConnectionCount {
  readonly platform: string;
  readonly status: string;
  readonly count: number;
}

// Of each connection the first thousand are looked at: what is behind them is younger. One chat that has to wait may hold hundreds.
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

/** Upkeep of the database that belongs to no area. */
export class Housekeeping {
  constructor(private readonly pool: Pool) {}

  /** Raises when the database does not answer. */
  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
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

  /** Tells the database what records are rendered with: the origin of absolute URLs, and the key that signs media links. */
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

  /** Tells the database on which platforms an address is a phone number. */
  async declarePhonePlatforms(platforms: readonly string[]): Promise<void> {
    await this.pool.query('UPDATE installation SET phone_platforms = $1 WHERE phone_platforms <> $1', [
      platforms,
    ]);
  }

  /** Reminds of envelopes whose reminder was lost. */
  wakeEnvelopes(): Promise<void> {
    return wakePendingEnvelopes(this.pool);
  }

  /** Reminds of reactions that platforms do not show as they should. */
  wakeReactions(): Promise<void> {
    return wakeReactions(this.pool);
  }

  /** Shows connections whose wait for their platform is over as connected. */
  endPauses(): Promise<void> {
    return endPauses(this.pool);
  }

  /** Opens snoozed conversations whose reminder was lost. */
  endSnoozes(): Promise<void> {
    return sweepSnoozes(this.pool);
  }

  /** Removes short-lived rows that are no longer needed, and history that is too old. */
  async purge(): Promise<void> {
    await purgeInBatches((batch) => purgeExpired(this.pool, batch));
    await purgeSignIns(this.pool, { idle: sessionIdle, span: triesSpan });
    await purgeInBatches((most) => purgeHistory(this.pool, most));
  }
}
