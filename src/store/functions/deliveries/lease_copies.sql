-- Leases the lanes of new copies for the process that creates them and can send for these connections, as
-- claim_deliveries would do right afterwards. No other process can know of these copies yet. Leases only free
-- lanes without an earlier delivery. Wakes the workers of the other lanes. Returns {"tasks": as
-- claim_deliveries does, "waiting": [{"connection_id", "link_id"}]}.
--
-- Locks: links.
-- Events: delivery.updated, delivery.failed, delivery.uncertain.
-- Returns: unknown
CREATE OR REPLACE FUNCTION lease_copies(made uuid[], local_connections uuid[], lease_seconds int) RETURNS json
  LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off AS $$
DECLARE
  able uuid[] := ARRAY(SELECT id FROM connections WHERE id = ANY (local_connections) AND status <> 'error'
    AND (paused_until > now()) IS NOT TRUE);
  tasks leased_task[];
  workspaces uuid[];
  waiting_for uuid[];
  waiting json;
BEGIN
  WITH copies AS MATERIALIZED (
    SELECT id, workspace_id, link_id, connection_id, wanted_revision, expires_at FROM deliveries
    WHERE message_id = ANY (made) AND status = 'queued'
  ), heads AS (
    SELECT c.id, c.workspace_id, c.wanted_revision, l.id AS link_id, l.fence + 1 AS fence
    FROM copies c CROSS JOIN LATERAL (
      SELECT e.id FROM deliveries e WHERE e.connection_id = c.connection_id
        AND e.lane = c.link_id ORDER BY e.position LIMIT 1) h CROSS JOIN LATERAL (
      SELECT k.id, k.fence FROM links k WHERE k.id = c.link_id
        AND lane_is_leasable(k)
      FOR NO KEY UPDATE SKIP LOCKED) l
    WHERE h.id = c.id AND c.connection_id = ANY (able) AND c.expires_at > now()
  ), leased AS (
    UPDATE links l SET leased_until = now() + make_interval(secs => lease_seconds), fence = h.fence
    FROM heads h WHERE l.id = h.link_id
  ), begun AS (
    UPDATE deliveries d SET status = 'sending', attempt_count = 1, updated_at = now() FROM heads h
    WHERE d.id = h.id
  ), tried AS (
    INSERT INTO attempts (workspace_id, delivery_id, link_id, fence, operation, revision)
    SELECT h.workspace_id, h.id, h.link_id, h.fence, 'send', h.wanted_revision FROM heads h
    RETURNING id, workspace_id, delivery_id, fence
  ), others AS (
    SELECT connection_id, link_id FROM copies WHERE id NOT IN (SELECT id FROM heads)
  )
  SELECT (SELECT array_agg(ROW('send', t.delivery_id, t.id, t.fence, 1)::leased_task) FROM tried t),
    ARRAY(SELECT DISTINCT workspace_id FROM tried),
    (SELECT array_agg(connection_id) FROM others),
    (SELECT json_agg(json_build_object('connection_id', connection_id, 'link_id', link_id)) FROM others)
  INTO tasks, workspaces, waiting_for, waiting;
  IF waiting_for IS NOT NULL THEN PERFORM wake_connections(waiting_for); END IF;
  IF tasks IS NULL THEN
    RETURN json_build_object('tasks', '[]'::json, 'waiting', coalesce(waiting, '[]'));
  END IF;
  IF has_any_subscriber(workspaces) THEN
    PERFORM announce_moves(ARRAY(SELECT t.delivery_id FROM unnest(tasks) t),
      array_fill('queued'::text, ARRAY[cardinality(tasks)]));
  END IF;
  RETURN json_build_object('tasks', describe_tasks(tasks), 'waiting', coalesce(waiting, '[]'));
END $$;
