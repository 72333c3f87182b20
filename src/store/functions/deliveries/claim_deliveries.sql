-- Leases up to `max_lanes` lanes of a connection whose head is due: sends first, then edits, removals and
-- lookups. Leaves out chats without rate limit capacity, and non-urgent deliveries if `urgent`. Opens
-- attempts for the first `at_once` sends (null: all) and for each edit and removal. Other sends are leased
-- ahead, see open_attempts. Returns the tasks for a worker as one JSON array.
--
-- Locks: links, messages.
-- Events: delivery.updated, delivery.failed, delivery.uncertain.
-- Arguments: urgent: boolean; at_once: number | null
-- Returns: DeliveryTask[]

-- Moves deliveries from queued to sending, unless they left their lane since they were selected. Returns
-- those that moved.
CREATE OR REPLACE FUNCTION mark_deliveries_sending(ids uuid[], message_ids uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql AS $$
DECLARE
  begun uuid[];
  workspaces uuid[];
  of_broadcasts boolean;
BEGIN
  SELECT bool_or(m.broadcast_id IS NOT NULL) INTO of_broadcasts FROM (
    SELECT broadcast_id FROM messages WHERE id = ANY (message_ids) ORDER BY id FOR NO KEY UPDATE) m;
  WITH updated AS (
    UPDATE deliveries SET status = 'sending', attempt_count = attempt_count + 1, next_attempt_at = NULL,
      updated_at = now()
    WHERE id = ANY (ids) AND status = 'queued' AND NOT held RETURNING id, message_id, workspace_id
  )
  SELECT array_agg(id), array_agg(message_id), array_agg(DISTINCT workspace_id)
  INTO begun, message_ids, workspaces FROM updated;
  IF has_any_subscriber(workspaces) THEN
    PERFORM announce_moves(begun, array_fill('queued'::text, ARRAY[cardinality(begun)]));
  END IF;
  UPDATE messages SET status = 'sending', updated_at = now()
  WHERE id = ANY (message_ids) AND status <> 'sending' AND direction = 'outbound' AND deleted_at IS NULL
    AND status <> 'canceled';
  IF of_broadcasts THEN
    UPDATE broadcast_recipients r SET status = 'sending', attempts = d.attempt_count, updated_at = now()
    FROM deliveries d WHERE d.id = ANY (begun) AND r.id = d.message_id AND r.status = 'queued'
      AND d.superseded_by IS NULL;
  END IF;
  RETURN coalesce(begun, '{}');
END $$;

-- The queued deliveries of a connection that are due, regardless of their lanes.
CREATE OR REPLACE FUNCTION due_sends(connection uuid, urgent boolean) RETURNS SETOF deliveries
  LANGUAGE sql STABLE AS $$
  SELECT d.* FROM deliveries d WHERE d.connection_id = connection AND d.duty = 'send' AND d.status = 'queued'
    AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now()) AND d.expires_at > now()
    AND (NOT urgent OR d.priority = 0)
$$;

-- The due deliveries at the heads of their lanes, by priority and position. Up to a limit of lanes, reads one
-- row per lane. Above the limit, reads all due deliveries until enough heads of free lanes are found.
CREATE OR REPLACE FUNCTION due_lane_heads(connection uuid, urgent boolean, max_lanes int) RETURNS uuid[]
  LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off
SET enable_bitmapscan = off AS $$
DECLARE
  max_listed_lanes CONSTANT int := 3000;
  lanes uuid[];
BEGIN
  WITH RECURSIVE found AS (
    (SELECT e.lane FROM deliveries e WHERE e.connection_id = connection
      AND e.lane IS NOT NULL ORDER BY e.lane LIMIT 1)
    UNION ALL
    SELECT (SELECT e.lane FROM deliveries e WHERE e.connection_id = connection
      AND e.lane > f.lane ORDER BY e.lane LIMIT 1)
    FROM found f WHERE f.lane IS NOT NULL
  )
  SELECT array_agg(x.lane) INTO lanes
  FROM (SELECT f.lane FROM found f WHERE f.lane IS NOT NULL LIMIT max_listed_lanes + 1) x;
  IF cardinality(lanes) <= max_listed_lanes THEN
    RETURN ARRAY(SELECT h.id FROM unnest(lanes) AS l (id) CROSS JOIN LATERAL (
      SELECT d.* FROM deliveries d WHERE d.connection_id = connection AND d.lane = l.id ORDER BY d.position
        LIMIT 1) h
      WHERE h.status = 'queued' AND (h.next_attempt_at IS NULL OR h.next_attempt_at <= now())
        AND h.expires_at > now()
        AND (NOT urgent OR h.priority = 0)
      ORDER BY h.priority, h.position);
  END IF;
  RETURN ARRAY(SELECT d.id FROM due_sends(connection, urgent) d CROSS JOIN LATERAL (
    SELECT e.id FROM deliveries e WHERE e.connection_id = connection
      AND e.lane = d.link_id ORDER BY e.position LIMIT 1) h
    CROSS JOIN LATERAL (SELECT FROM links k WHERE k.id = d.link_id AND lane_is_leasable(k) OFFSET 0) l
    WHERE d.id = h.id ORDER BY d.priority, d.position LIMIT max_lanes);
END $$;

-- Leases as claim_deliveries does, for a connection with too many deliveries behind blocked chats to read
-- them one by one.
CREATE OR REPLACE FUNCTION claim_with_backlog(connection uuid, max_lanes int, lease_seconds int,
  urgent boolean, at_once int) RETURNS leased_task[] LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off
SET enable_bitmapscan = off AS $$
DECLARE
  tasks leased_task[];
  due uuid[] := due_lane_heads(connection, urgent, max_lanes);
BEGIN
  WITH heads AS (
    SELECT d.*, x.place FROM unnest(due) WITH ORDINALITY AS x (id, place)
    CROSS JOIN LATERAL (SELECT * FROM deliveries e WHERE e.id = x.id OFFSET 0) d
    CROSS JOIN LATERAL (SELECT k.id FROM links k WHERE k.id = d.link_id AND lane_is_leasable(k)
      FOR NO KEY UPDATE SKIP LOCKED) l
    ORDER BY x.place LIMIT max_lanes
  ), locked AS (
    UPDATE links l SET leased_until = now() + make_interval(secs => lease_seconds), fence = fence + 1
    WHERE l.id = ANY (ARRAY(SELECT link_id FROM heads)) RETURNING l.id, l.fence
  ), leased AS (
    SELECT k.fence, row_number() OVER (ORDER BY h.place) AS turn, h.*
    FROM heads h JOIN locked k ON k.id = h.link_id
  ), tried AS (
    INSERT INTO attempts (workspace_id, delivery_id, link_id, fence, operation, revision)
    SELECT e.workspace_id, e.id, e.link_id, e.fence, 'send', e.wanted_revision FROM leased e
    WHERE e.turn <= at_once RETURNING id, delivery_id
  )
  SELECT array_agg(ROW('send', e.id, t.id, e.fence, e.attempt_count + 1)::leased_task)
  INTO tasks FROM leased e LEFT JOIN tried t ON t.delivery_id = e.id;
  RETURN coalesce(tasks, '{}');
END $$;

-- Another worker may have sent the head of a lane, or a client may have canceled it, between selection and
-- lock. Releases such lanes for another check. Returns the remaining tasks.
CREATE OR REPLACE FUNCTION release_tasks(connection uuid, tasks leased_task[], moved uuid[])
  RETURNS leased_task[] LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM attempts a USING unnest(tasks) t WHERE a.id = t.attempt_id AND NOT a.delivery_id = ANY (moved);
  UPDATE links l SET leased_until = NULL FROM unnest(tasks) t JOIN deliveries d ON d.id = t.delivery_id
  WHERE l.id = d.link_id AND NOT d.id = ANY (moved);
  PERFORM wake_connections(ARRAY[connection]);
  RETURN ARRAY(SELECT t FROM unnest(tasks) t WHERE t.delivery_id = ANY (moved));
END $$;

-- Leases edits and removals of messages that the platform shows, and lookups of lost responses.
CREATE OR REPLACE FUNCTION claim_changes(connection uuid, max_lanes int, lease_seconds int)
  RETURNS leased_task[]
  LANGUAGE plpgsql AS $$
DECLARE
  tasks leased_task[];
BEGIN
  IF max_lanes <= 0 THEN RETURN '{}'; END IF;
  WITH due AS (
    SELECT DISTINCT ON (d.link_id) d.id, d.link_id FROM deliveries d
    WHERE d.connection_id = connection AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now())
      AND d.duty IN ('edit', 'delete', 'lookup')
    ORDER BY d.link_id, d.position
  ), heads AS (
    SELECT due.id, l.id AS link_id FROM due JOIN links l ON l.id = due.link_id
    WHERE (l.leased_until IS NULL OR l.leased_until < now() AND NOT has_orphaned_send(connection, l.id))
      AND (l.held_until IS NULL OR l.held_until <= now())
    LIMIT max_lanes FOR NO KEY UPDATE OF l SKIP LOCKED
  ), leased AS (
    UPDATE links l SET leased_until = now() + make_interval(secs => lease_seconds), fence = fence + 1
    FROM heads h WHERE l.id = h.link_id RETURNING l.fence, h.id AS delivery_id
  ), kinds AS (
    SELECT d.*, e.fence, m.revision AS message_revision,
      CASE d.duty WHEN 'lookup' THEN 'reconcile' ELSE d.duty END AS operation
    FROM leased e JOIN deliveries d ON d.id = e.delivery_id JOIN messages m ON m.id = d.message_id
  ), tried AS (
    INSERT INTO attempts (workspace_id, delivery_id, link_id, fence, operation, revision)
    SELECT k.workspace_id, k.id, k.link_id, k.fence, k.operation, k.message_revision FROM kinds k
    WHERE k.operation <> 'reconcile' RETURNING id, delivery_id
  )
  SELECT array_agg(ROW(k.operation, k.id, t.id, k.fence,
    CASE k.operation WHEN 'reconcile' THEN k.attempt_count ELSE k.change_tries + 1 END)::leased_task)
  INTO tasks FROM kinds k LEFT JOIN tried t ON t.delivery_id = k.id;
  IF tasks IS NULL THEN RETURN '{}'; END IF;
  -- Open attempts of workers that died during the same edit or removal: their writes may have happened.
  UPDATE attempts a SET finished_at = clock_timestamp(), outcome = 'uncertain' FROM unnest(tasks) t
  WHERE a.delivery_id = t.delivery_id AND a.finished_at IS NULL AND a.id <> t.attempt_id;
  RETURN tasks;
END $$;

CREATE OR REPLACE FUNCTION claim_deliveries(connection uuid, max_lanes int, lease_seconds int,
  urgent boolean DEFAULT false, at_once int DEFAULT NULL) RETURNS json LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off
SET enable_sort = off SET enable_bitmapscan = off AS $$
DECLARE
  taken uuid[];
  message_ids uuid[];
  begun uuid[];
  tasks leased_task[];
  -- The limit of messages that are read one by one.
  window_size int := 1000 + 2 * max_lanes;
  flooded boolean;
BEGIN
  -- The platform asked the account to wait, or refused it. No process calls the platform until that changes.
  IF EXISTS (SELECT 1 FROM connections WHERE id = connection
    AND (paused_until > now() OR status = 'error')) THEN
    RETURN '[]';
  END IF;
  WITH heads AS (
    -- Each step looks up one row by its id or its lane, regardless of the statistics. While the statistics
    -- show empty tables, a join would read the whole queue for each message.
    SELECT d.id, d.workspace_id, d.message_id, d.wanted_revision, d.attempt_count, d.priority, d.position,
      l.id AS link_id
    FROM (SELECT * FROM due_sends(connection, urgent) ORDER BY priority, position LIMIT window_size) d
      CROSS JOIN LATERAL (
      SELECT e.id FROM deliveries e WHERE e.connection_id = connection
        AND e.lane = d.link_id ORDER BY e.position LIMIT 1) h CROSS JOIN LATERAL (
      SELECT k.id FROM links k WHERE k.id = d.link_id AND lane_is_leasable(k)
      FOR NO KEY UPDATE SKIP LOCKED) l
    WHERE d.id = h.id
    ORDER BY d.priority, d.position LIMIT max_lanes
  ), locked AS (
    UPDATE links l SET leased_until = now() + make_interval(secs => lease_seconds), fence = fence + 1
    WHERE l.id = ANY (ARRAY(SELECT link_id FROM heads)) RETURNING l.id, l.fence
  ), leased AS (
    SELECT k.fence, row_number() OVER (ORDER BY h.priority, h.position) AS place, h.*
    FROM heads h JOIN locked k ON k.id = h.link_id
  ), tried AS (
    INSERT INTO attempts (workspace_id, delivery_id, link_id, fence, operation, revision)
    SELECT e.workspace_id, e.id, e.link_id, e.fence, 'send', e.wanted_revision FROM leased e
    WHERE e.place <= coalesce(at_once, max_lanes) RETURNING id, delivery_id
  )
  SELECT array_agg(ROW('send', e.id, t.id, e.fence, e.attempt_count + 1)::leased_task), array_agg(e.id),
    array_agg(e.message_id),
    CASE WHEN count(*) < max_lanes THEN EXISTS (SELECT
        FROM due_sends(connection, urgent) ORDER BY priority, position OFFSET window_size LIMIT 1) END
  INTO tasks, taken, message_ids, flooded FROM leased e LEFT JOIN tried t ON t.delivery_id = e.id;
  IF flooded THEN
    tasks := tasks || claim_with_backlog(connection, max_lanes - coalesce(cardinality(tasks), 0),
      lease_seconds, urgent,
      coalesce(at_once, max_lanes) - coalesce(cardinality(tasks), 0));
    SELECT array_agg(t.delivery_id), array_agg(d.message_id) INTO taken, message_ids
    FROM unnest(tasks) t CROSS JOIN LATERAL (SELECT * FROM deliveries e
      WHERE e.id = t.delivery_id OFFSET 0) d;
  END IF;
  IF taken IS NOT NULL THEN
    begun := mark_deliveries_sending(taken, message_ids);
    IF cardinality(begun) < cardinality(taken) THEN tasks := release_tasks(connection, tasks, begun); END IF;
  END IF;
  tasks := tasks || claim_changes(connection,
    CASE WHEN urgent THEN 0 ELSE max_lanes - coalesce(cardinality(tasks), 0) END, lease_seconds);
  RETURN CASE WHEN tasks = '{}' THEN '[]' ELSE describe_tasks(tasks) END;
END $$;
