-- Adds deliveries and leases those to the caller that can be sent now. The others are due later, or dead if
-- the webhook was disabled after failures. Locks the webhooks, so that they are not claimed or disabled at
-- the same time. A row without an id names a webhook with due deliveries.
--
-- Locks: webhooks.
-- Returns: { hook: string; id: string; lease_end: string; event_position: string }[]
CREATE OR REPLACE FUNCTION add_webhook_deliveries(workspaces uuid[], hooks uuid[], positions bigint[],
  ids uuid[], types text[],
  subjects text[], max_deliveries int, max_parallel int, lease interval)
RETURNS TABLE (hook uuid, id uuid, lease_end text, event_position bigint) LANGUAGE plpgsql ROWS 20
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz;
  idle uuid[];
BEGIN
  PERFORM FROM webhooks w WHERE w.id = ANY (hooks) ORDER BY w.id FOR NO KEY UPDATE;
  moment := date_trunc('milliseconds', clock_timestamp());
  idle := ARRAY(
    SELECT w.id FROM webhooks w
    WHERE w.id = ANY (hooks) AND w.status = 'enabled' AND w.deleted_at IS NULL AND w.failing_since IS NULL
      AND w.rate_limit IS NULL AND NOT EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending'
          AND d.next_attempt_at <= moment)
    LIMIT max_deliveries);
  RETURN QUERY
  WITH given AS (
    SELECT n.*, CASE w.status WHEN 'enabled' THEN 'pending' ELSE 'dead' END AS status,
      row_number() OVER (PARTITION BY n.hook ORDER BY n.position) AS place,
      row_number() OVER (PARTITION BY n.hook, n.subject ORDER BY n.position) AS turn
    FROM unnest(workspaces, hooks, positions, ids, types, subjects) AS n (workspace, hook, position, event,
      type, subject)
    JOIN webhooks w ON w.id = n.hook AND w.status <> 'disabled' AND w.deleted_at IS NULL
  ), added AS (
    INSERT INTO webhook_deliveries AS d (workspace_id, webhook_id, event_position, event_id, event,
      subject, status,
      next_attempt_at, leased_until)
    SELECT g.workspace, g.hook, g.position, g.event, g.type, g.subject, g.status,
      CASE WHEN g.status = 'pending' THEN moment END,
      CASE WHEN g.status = 'pending' AND g.hook = ANY (idle) AND g.place <= max_parallel
        AND (g.turn = 1 OR g.subject = '')
        THEN moment + lease END
    FROM given g ON CONFLICT (webhook_id, event_id) DO NOTHING
    RETURNING d.webhook_id, d.id, d.leased_until, d.event_position, d.status
  )
  SELECT a.webhook_id, a.id, a.leased_until::text, a.event_position FROM added a
  WHERE a.leased_until IS NOT NULL
  UNION ALL
  SELECT DISTINCT a.webhook_id, NULL::uuid, NULL, NULL::bigint FROM added a
  WHERE a.status = 'pending' AND a.leased_until IS NULL;
END $$;
