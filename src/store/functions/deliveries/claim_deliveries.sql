-- Leases up to `most` lanes of a connection whose head is due: sends first, then edits, removals and lookups.
-- Chats whose limits have no room are left out, and what is not urgent if only that is wanted. Attempts are
-- opened for the first `at_once` sends (null: all) and for each edit and removal; the others are leased
-- ahead, see open_attempts. Answers what a worker must know to act, as one JSON array.
--
-- Locks: links, messages.
-- Events: delivery.updated, delivery.failed, delivery.uncertain.
-- Arguments: urgent: boolean; at_once: number | null
-- Returns: DeliveryTask[]

-- The move from queued to sending, which every delivery makes, unless it was taken out of its lane since the
-- caller looked. Answers those that made it.
CREATE OR REPLACE FUNCTION begin_deliveries(ids uuid[], message_ids uuid[]) RETURNS uuid[]
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
  IF any_heard(workspaces) THEN
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

-- What waits to be sent by a connection and could be, if its lane lets it.
CREATE OR REPLACE FUNCTION due_sends(connection uuid, urgent boolean) RETURNS SETOF deliveries
  LANGUAGE sql STABLE AS $$
  SELECT d.* FROM deliveries d WHERE d.connection_id = connection AND d.duty = 'send' AND d.status = 'queued'
    AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now()) AND d.expires_at > now()
    AND (NOT urgent OR d.priority = 0)
$$;

-- Deliveries that are the heads of their lanes and could be sent, by their turns. Only one row of each lane
-- is read, where lanes are not too many; else all that waits is, up to so many heads of free lanes.
CREATE OR REPLACE FUNCTION due_heads(connection uuid, urgent boolean, most int) RETURNS uuid[]
  LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off
SET enable_bitmapscan = off AS $$
DECLARE
  most_lanes CONSTANT int := 3000;
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
  FROM (SELECT f.lane FROM found f WHERE f.lane IS NOT NULL LIMIT most_lanes + 1) x;
  IF cardinality(lanes) <= most_lanes THEN
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
    CROSS JOIN LATERAL (SELECT FROM links k WHERE k.id = d.link_id AND is_free(k) OFFSET 0) l
    WHERE d.id = h.id ORDER BY d.priority, d.position LIMIT most);
END $$;

-- Leases as claim_deliveries does, behind so many messages to chats that can't be written to now that these
-- are not to be read one by one.
CREATE OR REPLACE FUNCTION claim_beside_flood(connection uuid, most int, lease_seconds int, urgent boolean,
  at_once int) RETURNS leased_task[] LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off
SET enable_bitmapscan = off AS $$
DECLARE
  tasks leased_task[];
  due uuid[] := due_heads(connection, urgent, most);
BEGIN
  WITH heads AS (
    SELECT d.*, x.place FROM unnest(due) WITH ORDINALITY AS x (id, place)
    CROSS JOIN LATERAL (SELECT * FROM deliveries e WHERE e.id = x.id OFFSET 0) d
    CROSS JOIN LATERAL (SELECT k.id FROM links k WHERE k.id = d.link_id AND is_free(k)
      FOR NO KEY UPDATE SKIP LOCKED) l
    ORDER BY x.place LIMIT most
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

-- Between the look at a lane and its lock another worker may have sent the head, or a client canceled it.
-- Such a lane is given back, and looked at again. Answers the tasks that stay.
CREATE OR REPLACE FUNCTION hand_back(connection uuid, tasks leased_task[], moved uuid[])
  RETURNS leased_task[] LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM attempts a USING unnest(tasks) t WHERE a.id = t.attempt_id AND NOT a.delivery_id = ANY (moved);
  UPDATE links l SET leased_until = NULL FROM unnest(tasks) t JOIN deliveries d ON d.id = t.delivery_id
  WHERE l.id = d.link_id AND NOT d.id = ANY (moved);
  PERFORM wake_connections(ARRAY[connection]);
  RETURN ARRAY(SELECT t FROM unnest(tasks) t WHERE t.delivery_id = ANY (moved));
END $$;

-- Edits and removals of what the platform shows already, and lookups of lost answers.
CREATE OR REPLACE FUNCTION claim_changes(connection uuid, most int, lease_seconds int) RETURNS leased_task[]
  LANGUAGE plpgsql AS $$
DECLARE
  tasks leased_task[];
BEGIN
  IF most <= 0 THEN RETURN '{}'; END IF;
  WITH due AS (
    SELECT DISTINCT ON (d.link_id) d.id, d.link_id FROM deliveries d
    WHERE d.connection_id = connection AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now())
      AND d.duty IN ('edit', 'delete', 'lookup')
    ORDER BY d.link_id, d.position
  ), heads AS (
    SELECT due.id, l.id AS link_id FROM due JOIN links l ON l.id = due.link_id
    WHERE (l.leased_until IS NULL OR l.leased_until < now() AND NOT is_left_sending(connection, l.id))
      AND (l.held_until IS NULL OR l.held_until <= now())
    LIMIT most FOR NO KEY UPDATE OF l SKIP LOCKED
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
  -- Those of workers that died over the same edit or removal: what they had begun may have happened.
  UPDATE attempts a SET finished_at = clock_timestamp(), outcome = 'uncertain' FROM unnest(tasks) t
  WHERE a.delivery_id = t.delivery_id AND a.finished_at IS NULL AND a.id <> t.attempt_id;
  RETURN tasks;
END $$;

CREATE OR REPLACE FUNCTION claim_deliveries(connection uuid, most int, lease_seconds int,
  urgent boolean DEFAULT false, at_once int DEFAULT NULL) RETURNS json LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off
SET enable_sort = off SET enable_bitmapscan = off AS $$
DECLARE
  taken uuid[];
  message_ids uuid[];
  begun uuid[];
  tasks leased_task[];
  -- So many messages are looked at one by one.
  window_size int := 1000 + 2 * most;
  flooded boolean;
BEGIN
  -- The platform asked the account to wait, or refused it: no process calls before that has changed.
  IF EXISTS (SELECT 1 FROM connections WHERE id = connection
    AND (paused_until > now() OR status = 'error')) THEN
    RETURN '[]';
  END IF;
  WITH heads AS (
    -- Each step looks one row up by its id or its lane, whatever the statistics say: while they still tell of
    -- empty tables, a join would go through all that waits, for each message.
    SELECT d.id, d.workspace_id, d.message_id, d.wanted_revision, d.attempt_count, d.priority, d.position,
      l.id AS link_id
    FROM (SELECT * FROM due_sends(connection, urgent) ORDER BY priority, position LIMIT window_size) d
      CROSS JOIN LATERAL (
      SELECT e.id FROM deliveries e WHERE e.connection_id = connection
        AND e.lane = d.link_id ORDER BY e.position LIMIT 1) h CROSS JOIN LATERAL (
      SELECT k.id FROM links k WHERE k.id = d.link_id AND is_free(k)
      FOR NO KEY UPDATE SKIP LOCKED) l
    WHERE d.id = h.id
    ORDER BY d.priority, d.position LIMIT most
  ), locked AS (
    UPDATE links l SET leased_until = now() + make_interval(secs => lease_seconds), fence = fence + 1
    WHERE l.id = ANY (ARRAY(SELECT link_id FROM heads)) RETURNING l.id, l.fence
  ), leased AS (
    SELECT k.fence, row_number() OVER (ORDER BY h.priority, h.position) AS place, h.*
    FROM heads h JOIN locked k ON k.id = h.link_id
  ), tried AS (
    INSERT INTO attempts (workspace_id, delivery_id, link_id, fence, operation, revision)
    SELECT e.workspace_id, e.id, e.link_id, e.fence, 'send', e.wanted_revision FROM leased e
    WHERE e.place <= coalesce(at_once, most) RETURNING id, delivery_id
  )
  SELECT array_agg(ROW('send', e.id, t.id, e.fence, e.attempt_count + 1)::leased_task), array_agg(e.id),
    array_agg(e.message_id),
    CASE WHEN count(*) < most THEN EXISTS (SELECT
        FROM due_sends(connection, urgent) ORDER BY priority, position OFFSET window_size LIMIT 1) END
  INTO tasks, taken, message_ids, flooded FROM leased e LEFT JOIN tried t ON t.delivery_id = e.id;
  IF flooded THEN
    tasks := tasks || claim_beside_flood(connection, most - coalesce(cardinality(tasks), 0),
      lease_seconds, urgent,
      coalesce(at_once, most) - coalesce(cardinality(tasks), 0));
    SELECT array_agg(t.delivery_id), array_agg(d.message_id) INTO taken, message_ids
    FROM unnest(tasks) t CROSS JOIN LATERAL (SELECT * FROM deliveries e
      WHERE e.id = t.delivery_id OFFSET 0) d;
  END IF;
  IF taken IS NOT NULL THEN
    begun := begin_deliveries(taken, message_ids);
    IF cardinality(begun) < cardinality(taken) THEN tasks := hand_back(connection, tasks, begun); END IF;
  END IF;
  tasks := tasks || claim_changes(connection,
    CASE WHEN urgent THEN 0 ELSE most - coalesce(cardinality(tasks), 0) END, lease_seconds);
  RETURN CASE WHEN tasks = '{}' THEN '[]' ELSE describe_tasks(tasks) END;
END $$;
