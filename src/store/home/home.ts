import type { Pool } from 'pg';
import type { HomeStore } from '../../core/home/ports.js';
import { type HomeFigures, MAX_TROUBLED } from '../../core/home/record.js';
import { wireTimeSql } from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

// The first delivery of each connection and priority is the oldest one, because the index of work has this order.
const FIGURES = `
  SELECT json_build_object(
    'deliveries', json_build_object(
      'oldest_waiting_at', (SELECT ${wireTimeSql('min(d.created_at)')} FROM connections c
        CROSS JOIN (VALUES (0::smallint), (10::smallint)) AS p (priority)
        CROSS JOIN LATERAL (SELECT x.created_at FROM deliveries x WHERE x.connection_id = c.id AND x.duty = 'send'
          AND x.priority = p.priority ORDER BY x.position LIMIT 1) d
        WHERE c.workspace_id = $1 AND c.deleted_at IS NULL),
      'troubled', least(t.amount, $2::int), 'is_counted_out', t.amount <= $2::int),
    'webhooks', (SELECT json_build_object('enabled', count(*) FILTER (WHERE w.status = 'enabled'),
        'troubled', count(*) FILTER (WHERE w.status = 'auto_disabled'
          OR (w.status = 'enabled' AND w.failing_since IS NOT NULL)))
      FROM webhooks w WHERE w.workspace_id = $1 AND w.deleted_at IS NULL),
    'done', json_build_object(
      'connection', EXISTS (SELECT FROM connections c WHERE c.workspace_id = $1 AND c.deleted_at IS NULL),
      'conversation', EXISTS (SELECT FROM conversations c WHERE c.workspace_id = $1 AND c.deleted_at IS NULL),
      'member', (SELECT count(*) > 1 FROM (SELECT FROM users u WHERE u.workspace_id = $1 AND u.kind = 'member'
        AND u.deleted_at IS NULL LIMIT 2) two),
      'program', EXISTS (SELECT FROM api_keys k WHERE k.workspace_id = $1 AND k.revoked_at IS NULL)
        OR EXISTS (SELECT FROM webhooks w WHERE w.workspace_id = $1 AND w.deleted_at IS NULL))) AS figures
  FROM (SELECT count(*) AS amount FROM (SELECT FROM deliveries d WHERE d.workspace_id = $1
    AND d.rare_status IN ('failed', 'expired', 'uncertain')
    AND EXISTS (SELECT FROM messages m WHERE m.id = d.message_id AND m.deleted_at IS NULL) LIMIT $2::int + 1) x) t`;

/** The figures of the home screen, in PostgreSQL. */
export class PostgresHome implements HomeStore {
  constructor(private readonly pool: Pool) {}

  async figures(workspaceId: string): Promise<HomeFigures> {
    const { rows } = await readIn<{ figures: HomeFigures }>(this.pool, workspaceId, {
      text: FIGURES,
      values: [workspaceId, MAX_TROUBLED],
    });
    if (rows[0] === undefined) throw new Error('The query of the home figures returned no row.');
    return rows[0].figures;
  }
}
