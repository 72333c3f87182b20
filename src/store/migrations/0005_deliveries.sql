-- Deliveries: every move of their state machine, the lanes of links, and what follows for messages and broadcasts.
-- The functions that are called for each message keep their plans: making one takes longer than carrying it out.

-- Status of an outbound message from its deliveries: the least advanced first, superseded ones left out, canceled ones
-- only counted when there is nothing else.
CREATE FUNCTION derived_status(message uuid) RETURNS text LANGUAGE sql STABLE AS $$
  WITH d AS (
    SELECT status FROM deliveries WHERE message_id = message AND superseded_by IS NULL
      AND (status <> 'canceled' OR NOT EXISTS (
        SELECT 1 FROM deliveries o WHERE o.message_id = message AND o.superseded_by IS NULL AND o.status <> 'canceled'))
  )
  SELECT CASE
    WHEN bool_and(status = 'queued') THEN 'queued'
    WHEN bool_or(status IN ('queued', 'sending')) THEN 'sending'
    ELSE (SELECT s FROM unnest(ARRAY['uncertain', 'failed', 'expired', 'blocked', 'canceled', 'sent', 'delivered', 'read'])
            WITH ORDINALITY AS o (s, n) WHERE s IN (SELECT status FROM d) ORDER BY n LIMIT 1)
  END FROM d
$$;

-- What is shown of a recipient whose message has a delivery in this status.
CREATE FUNCTION recipient_status(status text, attempt_count int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN status <> 'blocked' THEN status WHEN attempt_count = 0 THEN 'skipped' ELSE 'failed' END
$$;

-- The field of a broadcast's counts that a recipient's status belongs to.
CREATE FUNCTION counted_as(status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN status IN ('queued', 'sending') THEN 'pending' ELSE status END
$$;

-- So many recipients of a broadcast moved from one count to another, with why they are skipped now, or were before.
CREATE TYPE recipient_shift AS (broadcast_id uuid, was text, becomes text, skip_reason text, n bigint, former_reason text);

-- Brings the counts of broadcasts up to date, in the order of their ids, so that two settlements never wait for each other,
-- and ends those that have nobody left to write to.
CREATE FUNCTION recount_broadcasts(shifts recipient_shift[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  through uuid[];
BEGIN
  WITH counted AS (
    UPDATE broadcasts b SET updated_at = now(), skip_reasons = jsonb_strip_nulls(b.skip_reasons || coalesce((
      SELECT jsonb_object_agg(reason, nullif(n + coalesce((b.skip_reasons->>reason)::bigint, 0), 0)) FROM (
        SELECT e.reason, sum(e.n) AS n FROM unnest(shifts) s
        CROSS JOIN LATERAL (VALUES (s.skip_reason, s.n), (s.former_reason, -s.n)) e (reason, n)
        WHERE s.broadcast_id = b.id AND e.reason IS NOT NULL GROUP BY 1) x), '{}')), counts = b.counts || (
      SELECT jsonb_object_agg(c.key, (b.counts->>c.key)::bigint + c.change) FROM (
        SELECT k AS key, sum(CASE k WHEN s.becomes THEN s.n ELSE 0 END - CASE k WHEN s.was THEN s.n ELSE 0 END) AS change
        FROM unnest(shifts) s CROSS JOIN LATERAL unnest(ARRAY[s.was, s.becomes]) k WHERE s.broadcast_id = b.id GROUP BY k) c)
    WHERE b.id IN (SELECT o.id FROM broadcasts o WHERE o.id IN (SELECT broadcast_id FROM unnest(shifts)) ORDER BY o.id FOR NO KEY UPDATE)
    RETURNING b.id, (b.counts->>'pending')::bigint AS pending
  )
  SELECT array_agg(id) INTO through FROM counted WHERE pending = 0;
  IF through IS NOT NULL THEN PERFORM complete_broadcast(id) FROM unnest(through) AS t (id); END IF;
END $$;

-- Recipients follow their delivery; a broadcast without pending recipients is completed.
CREATE FUNCTION follow_recipients(delivery_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  shifts recipient_shift[];
  unreached uuid[];
BEGIN
  WITH moved AS (
    SELECT r.id, r.broadcast_id, r.status AS old, r.skip_reason AS former_reason, recipient_status(d.status, d.attempt_count) AS new,
      d.status, d.attempt_count, d.error, d.sent_at, d.delivered_at, d.read_at
    FROM deliveries d JOIN broadcast_recipients r ON r.id = d.message_id
    WHERE d.id = ANY (delivery_ids) AND d.superseded_by IS NULL AND r.status <> recipient_status(d.status, d.attempt_count)
  ), updated AS (
    UPDATE broadcast_recipients r SET status = m.new, attempts = m.attempt_count, error = m.error,
      skip_reason = CASE WHEN m.new = 'skipped' THEN CASE m.error->>'code' WHEN 'opted_out' THEN 'opted_out' ELSE 'blocked' END END,
      sent_at = m.sent_at, delivered_at = m.delivered_at, read_at = m.read_at, updated_at = now(),
      fallback_at = CASE WHEN r.fallback_at IS NOT NULL THEN fallback_after(m.broadcast_id, m.status, r.fallback_at) END
    FROM moved m WHERE r.id = m.id
    RETURNING m.broadcast_id, counted_as(m.old) AS was, counted_as(m.new) AS becomes, r.skip_reason, m.former_reason, r.fallback_at
  ), counted AS (
    SELECT broadcast_id, was, becomes, skip_reason, former_reason, count(*) AS n, bool_or(fallback_at <= now()) AS unreached
    FROM updated GROUP BY broadcast_id, was, becomes, skip_reason, former_reason
  )
  SELECT array_agg(ROW(broadcast_id, was, becomes, skip_reason, n, former_reason)::recipient_shift) FILTER (WHERE was <> becomes),
    array_agg(DISTINCT broadcast_id) FILTER (WHERE c.unreached)
  INTO shifts, unreached FROM counted c;
  IF unreached IS NOT NULL THEN PERFORM queue_broadcast(id) FROM unnest(unreached) AS u (id); END IF;
  IF shifts IS NOT NULL THEN PERFORM recount_broadcasts(shifts); END IF;
END $$;

-- When somebody is to be written to by the next platform, now that the present one says this; null: not any more. What
-- failed is not waited for. `at` is when it was to be.
CREATE FUNCTION fallback_after(broadcast uuid, state text, at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN state IN ('blocked', 'canceled') THEN NULL
    WHEN state IN ('failed', 'expired') THEN now()
    WHEN array_position(ARRAY['sent', 'delivered', 'read'], state)
      >= array_position(ARRAY['sent', 'delivered', 'read'], b.fallback->>'success_status')
      THEN NULL
    ELSE at END
  FROM broadcasts b WHERE b.id = broadcast
$$;

-- Whether a broadcast may still write to somebody by their next platform.
CREATE FUNCTION awaits_fallback(b broadcasts) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT b.fallback IS NOT NULL AND b.status <> 'canceling' AND coalesce((b.schedule->>'expires_at')::timestamptz > now(), true)
    AND EXISTS (SELECT 1 FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.fallback_at IS NOT NULL)
$$;

-- Ends a broadcast that has nobody left to write to.
CREATE FUNCTION complete_broadcast(broadcast uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ended record;
BEGIN
  UPDATE broadcasts b SET completed_at = CASE WHEN b.status = 'canceling' THEN b.completed_at ELSE now() END,
    status = CASE WHEN b.status = 'canceling' THEN 'canceled'
      WHEN (b.schedule->>'expires_at')::timestamptz <= now() AND (b.counts->>'expired')::bigint > 0 THEN 'expired'
      ELSE 'completed' END, eta = NULL, updated_at = now()
  FROM (SELECT status FROM broadcasts WHERE id = broadcast) o
  WHERE b.id = broadcast AND b.status IN ('sending', 'paused', 'on_hold', 'canceling')
    AND (b.counts->>'pending')::bigint = 0 AND NOT awaits_fallback(b)
  RETURNING b AS broadcast, o.status AS was INTO ended;
  IF FOUND THEN
    INSERT INTO events (workspace_id, type, data, extra) VALUES ((ended.broadcast).workspace_id,
      CASE (ended.broadcast).status WHEN 'canceled' THEN 'broadcast.canceled' ELSE 'broadcast.completed' END,
      broadcast_record(ended.broadcast), json_build_object('previous', json_build_object('status', ended.was)));
  END IF;
END $$;

-- What deliveries that moved are told as, with the status that each had before.
CREATE FUNCTION announce_moves(ids uuid[], olds text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT d.workspace_id, e.type, d.conversation_id, render_delivery(d, s.parts),
    json_build_object('previous', json_build_object('status', u.old))
  FROM unnest(ids, olds) AS u (id, old) JOIN deliveries d ON d.id = u.id CROSS JOIN LATERAL (
    SELECT 'delivery.updated' AS type WHERE moves_heard(d.workspace_id)
    UNION ALL SELECT 'delivery.failed' WHERE d.status IN ('failed', 'expired', 'blocked') AND events_heard(d.workspace_id)
    UNION ALL SELECT 'delivery.uncertain' WHERE d.status = 'uncertain' AND events_heard(d.workspace_id)) e
  CROSS JOIN LATERAL delivery_surroundings(d.id) s
$$;

-- The error of a message: of its first delivery that failed, expired or was blocked, superseded ones left out.
CREATE FUNCTION first_error(message uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT d.error FROM deliveries d WHERE d.message_id = message AND d.superseded_by IS NULL
    AND d.status IN ('failed', 'expired', 'blocked') ORDER BY d.position LIMIT 1
$$;

-- Messages follow their deliveries, with their error also while their status stays. The caller holds the locks of the messages.
CREATE FUNCTION follow_messages(message_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[];
  olds text[];
  workspaces uuid[];
BEGIN
  WITH derived AS MATERIALIZED (
    SELECT m.id, m.status AS old, CASE WHEN x.total = 1 AND x.live = 1 THEN x.only ELSE derived_status(m.id) END AS new,
      CASE WHEN x.troubled THEN first_error(m.id) END AS error
    FROM messages m CROSS JOIN LATERAL (
      SELECT count(*) AS total, count(*) FILTER (WHERE d.superseded_by IS NULL) AS live, min(d.status) AS only,
        bool_or(d.status IN ('failed', 'expired', 'blocked')) AS troubled
      FROM deliveries d WHERE d.message_id = m.id) x
    WHERE m.id = ANY (message_ids) AND m.direction = 'outbound' AND m.deleted_at IS NULL AND m.status <> 'canceled'
  ), updated AS (
    UPDATE messages m SET status = v.new, error = v.error, updated_at = now(),
      sent_at = CASE WHEN v.new IN ('sent', 'delivered', 'read') THEN coalesce(m.sent_at, now()) WHEN v.new <> 'queued' THEN m.sent_at END,
      delivered_at = CASE WHEN v.new IN ('delivered', 'read') THEN coalesce(m.delivered_at, now()) WHEN v.new <> 'queued' THEN m.delivered_at END,
      failed_at = CASE WHEN v.new IN ('failed', 'expired', 'blocked') THEN CASE WHEN v.new = v.old THEN m.failed_at ELSE now() END END
    FROM derived v WHERE m.id = v.id AND v.new IS NOT NULL AND (v.new <> v.old OR v.error IS DISTINCT FROM m.error)
    RETURNING m.id, m.workspace_id, v.old, v.new
  )
  SELECT array_agg(id), array_agg(old), array_agg(DISTINCT workspace_id) INTO moved, olds, workspaces FROM updated WHERE new <> old;
  IF NOT any_heard(workspaces) THEN RETURN; END IF;
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT m.workspace_id, CASE m.status WHEN 'canceled' THEN 'message.updated' WHEN 'sent' THEN 'message.sent'
      WHEN 'delivered' THEN 'message.delivered' WHEN 'read' THEN 'message.read' ELSE 'message.failed' END,
    m.conversation_id, render_message(m, s.read_by, s.thread_count, s.reactions, s.deliveries),
    json_build_object('previous', json_build_object('status', u.old))
  FROM unnest(moved, olds) AS u (id, old) JOIN messages m ON m.id = u.id CROSS JOIN LATERAL message_surroundings(m.id, m.thread_id) s
  WHERE m.status IN ('sent', 'delivered', 'read', 'failed', 'expired', 'blocked', 'canceled') AND events_heard(m.workspace_id);
END $$;

-- A move of a delivery, done if it is in one of the states `was`. What is null stays as it is, but for next_attempt_at,
-- and for the error if `judged`.
CREATE TYPE delivery_move AS (id uuid, was text[], becomes text, attempt_count int, revision int, degradations text[],
  judged boolean, error jsonb, resolution text, next_attempt_at timestamptz, expires_at timestamptz, at timestamptz);

-- Moves deliveries, compare-and-set: a status in which the delivery no longer is moves nothing. Answers the ids that
-- moved. With begin_deliveries the only function that changes a status. Lock order everywhere: links by id, messages by
-- id, then deliveries, then connections by id. The caller holds the locks of the messages. Each row is looked up by its id,
-- also by plans that were made while the statistics told of empty tables.
CREATE FUNCTION apply_moves(moves delivery_move[]) RETURNS uuid[] LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moved uuid[];
  olds text[];
  workspaces uuid[];
  message_ids uuid[];
  of_broadcasts boolean;
  troubled boolean;
BEGIN
  WITH wanted AS (
    SELECT w.*, d.status AS old FROM unnest(moves) w JOIN deliveries d ON d.id = w.id WHERE d.status = ANY (w.was)
  ), updated AS (
    UPDATE deliveries d SET status = w.becomes, updated_at = now(),
      attempt_count = coalesce(w.attempt_count, d.attempt_count), revision = coalesce(w.revision, d.revision),
      degradations = coalesce(w.degradations, d.degradations),
      error = CASE WHEN w.judged THEN w.error ELSE d.error END,
      resolution = coalesce(w.resolution, d.resolution),
      next_attempt_at = w.next_attempt_at, expires_at = coalesce(w.expires_at, d.expires_at), held = false,
      uncertain_at = CASE WHEN w.becomes = 'uncertain' THEN now() ELSE d.uncertain_at END,
      sent_at = CASE WHEN w.becomes IN ('sent', 'delivered', 'read') THEN coalesce(d.sent_at, now()) ELSE d.sent_at END,
      delivered_at = CASE WHEN w.becomes IN ('delivered', 'read') THEN coalesce(d.delivered_at, w.at, now()) ELSE d.delivered_at END,
      read_at = CASE WHEN w.becomes = 'read' THEN coalesce(d.read_at, w.at, now()) ELSE d.read_at END,
      failed_at = CASE WHEN w.becomes IN ('failed', 'expired', 'blocked') THEN now()
        WHEN w.becomes IN ('queued', 'delivered', 'read') THEN NULL ELSE d.failed_at END
    FROM wanted w WHERE d.id = w.id AND d.status = w.old
    RETURNING d.id, d.workspace_id, d.message_id, d.connection_id, d.status, w.old
  ), tallied AS (
    SELECT u.connection_id, count(*) FILTER (WHERE u.status IN ('sent', 'delivered', 'read') AND u.old IN ('sending', 'uncertain')) AS sent,
      count(*) FILTER (WHERE u.status = 'failed') AS failed, count(*) FILTER (WHERE u.status = 'uncertain') AS uncertain
    FROM updated u GROUP BY 1
  ), locked AS (
    SELECT c.id FROM connections c WHERE c.id IN (SELECT connection_id FROM tallied WHERE sent + failed + uncertain > 0)
    ORDER BY c.id FOR NO KEY UPDATE
  ), counted AS (
    UPDATE connections c SET sent = c.sent + x.sent, failed = c.failed + x.failed, uncertain = c.uncertain + x.uncertain
    FROM locked k JOIN tallied x ON x.connection_id = k.id WHERE c.id = k.id
  )
  SELECT array_agg(id), array_agg(old), array_agg(DISTINCT workspace_id), array_agg(DISTINCT message_id),
    bool_or(status IN ('failed', 'expired', 'blocked') OR old IN ('failed', 'expired', 'blocked'))
  INTO moved, olds, workspaces, message_ids, troubled FROM updated;
  IF moved IS NOT NULL THEN
    IF any_heard(workspaces) THEN PERFORM announce_moves(moved, olds); END IF;
    -- Copies of what came in lead to nothing more than its error, and statements are set up, and their triggers run, whatever they find.
    IF troubled THEN
      UPDATE messages m SET error = first_error(m.id), updated_at = now()
      WHERE id = ANY (message_ids) AND direction = 'inbound' AND deleted_at IS NULL AND error IS DISTINCT FROM first_error(m.id);
    END IF;
    SELECT array_agg(id), bool_or(broadcast_id IS NOT NULL) INTO message_ids, of_broadcasts FROM messages
    WHERE id = ANY (message_ids) AND direction = 'outbound';
    IF message_ids IS NOT NULL THEN
      PERFORM follow_messages(message_ids);
      IF of_broadcasts THEN PERFORM follow_recipients(moved); END IF;
    END IF;
  END IF;
  RETURN coalesce(moved, '{}');
END $$;

-- The same for moves given as JSON: {"id", "from": [status …], "to", and what changes with it}.
CREATE FUNCTION read_move(item jsonb) RETURNS delivery_move LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_populate_record(NULL::delivery_move, item || jsonb_build_object('was', item->'from', 'becomes', item->'to', 'judged', item ? 'error'))
$$;

CREATE FUNCTION move_deliveries(items jsonb) RETURNS uuid[] LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moves delivery_move[] := ARRAY(SELECT read_move(i) FROM jsonb_array_elements(items) i);
BEGIN
  PERFORM 1 FROM messages WHERE id IN (SELECT d.message_id FROM unnest(moves) w JOIN deliveries d ON d.id = w.id)
    ORDER BY id FOR NO KEY UPDATE;
  RETURN apply_moves(moves);
END $$;

-- The move from queued to sending, which every delivery makes, unless it was taken out of its lane since the caller looked.
-- Answers those that made it.
CREATE FUNCTION begin_deliveries(ids uuid[], message_ids uuid[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  begun uuid[];
  workspaces uuid[];
  of_broadcasts boolean;
BEGIN
  SELECT bool_or(m.broadcast_id IS NOT NULL) INTO of_broadcasts FROM (
    SELECT broadcast_id FROM messages WHERE id = ANY (message_ids) ORDER BY id FOR NO KEY UPDATE) m;
  WITH updated AS (
    UPDATE deliveries SET status = 'sending', attempt_count = attempt_count + 1, next_attempt_at = NULL, updated_at = now()
    WHERE id = ANY (ids) AND status = 'queued' AND NOT held RETURNING id, message_id, workspace_id
  )
  SELECT array_agg(id), array_agg(message_id), array_agg(DISTINCT workspace_id) INTO begun, message_ids, workspaces FROM updated;
  IF any_heard(workspaces) THEN PERFORM announce_moves(begun, array_fill('queued'::text, ARRAY[cardinality(begun)])); END IF;
  UPDATE messages SET status = 'sending', updated_at = now()
  WHERE id = ANY (message_ids) AND status <> 'sending' AND direction = 'outbound' AND deleted_at IS NULL AND status <> 'canceled';
  IF of_broadcasts THEN
    UPDATE broadcast_recipients r SET status = 'sending', attempts = d.attempt_count, updated_at = now()
    FROM deliveries d WHERE d.id = ANY (begun) AND r.id = d.message_id AND r.status = 'queued' AND d.superseded_by IS NULL;
  END IF;
  RETURN coalesce(begun, '{}');
END $$;

-- A delivery that a worker has leased, and what it shall do with it.
CREATE TYPE leased_task AS (operation text, delivery_id uuid, attempt_id uuid, fence bigint, attempt_count int);

-- Whether a lane, whose lease ran out, was left over a send. Asked of few: a lane that was given back has no time of a lease.
CREATE FUNCTION is_left_sending(connection uuid, link uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM deliveries d WHERE d.connection_id = connection AND d.lane = link AND d.status = 'sending')
$$;

-- Whether the lane of a link can be leased: nobody has it, and its chat is not to wait. So written, it fits no index of links. One
-- that was left over a send is for take_over_lanes first: after another lease, with its new fence, who stalled there would close its
-- attempt and leave no trace of what it wrote.
CREATE FUNCTION is_free(l links) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(CASE WHEN l.removed_at IS NULL THEN greatest(l.leased_until, l.held_until) ELSE 'infinity' END, '-infinity') < now()
    AND (l.leased_until IS NULL OR NOT is_left_sending(l.connection_id, l.id))
$$;

-- What waits to be sent by a connection and could be, if its lane lets it.
CREATE FUNCTION due_sends(connection uuid, urgent boolean) RETURNS SETOF deliveries LANGUAGE sql STABLE AS $$
  SELECT d.* FROM deliveries d WHERE d.connection_id = connection AND d.duty = 'send' AND d.status = 'queued'
    AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now()) AND d.expires_at > now() AND (NOT urgent OR d.priority = 0)
$$;

-- Deliveries that are the heads of their lanes and could be sent, by their turns. Only one row of each lane is read, where
-- lanes are not too many; else all that waits is, up to so many heads of free lanes.
CREATE FUNCTION due_heads(connection uuid, urgent boolean, most int) RETURNS uuid[] LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_material = off
SET enable_bitmapscan = off AS $$
DECLARE
  most_lanes CONSTANT int := 3000;
  lanes uuid[];
BEGIN
  WITH RECURSIVE found AS (
    (SELECT e.lane FROM deliveries e WHERE e.connection_id = connection AND e.lane IS NOT NULL ORDER BY e.lane LIMIT 1)
    UNION ALL
    SELECT (SELECT e.lane FROM deliveries e WHERE e.connection_id = connection AND e.lane > f.lane ORDER BY e.lane LIMIT 1)
    FROM found f WHERE f.lane IS NOT NULL
  )
  SELECT array_agg(x.lane) INTO lanes FROM (SELECT f.lane FROM found f WHERE f.lane IS NOT NULL LIMIT most_lanes + 1) x;
  IF cardinality(lanes) <= most_lanes THEN
    RETURN ARRAY(SELECT h.id FROM unnest(lanes) AS l (id) CROSS JOIN LATERAL (
      SELECT d.* FROM deliveries d WHERE d.connection_id = connection AND d.lane = l.id ORDER BY d.position LIMIT 1) h
      WHERE h.status = 'queued' AND (h.next_attempt_at IS NULL OR h.next_attempt_at <= now()) AND h.expires_at > now()
        AND (NOT urgent OR h.priority = 0)
      ORDER BY h.priority, h.position);
  END IF;
  RETURN ARRAY(SELECT d.id FROM due_sends(connection, urgent) d CROSS JOIN LATERAL (
    SELECT e.id FROM deliveries e WHERE e.connection_id = connection AND e.lane = d.link_id ORDER BY e.position LIMIT 1) h
    CROSS JOIN LATERAL (SELECT FROM links k WHERE k.id = d.link_id AND is_free(k) OFFSET 0) l
    WHERE d.id = h.id ORDER BY d.priority, d.position LIMIT most);
END $$;

-- Leases as claim_deliveries does, behind so many messages to chats that can't be written to now that these are not to be read
-- one by one.
CREATE FUNCTION claim_beside_flood(connection uuid, most int, lease_seconds int, urgent boolean, at_once int) RETURNS leased_task[] LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_material = off
SET enable_bitmapscan = off AS $$
DECLARE
  tasks leased_task[];
  due uuid[] := due_heads(connection, urgent, most);
BEGIN
  WITH heads AS (
    SELECT d.*, x.place FROM unnest(due) WITH ORDINALITY AS x (id, place)
    CROSS JOIN LATERAL (SELECT * FROM deliveries e WHERE e.id = x.id OFFSET 0) d
    CROSS JOIN LATERAL (SELECT k.id FROM links k WHERE k.id = d.link_id AND is_free(k) FOR NO KEY UPDATE SKIP LOCKED) l
    ORDER BY x.place LIMIT most
  ), locked AS (
    UPDATE links l SET leased_until = now() + make_interval(secs => lease_seconds), fence = fence + 1
    WHERE l.id = ANY (ARRAY(SELECT link_id FROM heads)) RETURNING l.id, l.fence
  ), leased AS (
    SELECT k.fence, row_number() OVER (ORDER BY h.place) AS turn, h.* FROM heads h JOIN locked k ON k.id = h.link_id
  ), tried AS (
    INSERT INTO attempts (workspace_id, delivery_id, link_id, fence, operation, revision)
    SELECT e.workspace_id, e.id, e.link_id, e.fence, 'send', e.wanted_revision FROM leased e
    WHERE e.turn <= at_once RETURNING id, delivery_id
  )
  SELECT array_agg(ROW('send', e.id, t.id, e.fence, e.attempt_count + 1)::leased_task)
  INTO tasks FROM leased e LEFT JOIN tried t ON t.delivery_id = e.id;
  RETURN coalesce(tasks, '{}');
END $$;

-- Leases up to `most` lanes of a connection whose head is due: sends first, then edits, removals and lookups. Chats whose
-- limits have no room are left out, and what is not urgent if only that is wanted. Attempts are opened for the first
-- `at_once` sends (null: all) and for each edit and removal; the others are leased ahead, see open_attempts. Answers what a
-- worker must know to act, as one JSON array.
CREATE FUNCTION claim_deliveries(connection uuid, most int, lease_seconds int, urgent boolean DEFAULT false, at_once int DEFAULT NULL) RETURNS json LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_material = off
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
  -- The platform asked the account to wait, or refused it: nobody calls before that has changed, in whatever process.
  IF EXISTS (SELECT 1 FROM connections WHERE id = connection AND (paused_until > now() OR status = 'error')) THEN RETURN '[]'; END IF;
  WITH heads AS (
    -- Each step looks one row up by its id or its lane, whatever the statistics say: while they still tell of empty tables,
    -- a join would go through all that waits, for each message.
    SELECT d.id, d.workspace_id, d.message_id, d.wanted_revision, d.attempt_count, d.priority, d.position, l.id AS link_id
    FROM (SELECT * FROM due_sends(connection, urgent) ORDER BY priority, position LIMIT window_size) d CROSS JOIN LATERAL (
      SELECT e.id FROM deliveries e WHERE e.connection_id = connection AND e.lane = d.link_id ORDER BY e.position LIMIT 1) h CROSS JOIN LATERAL (
      SELECT k.id FROM links k WHERE k.id = d.link_id AND is_free(k)
      FOR NO KEY UPDATE SKIP LOCKED) l
    WHERE d.id = h.id
    ORDER BY d.priority, d.position LIMIT most
  ), locked AS (
    UPDATE links l SET leased_until = now() + make_interval(secs => lease_seconds), fence = fence + 1
    WHERE l.id = ANY (ARRAY(SELECT link_id FROM heads)) RETURNING l.id, l.fence
  ), leased AS (
    SELECT k.fence, row_number() OVER (ORDER BY h.priority, h.position) AS place, h.* FROM heads h JOIN locked k ON k.id = h.link_id
  ), tried AS (
    INSERT INTO attempts (workspace_id, delivery_id, link_id, fence, operation, revision)
    SELECT e.workspace_id, e.id, e.link_id, e.fence, 'send', e.wanted_revision FROM leased e
    WHERE e.place <= coalesce(at_once, most) RETURNING id, delivery_id
  )
  SELECT array_agg(ROW('send', e.id, t.id, e.fence, e.attempt_count + 1)::leased_task), array_agg(e.id), array_agg(e.message_id),
    CASE WHEN count(*) < most THEN EXISTS (SELECT FROM due_sends(connection, urgent) ORDER BY priority, position OFFSET window_size LIMIT 1) END
  INTO tasks, taken, message_ids, flooded FROM leased e LEFT JOIN tried t ON t.delivery_id = e.id;
  IF flooded THEN
    tasks := tasks || claim_beside_flood(connection, most - coalesce(cardinality(tasks), 0), lease_seconds, urgent,
      coalesce(at_once, most) - coalesce(cardinality(tasks), 0));
    SELECT array_agg(t.delivery_id), array_agg(d.message_id) INTO taken, message_ids
    FROM unnest(tasks) t CROSS JOIN LATERAL (SELECT * FROM deliveries e WHERE e.id = t.delivery_id OFFSET 0) d;
  END IF;
  IF taken IS NOT NULL THEN
    begun := begin_deliveries(taken, message_ids);
    IF cardinality(begun) < cardinality(taken) THEN tasks := hand_back(connection, tasks, begun); END IF;
  END IF;
  tasks := tasks || claim_changes(connection, CASE WHEN urgent THEN 0 ELSE most - coalesce(cardinality(tasks), 0) END, lease_seconds);
  RETURN CASE WHEN tasks = '{}' THEN '[]' ELSE describe_tasks(tasks) END;
END $$;

-- Opens attempts of sends of a connection that were leased ahead, right before their calls. A lane that was taken over meanwhile
-- gets none: whoever takes over keeps others from opening, so that it sees all that were opened before.
CREATE FUNCTION open_attempts(connection uuid, delivery_ids uuid[], lanes uuid[], fences bigint[], revisions int[]) RETURNS TABLE (id uuid, delivery_id uuid) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_material = off AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(opening_of(connection));
  RETURN QUERY INSERT INTO attempts AS a (workspace_id, delivery_id, link_id, fence, operation, revision)
  SELECT d.workspace_id, d.id, l.id, l.fence, 'send', x.revision
  FROM unnest(delivery_ids, lanes, fences, revisions) AS x (delivery_id, lane, fence, revision) JOIN links l ON l.id = x.lane AND l.fence = x.fence
  JOIN deliveries d ON d.id = x.delivery_id AND d.status = 'sending'
  RETURNING a.id, a.delivery_id;
END $$;

-- What platforms know a message by. Looked up by the message, whatever else is asked: through the key of the map, a chat would be read from end to end.
CREATE FUNCTION remote_parts(message uuid) RETURNS SETOF remote_messages LANGUAGE sql STABLE AS $$
  SELECT x.* FROM remote_messages x WHERE x.message_id = message OFFSET 0
$$;

-- The thread of a platform chat that holds a message, which may have no copy there.
CREATE FUNCTION thread_in_chat(message uuid, connection uuid, chat text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT x.external_thread_id FROM remote_parts(message) x
  WHERE x.connection_id = connection AND x.external_chat_id = chat ORDER BY x.alias, x.part_index LIMIT 1
$$;

-- The platform's ids in the chat of a link of all messages made since a moment, but one. Removed links had their messages there, too.
CREATE FUNCTION others_in_chat(l links, since timestamptz, but uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(x.external_id), '[]')
  FROM (SELECT DISTINCT k.conversation_id AS id FROM links k
    WHERE k.connection_id = l.connection_id AND k.external_id = l.external_id OFFSET 0) c
  CROSS JOIN LATERAL (
    SELECT m.id FROM messages m WHERE m.conversation_id = c.id AND m.created_at > since AND m.deleted_at IS NULL
    UNION ALL
    SELECT m.id FROM messages m WHERE m.conversation_id = c.id AND m.created_at > since AND m.deleted_at IS NOT NULL) o
  CROSS JOIN LATERAL remote_parts(o.id) x
  WHERE o.id <> but AND x.connection_id = l.connection_id AND x.external_chat_id = l.external_id
$$;

-- The lock under which attempts of a connection are opened: shared by those who do, alone for who takes over.
CREATE FUNCTION opening_of(connection uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('opening ' || connection, 0)
$$;

-- Between the look at a lane and its lock another worker may have sent the head, or a client canceled it. Such a lane is
-- given back, and looked at again. Answers the tasks that stay.
CREATE FUNCTION hand_back(connection uuid, tasks leased_task[], moved uuid[]) RETURNS leased_task[] LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM attempts a USING unnest(tasks) t WHERE a.id = t.attempt_id AND NOT a.delivery_id = ANY (moved);
  UPDATE links l SET leased_until = NULL FROM unnest(tasks) t JOIN deliveries d ON d.id = t.delivery_id
  WHERE l.id = d.link_id AND NOT d.id = ANY (moved);
  PERFORM wake_connections(ARRAY[connection]);
  RETURN ARRAY(SELECT t FROM unnest(tasks) t WHERE t.delivery_id = ANY (moved));
END $$;

-- Edits and removals of what the platform shows already, and lookups of lost answers.
CREATE FUNCTION claim_changes(connection uuid, most int, lease_seconds int) RETURNS leased_task[] LANGUAGE plpgsql AS $$
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

-- Everything a worker must know about its tasks.
CREATE FUNCTION describe_tasks(tasks leased_task[]) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object(
    'operation', t.operation, 'connection_id', d.connection_id, 'delivery_id', d.id, 'attempt_id', t.attempt_id, 'fence', t.fence,
    'attempt_count', t.attempt_count, 'expires_at', wire_time(d.expires_at),
    'uncertain_at', wire_time(d.uncertain_at),
    -- Tries that certainly wrote nothing are left out.
    'started_at', CASE WHEN t.operation = 'reconcile' THEN (
      SELECT wire_time(coalesce(min(a.started_at) FILTER (WHERE coalesce(a.outcome, 'uncertain') = 'uncertain'), min(a.started_at)))
      FROM attempts a WHERE a.delivery_id = d.id) END,
    -- A try that a worker closed itself has an error; of one that was taken over nobody knows when its connection was closed.
    'last_try', CASE WHEN t.operation = 'reconcile' THEN (
      SELECT json_build_object('started_at', wire_time(a.started_at), 'revision', a.revision,
        'closed_at', CASE WHEN a.error IS NOT NULL THEN wire_time(a.finished_at) END)
      FROM attempts a WHERE a.delivery_id = d.id
      ORDER BY (coalesce(a.outcome, 'uncertain') = 'uncertain') DESC, a.started_at DESC, a.id DESC LIMIT 1) END,
    'priority', d.priority,
    'message', json_build_object('id', m.id, 'category', m.category, 'text', m.text, 'spans', m.spans, 'content_type', m.content_type,
      -- Links stay as they were at the first try: a message that is looked for must say what the lost one said.
      'attachments', CASE WHEN m.attachments = '[]' THEN '[]'::json ELSE attachment_records(m.attachments, coalesce(
        (SELECT min(a.started_at) FROM attempts a WHERE a.delivery_id = d.id AND t.operation IN ('send', 'reconcile')), now())) END,
      'revision', m.revision, 'automatic', m.metadata ? 'notice', 'deleted', m.deleted_at IS NOT NULL),
    'link', json_build_object('id', l.id, 'external_id', l.external_id, 'external_thread_id', l.external_thread_id,
      'address', l.address, 'attribution', l.attribution),
    'sender', CASE WHEN d.relay_of_link_id IS NOT NULL THEN (
      SELECT json_build_object('display_name', u.display_name, 'profile_image', u.profile_image)
      FROM users u WHERE u.id = m.sender_id) END,
    -- Of a link to a whole chat: the thread that holds the message, or the one that it answers.
    'external_thread_id', CASE WHEN l.external_thread_id IS NULL THEN CASE
      WHEN t.operation IN ('edit', 'delete') THEN (SELECT x.external_thread_id FROM remote_parts(m.id) x
        WHERE x.delivery_id = d.id ORDER BY x.part_index LIMIT 1)
      WHEN m.reply_to_id IS NOT NULL OR m.thread_id IS NOT NULL THEN coalesce(
        thread_in_chat(m.reply_to_id, d.connection_id, l.external_id), thread_in_chat(m.thread_id, d.connection_id, l.external_id)) END END,
    'reply_to_external_id', CASE WHEN m.reply_to_id IS NOT NULL THEN (
      SELECT platform_id(x.external_id) FROM remote_parts(m.reply_to_id) x
      WHERE x.connection_id = d.connection_id AND x.external_chat_id = l.external_id ORDER BY x.alias, x.part_index LIMIT 1) END,
    'thread', CASE WHEN m.thread_id IS NOT NULL THEN json_build_object('root_external_id', (
      SELECT platform_id(x.external_id) FROM remote_parts(m.thread_id) x
      WHERE x.connection_id = d.connection_id AND x.external_chat_id = l.external_id ORDER BY x.alias, x.part_index LIMIT 1)) END,
    -- Sends with an unknown outcome, when one is made again.
    'in_doubt', CASE WHEN t.operation = 'send' AND d.uncertain_at IS NOT NULL THEN (
      SELECT json_build_object('revision', CASE WHEN min(a.revision) = max(a.revision) THEN min(a.revision) END,
        'started_at', wire_time(min(a.started_at))) FROM attempts a
      WHERE a.delivery_id = d.id AND a.operation = 'send' AND a.outcome = 'uncertain' HAVING count(*) > 0)
    -- The edits since the last one that was done, with an unknown outcome. Where they are of several revisions, it is not known
    -- which of them a part is of.
    WHEN t.operation = 'edit' THEN (
      SELECT json_build_object('revision', CASE WHEN min(a.revision) = max(a.revision) THEN min(a.revision) END,
        'started_at', wire_time(min(a.started_at))) FROM attempts a
      WHERE a.delivery_id = d.id AND a.operation = 'edit' AND a.outcome = 'uncertain' AND a.started_at > coalesce((
        SELECT max(e.started_at) FROM attempts e WHERE e.delivery_id = d.id AND e.operation = 'edit' AND e.outcome = 'sent'), '-infinity')
      HAVING count(*) > 0) END,
    'known_ids', CASE WHEN t.operation = 'reconcile' OR ((t.operation = 'edit' OR d.uncertain_at IS NOT NULL) AND EXISTS (
      SELECT FROM delivery_parts p WHERE p.delivery_id = d.id AND p.status = 'uncertain')) THEN others_in_chat(l, d.created_at - interval '1 day', m.id) ELSE '[]' END,
    -- Before the second try, or the first that was interrupted, there are none.
    'parts', CASE WHEN t.operation = 'send' AND t.attempt_count = 1 AND d.uncertain_at IS NULL AND NOT d.resumed THEN '[]' ELSE coalesce((
      SELECT json_agg(json_build_object('index', p.index, 'kind', p.kind, 'status', p.status,
        'external_id', p.external_id) ORDER BY p.index) FROM delivery_parts p WHERE p.delivery_id = d.id), '[]') END
  ) ORDER BY d.priority, d.position), '[]')
  FROM unnest(tasks) t
  JOIN deliveries d ON d.id = t.delivery_id JOIN messages m ON m.id = d.message_id JOIN links l ON l.id = d.link_id
$$;

CREATE TYPE known_part AS (delivery_id uuid, index smallint, kind text, status text, external_id text, thread text);

-- Records parts as they became known: the id map grows with them.
CREATE FUNCTION record_parts(parts known_part[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery_parts (delivery_id, index, kind, status, external_id, sent_at)
  SELECT p.delivery_id, p.index, p.kind, p.status, p.external_id, CASE WHEN p.status = 'sent' THEN now() END
  FROM unnest(parts) p WHERE p.status <> 'removed'
  -- A report may have told of a part before its worker, which knows it as pending or lost its answer.
  ON CONFLICT (delivery_id, index) DO UPDATE SET kind = excluded.kind,
    status = CASE WHEN delivery_parts.status = 'sent' AND excluded.status IN ('pending', 'uncertain') THEN 'sent' ELSE excluded.status END,
    external_id = coalesce(excluded.external_id, delivery_parts.external_id),
    sent_at = coalesce(delivery_parts.sent_at, excluded.sent_at);
  IF EXISTS (SELECT FROM unnest(parts) p WHERE p.status = 'removed') THEN
    DELETE FROM delivery_parts x USING unnest(parts) p
    WHERE p.status = 'removed' AND x.delivery_id = p.delivery_id AND x.index = p.index;
  END IF;
  INSERT INTO remote_messages (connection_id, external_chat_id, external_id, workspace_id, message_id, delivery_id, part_index,
    external_thread_id)
  SELECT d.connection_id, d.external_chat_id, p.external_id, d.workspace_id, d.message_id, d.id, p.index, p.thread
  FROM unnest(parts) p JOIN deliveries d ON d.id = p.delivery_id
  WHERE p.external_id IS NOT NULL AND p.status = 'sent'
  ON CONFLICT (connection_id, external_chat_id, external_id) DO UPDATE SET message_id = excluded.message_id,
    delivery_id = excluded.delivery_id, part_index = excluded.part_index, alias = false,
    external_thread_id = coalesce(excluded.external_thread_id, remote_messages.external_thread_id);
END $$;

-- The same for one delivery, with parts as they are told.
CREATE FUNCTION record_parts(delivery uuid, parts jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT record_parts(ARRAY(SELECT ROW(delivery, p.index, p.kind, p.status, p.external_id, p.thread)::known_part
    FROM jsonb_to_recordset(parts) p (index smallint, kind text, status text, external_id text, thread text)))
$$;

-- Makes ended deliveries ready to be put on their way again. What stopped halfway goes on from there, and what was not
-- written, or was refused after all, is no part any more; what failed after it had gone out as a whole is sent anew. The
-- caller holds the locks of the messages.
CREATE FUNCTION prepare_requeue(ids uuid[]) RETURNS void LANGUAGE sql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
  DELETE FROM delivery_parts p USING deliveries d WHERE p.delivery_id = d.id AND d.id = ANY (ids)
    AND d.status IN ('failed', 'expired', 'blocked') AND (d.sent_at IS NOT NULL OR p.status <> 'sent' OR p.receipt = 'failed');
  UPDATE deliveries d SET sent_at = NULL, delivered_at = NULL, uncertain_at = NULL, resolution = NULL, degradations = '{}',
    wanted_revision = m.revision, resumed = true
  FROM messages m WHERE d.id = ANY (ids) AND d.status IN ('failed', 'expired', 'blocked') AND m.id = d.message_id;
$$;

-- The outcome of one task: with the move of its delivery, or the change of one that keeps its status.
CREATE TYPE task_result AS (delivery_id uuid, link_id uuid, message_id uuid, attempt_id uuid, fence bigint,
  outcome text, error jsonb, parts known_part[], move delivery_move, change jsonb, keep boolean, chat text);

-- A lane that was given back.
CREATE TYPE freed_lane AS (link_id uuid, connection_id uuid);

-- A move of this delivery. Nothing is sent again of a message that was deleted meanwhile, or to a chat that was unlinked.
CREATE FUNCTION granted_move(m delivery_move, delivery uuid, withdrawn boolean) RETURNS delivery_move LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW(delivery, m.was, CASE WHEN withdrawn AND m.becomes = 'queued' THEN 'canceled' ELSE m.becomes END, m.attempt_count,
    m.revision, m.degradations, m.judged, m.error, m.resolution, CASE WHEN NOT (withdrawn AND m.becomes = 'queued') THEN m.next_attempt_at END,
    m.expires_at, m.at)::delivery_move
$$;

-- Closes attempts: parts, moves, changes and lanes in one transaction. A result whose fence is not the lane's any more
-- changes nothing but its attempt: someone else owns the delivery now. Results are task_results as JSON; of `change`
-- revision, given_up, removal, tries, degradations and next_attempt_at may be there; `chat` is the one that writing to an address opened. Answers the lanes that were freed and hold more work.
-- It waits for a lock as long as that takes: what a platform answered is known nowhere else, and is in doubt soon.
CREATE FUNCTION settle_deliveries(results jsonb) RETURNS uuid[] LANGUAGE plpgsql SET lock_timeout = 0
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_material = off AS $$
DECLARE
  done task_result[] := ARRAY(SELECT r FROM jsonb_populate_recordset(NULL::task_result, results) r);
  owned task_result[];
  unlinked boolean[];
  lanes freed_lane[];
  moves delivery_move[];
  parts known_part[];
  moved uuid[] := '{}';
  requeued boolean;
  changed boolean;
  again boolean;
  opened boolean;
  without_files uuid[];
BEGIN
  -- The lanes, one after the other by id. They are given back at once, for nobody sees that before the rest; a lock of its own
  -- first would be written to the log once more for each.
  WITH released AS (
    UPDATE links l SET leased_until = CASE WHEN n.keep THEN l.leased_until END,
      last_outbound_at = CASE WHEN n.sent THEN now() ELSE l.last_outbound_at END
    FROM (SELECT r.link_id, r.fence, bool_or(r.keep IS NOT TRUE) IS FALSE AS keep, bool_or((r.move).becomes = 'sent' AND r.keep IS NOT TRUE) AS sent,
        array_agg(r::task_result) AS results
      FROM unnest(done) r GROUP BY r.link_id, r.fence ORDER BY r.link_id) n
    WHERE l.id = n.link_id AND l.fence = n.fence RETURNING n.results, l.removed_at IS NOT NULL AS unlinked
  )
  SELECT array_agg(r::task_result), array_agg(x.unlinked) INTO owned, unlinked FROM released x CROSS JOIN LATERAL unnest(x.results) r;
  PERFORM 1 FROM messages WHERE id IN (SELECT message_id FROM unnest(done)) ORDER BY id FOR NO KEY UPDATE;
  UPDATE attempts a SET finished_at = clock_timestamp(), outcome = r.outcome, error = nullif(r.error, 'null')
  FROM unnest(done) r WHERE a.id = r.attempt_id;
  IF owned IS NULL THEN RETURN '{}'; END IF;
  done := owned;
  SELECT array_agg(granted_move(r.move, r.delivery_id, d.removal IS NOT NULL OR r.unlinked)) FILTER (WHERE (r.move).becomes IS NOT NULL),
    array_agg(ROW(r.link_id, d.connection_id)::freed_lane) FILTER (WHERE r.keep IS NOT TRUE),
    bool_or((r.move).becomes = 'queued'), bool_or(r.change IS NOT NULL),
    bool_or((r.move).next_attempt_at IS NOT NULL OR r.change IS NOT NULL), bool_or(r.chat IS NOT NULL),
    array_agg(r.delivery_id) FILTER (WHERE r.error->>'platform_code' = 'media_pending')
  INTO moves, lanes, requeued, changed, again, opened, without_files
  FROM ROWS FROM (unnest(owned), unnest(unlinked)) AS r (delivery_id, link_id, message_id, attempt_id, fence, outcome, error, parts,
    move, change, keep, chat, unlinked) JOIN deliveries d ON d.id = r.delivery_id;
  -- A file that was fetched while its message was being sent wakes nothing. Before deliveries are locked, as where fetches end.
  IF without_files IS NOT NULL THEN PERFORM lock_files(without_files); END IF;
  IF opened THEN PERFORM open_chat(r.link_id, r.chat) FROM unnest(done) r WHERE r.chat IS NOT NULL; END IF;
  SELECT array_agg(ROW(r.delivery_id, p.index, p.kind, p.status, p.external_id, p.thread)::known_part) INTO parts FROM unnest(done) r CROSS JOIN LATERAL unnest(r.parts) p;
  IF parts IS NOT NULL THEN
    PERFORM record_parts(parts);
    -- What waits between two of its parts goes on behind those that were written.
    IF requeued THEN
      UPDATE deliveries d SET resumed = true FROM unnest(done) r
      WHERE d.id = r.delivery_id AND (r.move).becomes = 'queued' AND r.parts <> '{}';
    END IF;
  END IF;
  IF moves IS NOT NULL THEN moved := apply_moves(moves); END IF;
  IF requeued THEN
    PERFORM withhold_requeued(ARRAY(SELECT w.id FROM unnest(moves) w WHERE w.becomes = 'queued' AND w.id = ANY (moved)));
  END IF;
  IF without_files IS NOT NULL THEN PERFORM free_with_files(without_files); END IF;
  IF changed THEN PERFORM apply_changes(done); END IF;
  IF again THEN
    PERFORM wake_connections(ARRAY[l.connection_id], r.again_at) FROM (
      SELECT x.link_id, coalesce((x.move).next_attempt_at, (x.change->>'next_attempt_at')::timestamptz) AS again_at FROM unnest(done) x) r
    JOIN links l ON l.id = r.link_id WHERE r.again_at IS NOT NULL;
  END IF;
  IF parts IS NOT NULL AND EXISTS (SELECT FROM early_events WHERE waits) THEN PERFORM apply_early_events(ARRAY(SELECT delivery_id FROM unnest(done))); END IF;
  RETURN ARRAY(SELECT f.link_id FROM unnest(lanes) f WHERE coalesce(
    (SELECT e.id FROM deliveries e WHERE e.connection_id = f.connection_id AND e.lane = f.link_id ORDER BY e.position LIMIT 1),
    (SELECT e.id FROM deliveries e WHERE e.connection_id = f.connection_id AND e.link_id = f.link_id
      AND e.duty IN ('edit', 'delete', 'lookup') LIMIT 1)) IS NOT NULL);
END $$;

-- What edits, removals and lookups leave in a delivery that keeps its status. Told is what a reader can see: which revision
-- the platform shows, and what it could not do; not when it is tried or asked for again.
CREATE FUNCTION apply_changes(done task_result[]) RETURNS void LANGUAGE sql AS $$
  WITH changed AS (
    UPDATE deliveries d SET revision = coalesce((r.change->>'revision')::int, d.revision),
      wanted_revision = CASE WHEN d.wanted_revision <= (r.change->>'given_up')::int THEN d.revision ELSE d.wanted_revision END,
      removal = coalesce(r.change->>'removal', d.removal), change_tries = coalesce((r.change->>'tries')::int, d.change_tries),
      -- A lookup has no attempt; what it says of the next one is of no use to what a receipt or a person has decided meanwhile.
      next_attempt_at = CASE WHEN r.attempt_id IS NOT NULL OR d.status = 'uncertain' THEN (r.change->>'next_attempt_at')::timestamptz END,
      updated_at = now(),
      -- An edit that is shown takes the place of the text and of what that had lost.
      degradations = CASE WHEN r.change ? 'degradations' THEN ARRAY(
        SELECT DISTINCT x FROM (SELECT jsonb_array_elements_text(r.change->'degradations') UNION ALL
          SELECT o FROM unnest(d.degradations) o WHERE NOT (r.change ? 'revision' AND (o = 'edit' OR o LIKE 'format.%'))) y (x))
        ELSE d.degradations END
    FROM unnest(done) r WHERE d.id = r.delivery_id AND r.change IS NOT NULL
    RETURNING d, r.change ? 'revision' OR coalesce(r.change->'degradations', '[]') <> '[]' AS shows
  )
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT (c.d).workspace_id, 'delivery.updated', (c.d).conversation_id, delivery_record(c.d),
    json_build_object('previous', json_build_object('status', (c.d).status)) FROM changed c
  WHERE c.shows AND moves_heard((c.d).workspace_id)
$$;

-- What came before the record of the send that it is about, in the platform's order; receipts wait on while it is still being
-- sent. Messages by id, as everywhere.
CREATE FUNCTION apply_early_events(delivery_ids uuid[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  early record;
BEGIN
  FOR early IN
    SELECT e, x.message_id FROM deliveries d JOIN remote_messages x ON x.message_id = d.message_id AND x.delivery_id = d.id
    JOIN early_events e ON e.connection_id = x.connection_id AND e.external_chat_id = x.external_chat_id
      AND e.external_id = x.external_id AND e.waits
    WHERE d.id = ANY (delivery_ids) ORDER BY x.message_id, e.event->>'order' NULLS FIRST, e.id FOR UPDATE OF e SKIP LOCKED
  LOOP
    IF apply_early_event(early.e, early.message_id) THEN PERFORM settle_early(early.e); END IF;
  END LOOP;
END $$;

-- The present time, if sends of dead workers are in lanes whose lease has ended by now.
CREATE FUNCTION stale_lanes_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT now() WHERE EXISTS (SELECT FROM deliveries d JOIN links l ON l.id = d.link_id
    WHERE d.duty = 'send' AND d.status = 'sending' AND (l.leased_until IS NULL OR l.leased_until < now()))
$$;

-- Deliveries among these with an open attempt that may have written a part which is not recorded. `begun`: by process, the writes
-- that it began, as "attempt.part"; of a process that is not there nothing is known.
CREATE FUNCTION maybe_written(ids uuid[], begun jsonb) RETURNS uuid[] LANGUAGE sql STABLE AS $$
  WITH open AS MATERIALIZED (
    SELECT a.id, a.delivery_id, a.process FROM attempts a WHERE a.delivery_id = ANY (ids) AND a.finished_at IS NULL
  ), marks AS MATERIALIZED (
    SELECT split_part(m.mark, '.', 1)::uuid AS attempt, split_part(m.mark, '.', 2)::smallint AS part
    FROM jsonb_each(begun) b CROSS JOIN LATERAL jsonb_array_elements_text(b.value) m (mark)
    WHERE b.key IN (SELECT process FROM open)
  )
  SELECT coalesce(array_agg(DISTINCT x.delivery_id), '{}') FROM (
    SELECT o.delivery_id FROM open o WHERE o.process IS NULL OR NOT begun ? o.process
    UNION ALL
    SELECT o.delivery_id FROM marks m JOIN open o ON o.id = m.attempt
      LEFT JOIN delivery_parts p ON p.delivery_id = o.delivery_id AND p.index = m.part
    WHERE p.status IS DISTINCT FROM 'sent') x
$$;

-- Frees the lanes of dead workers. What they had begun may have happened; what they had leased ahead, or opened and not begun, has
-- not, and is due again. Only lanes whose lease ended before `before`, when the journals were not read yet: who lost a lane begins
-- nothing in it, so that all it has begun stands in them.
CREATE FUNCTION take_over_lanes(begun jsonb DEFAULT '{}', before timestamptz DEFAULT now()) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  stale uuid[];
  unbegun uuid[];
  items jsonb;
BEGIN
  SELECT array_agg(s.id) INTO stale FROM (
    SELECT d.id FROM deliveries d JOIN links l ON l.id = d.link_id
    WHERE d.duty = 'send' AND d.status = 'sending' AND (l.leased_until IS NULL OR l.leased_until < before)
    LIMIT 1000 FOR NO KEY UPDATE OF l SKIP LOCKED) s;
  IF stale IS NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(opening_of(c.id)) FROM (
    SELECT DISTINCT connection_id AS id FROM deliveries WHERE id = ANY (stale) ORDER BY 1) c;
  UPDATE links l SET fence = fence + 1, leased_until = NULL FROM deliveries d WHERE d.id = ANY (stale) AND l.id = d.link_id;
  unbegun := ARRAY(SELECT id FROM unnest(stale) s (id) EXCEPT ALL SELECT unnest(maybe_written(stale, begun)));
  UPDATE attempts a SET finished_at = clock_timestamp(), outcome = CASE WHEN a.delivery_id = ANY (unbegun) THEN 'waiting' ELSE 'uncertain' END
  WHERE a.delivery_id = ANY (stale) AND a.finished_at IS NULL;
  -- Parts that were written before are not written again.
  UPDATE deliveries d SET resumed = true WHERE d.id = ANY (unbegun) AND NOT d.resumed
    AND EXISTS (SELECT FROM delivery_parts p WHERE p.delivery_id = d.id);
  SELECT jsonb_agg(jsonb_build_object('id', d.id, 'from', '["sending"]'::jsonb) || CASE WHEN d.id = ANY (unbegun) THEN
    jsonb_build_object('attempt_count', d.attempt_count - 1,
      'to', CASE WHEN d.removal IS NOT NULL OR l.removed_at IS NOT NULL THEN 'canceled' ELSE 'queued' END)
  ELSE jsonb_build_object('to', 'uncertain',
    'next_attempt_at', CASE WHEN c.settings->>'uncertain_policy' = 'reconcile'
      OR (c.settings->>'uncertain_policy' = 'retry' AND m.category <> 'marketing') THEN now() + interval '2 s' END,
    'error', jsonb_build_object('code', 'outcome_unknown', 'permanent', false, 'platform_code', NULL,
      'message', 'The sender stopped before the platform''s answer was recorded.')) END)
  INTO items FROM deliveries d JOIN links l ON l.id = d.link_id JOIN messages m ON m.id = d.message_id
  JOIN connections c ON c.id = d.connection_id WHERE d.id = ANY (stale);
  PERFORM move_deliveries(items);
  -- What the platform reported of them meanwhile.
  IF EXISTS (SELECT FROM early_events) THEN PERFORM apply_early_events(stale); END IF;
  unbegun := ARRAY(SELECT id FROM deliveries WHERE id = ANY (unbegun) AND status = 'queued');
  IF unbegun <> '{}' THEN PERFORM withhold_requeued(unbegun); END IF;
END $$;

-- Ends what its time has ended. Answers in how many milliseconds the next one ends: 0 when there are more now, null when there is none.
CREATE FUNCTION expire_deliveries() RETURNS int LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  most CONSTANT int := 1000;
  items jsonb;
BEGIN
  SELECT jsonb_agg(jsonb_build_object('id', id, 'from', jsonb_build_array(status),
    'to', CASE status WHEN 'queued' THEN 'expired' ELSE 'failed' END,
    'resolution', CASE status WHEN 'uncertain' THEN 'timeout' END,
    'error', jsonb_build_object('code', CASE status WHEN 'queued' THEN 'expired' ELSE 'outcome_unknown' END,
      'permanent', true, 'platform_code', NULL, 'message', CASE status WHEN 'queued'
        THEN 'The message could not be sent in time.' ELSE 'Whether the message was sent could not be found out in time.' END)))
  INTO items FROM (SELECT id, status FROM deliveries WHERE status IN ('queued', 'uncertain') AND ends_at <= now() LIMIT most) x;
  IF items IS NOT NULL THEN PERFORM move_deliveries(items); END IF;
  IF jsonb_array_length(items) = most THEN RETURN 0; END IF;
  RETURN (SELECT ceil(1000 * greatest(0, extract(epoch FROM x.ends_at - clock_timestamp()))) FROM (
    SELECT ends_at FROM deliveries WHERE ends_at > now() AND ends_at < now() + interval '1 minute' AND status IN ('queued', 'uncertain')
    ORDER BY ends_at LIMIT 1) x);
END $$;

-- What was put into the lane of a chat while that was unlinked, which neither of the two saw: nobody would send it. Of a connection
-- that was removed, with all its links at once, is looked at what waits, and not at the links.
CREATE FUNCTION cancel_in_gone_lanes() RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  items jsonb;
BEGIN
  SELECT jsonb_agg(jsonb_build_object('id', d.id, 'from', '["queued"]'::jsonb, 'to', 'canceled')) INTO items FROM (
    SELECT d.id FROM connections k CROSS JOIN LATERAL (
      SELECT e.id FROM links l CROSS JOIN LATERAL (
        SELECT x.id FROM deliveries x WHERE x.connection_id = k.id AND x.lane = l.id AND x.status = 'queued' OFFSET 0) e
      WHERE k.deleted_at IS NULL AND l.connection_id = k.id AND (l.removed_at IS NULL) IS FALSE
        AND l.removed_at > now() - interval '5 minutes'
      UNION ALL
      SELECT x.id FROM deliveries x WHERE k.deleted_at > now() - interval '5 minutes' AND x.connection_id = k.id
        AND x.duty = 'send' AND x.status = 'queued') d LIMIT 1000) d;
  IF items IS NOT NULL THEN PERFORM move_deliveries(items); END IF;
END $$;

-- Work that lost its reminder or that time has ended. Answers the connections that have something to do now.
CREATE FUNCTION sweep_deliveries() RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  woken uuid[];
BEGIN
  PERFORM expire_deliveries();
  PERFORM cancel_in_gone_lanes();

  -- An event and the record of the send it is about that were committed at the same moment did not see each other.
  PERFORM apply_early_events(ARRAY(SELECT DISTINCT x.delivery_id FROM (
      SELECT * FROM early_events WHERE waits AND received_at < now() - interval '2 s' ORDER BY id DESC LIMIT 500) e
    JOIN remote_messages x ON x.connection_id = e.connection_id AND x.external_chat_id = e.external_chat_id
      AND x.external_id = e.external_id JOIN deliveries d ON d.id = x.delivery_id
      AND (e.event->>'type' <> 'receipt' OR d.status NOT IN ('queued', 'sending'))));
  PERFORM join_early_events();
  PERFORM join_withdrawals();
  PERFORM release_copies();

  SELECT array_agg(c.id) INTO woken FROM connections c WHERE c.deleted_at IS NULL AND c.enabled AND (
    EXISTS (SELECT 1 FROM deliveries d WHERE d.connection_id = c.id AND d.duty = 'send' AND d.status = 'queued'
      AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now()))
    OR EXISTS (SELECT 1 FROM deliveries d WHERE d.connection_id = c.id AND d.duty IN ('edit', 'delete', 'lookup')
      AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now())));
  RETURN coalesce(woken, '{}');
END $$;

-- What a platform reports about one of several parts, and what its delivery is by all of them: failed with any of them,
-- delivered or read with the last. Null: a part that is still to be written may change everything. What a delivery that was
-- sent was to have more once, before it was edited, or may have got by an edit, is no part of it.
CREATE FUNCTION merge_part_receipt(delivery uuid, part smallint, state text, complete boolean) RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  ranks text[] := ARRAY['sent', 'failed', 'delivered', 'read'];
BEGIN
  UPDATE delivery_parts SET receipt = state WHERE delivery_id = delivery AND index = part
    AND array_position(ranks, state) > array_position(ranks, coalesce(receipt, 'sent'));
  RETURN (SELECT CASE WHEN bool_or(coalesce(p.receipt, p.status) = 'failed') THEN 'failed'
      WHEN bool_or(p.status <> 'sent') THEN NULL
      WHEN bool_and(coalesce(p.receipt, '') = 'read') THEN 'read'
      WHEN bool_and(coalesce(p.receipt, '') IN ('delivered', 'read')) THEN 'delivered'
      ELSE 'sent' END
    FROM delivery_parts p WHERE p.delivery_id = delivery AND NOT (complete AND p.status IN ('pending', 'uncertain')));
END $$;

-- The revision that the last try of a delivery wrote, or may have written.
CREATE FUNCTION tried_revision(delivery uuid) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT a.revision FROM attempts a WHERE a.delivery_id = delivery ORDER BY a.started_at DESC, a.id DESC LIMIT 1), 1)
$$;

-- The part that a report names by the reference of its create: `<delivery>.<part>.<last part>`. Null: it names none in this chat
-- of this connection.
CREATE FUNCTION referenced_part(connection uuid, chat text, reference text, OUT delivery uuid, OUT part smallint, OUT last_part smallint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  named text[] := regexp_match(reference, '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,3})\.(\d{1,3})$');
BEGIN
  SELECT d.id, named[2]::smallint, named[3]::smallint INTO delivery, part, last_part FROM deliveries d
  WHERE d.id = named[1]::uuid AND d.connection_id = connection AND d.external_chat_id = chat;
END $$;

-- Learns by which id the platform knows a part, from a report that names the part: the answer to its create may be lost, or not
-- recorded yet. Answers whether it did; a part that is known by another id keeps that. Parts behind it were never sent, since
-- each is written after the record of the one before.
CREATE FUNCTION learn_part(connection uuid, chat text, remote_id text, reference text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  n record;
  d deliveries;
BEGIN
  n := referenced_part(connection, chat, reference);
  IF n.delivery IS NULL THEN RETURN false; END IF;
  PERFORM 1 FROM messages WHERE id = (SELECT message_id FROM deliveries WHERE id = n.delivery) FOR NO KEY UPDATE;
  SELECT * INTO d FROM deliveries WHERE id = n.delivery;
  IF EXISTS (SELECT FROM delivery_parts p WHERE p.delivery_id = d.id AND p.index = n.part AND p.external_id IS NOT NULL) THEN RETURN false; END IF;
  IF d.status IN ('queued', 'sending', 'uncertain') THEN
    INSERT INTO delivery_parts (delivery_id, index, kind, status)
    SELECT d.id, g, 'text', 'pending' FROM generate_series(n.part + 1, n.last_part) g ON CONFLICT DO NOTHING;
  END IF;
  PERFORM record_parts(ARRAY[ROW(d.id, n.part, coalesce((SELECT p.kind FROM delivery_parts p WHERE p.delivery_id = d.id AND p.index = n.part), 'text'),
    'sent', remote_id, NULL)::known_part]);
  RETURN true;
END $$;

-- The part that was in doubt is known to be written. What follows it was never sent, and is on its way again.
CREATE FUNCTION go_on_sending(delivery uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[];
BEGIN
  IF EXISTS (SELECT FROM delivery_parts p WHERE p.delivery_id = delivery AND p.status NOT IN ('sent', 'pending')) THEN RETURN; END IF;
  moved := move_deliveries((SELECT jsonb_agg(jsonb_build_object('id', d.id, 'from', '["uncertain"]'::jsonb, 'to', 'queued',
    'resolution', 'reconciled', 'error', NULL)) FROM deliveries d JOIN links l ON l.id = d.link_id
    WHERE d.id = delivery AND d.removal IS NULL AND l.removed_at IS NULL));
  IF moved IS NULL OR moved = '{}' THEN RETURN; END IF;
  UPDATE deliveries SET resumed = true WHERE id = delivery;
  PERFORM withhold_requeued(moved);
  PERFORM wake_connections(ARRAY(SELECT connection_id FROM deliveries WHERE id = delivery));
END $$;

-- What a platform reports about a message we sent. Merged monotonically: a receipt never moves a delivery backwards, and of
-- several parts each has its own. Receipts that overtook the record of their send wait in early_events; one that names its
-- delivery (`reference`) ends the doubt about it. A failure may tell late that its recipient has unsubscribed on the platform, as a
-- refusal does. Locks: the link of a STOP, the message.
CREATE FUNCTION apply_receipt(connection uuid, chat text, remote_id text, state text, failure jsonb, at timestamptz, reference text DEFAULT NULL)
RETURNS boolean LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  target uuid;
  part smallint;
  was text;
  others boolean;
  unsent boolean;
  learned boolean := false;
  stops uuid;
BEGIN
  -- Links before messages, here as everywhere: a STOP takes back what waits.
  IF failure->>'code' = 'opted_out' THEN
    SELECT l.id INTO stops FROM deliveries d JOIN links l ON l.id = d.link_id
    WHERE d.id IN (SELECT x.delivery_id FROM remote_messages x
      WHERE x.connection_id = connection AND x.external_chat_id = chat AND x.external_id = remote_id
      UNION ALL SELECT n.delivery FROM referenced_part(connection, chat, reference) n) FOR NO KEY UPDATE OF l;
  END IF;
  IF reference IS NOT NULL AND NOT EXISTS (SELECT FROM remote_messages x WHERE x.connection_id = connection AND x.external_chat_id = chat
    AND x.external_id = remote_id AND starts_with(reference, x.delivery_id || '.')) THEN
    learned := learn_part(connection, chat, remote_id, reference);
  END IF;
  -- Under the lock of its message, so that a send that ends at this moment is seen.
  SELECT d.id, x.part_index INTO target, part
  FROM remote_messages x JOIN messages m ON m.id = x.message_id JOIN deliveries d ON d.id = x.delivery_id
  WHERE x.connection_id = connection AND x.external_chat_id = chat AND x.external_id = remote_id FOR NO KEY UPDATE OF m;
  SELECT d.status, o.n > 0, o.unsent > 0 INTO was, others, unsent FROM deliveries d CROSS JOIN LATERAL (
    SELECT count(*) AS n, count(*) FILTER (WHERE p.status <> 'sent') AS unsent FROM delivery_parts p
    WHERE p.delivery_id = d.id AND p.index <> part) o
  WHERE d.id = target AND d.status NOT IN ('queued', 'sending');
  IF NOT FOUND THEN RETURN false; END IF;
  IF others THEN
    state := merge_part_receipt(target, part, state, was IN ('sent', 'delivered', 'read'));
    IF state IS NULL AND learned AND was = 'uncertain' THEN PERFORM go_on_sending(target); END IF;
    IF state IS NULL THEN RETURN true; END IF;
  END IF;
  -- What is reported was sent, unless some parts of it never were.
  IF was = 'uncertain' AND NOT unsent THEN
    PERFORM move_deliveries(jsonb_build_array(jsonb_build_object('id', target, 'from', '["uncertain"]'::jsonb, 'to', 'sent',
      'error', NULL, 'resolution', 'reconciled', 'revision', tried_revision(target))));
  END IF;
  PERFORM move_deliveries(jsonb_build_array(jsonb_build_object('id', target) || CASE state
    WHEN 'sent' THEN jsonb_build_object('from', '["uncertain"]'::jsonb, 'to', 'sent', 'error', NULL)
    WHEN 'delivered' THEN jsonb_build_object('from', '["sent","failed"]'::jsonb, 'to', 'delivered', 'at', at, 'error', NULL)
    WHEN 'read' THEN jsonb_build_object('from', '["sent","delivered","failed"]'::jsonb, 'to', 'read', 'at', at, 'error', NULL)
    ELSE jsonb_build_object('from', '["sent","uncertain"]'::jsonb, 'to', 'failed', 'error', failure) END
    || CASE WHEN was = 'uncertain' THEN jsonb_build_object('resolution', 'reconciled') ELSE '{}' END));
  IF stops IS NOT NULL AND state = 'failed' AND was IN ('sent', 'uncertain') THEN PERFORM suppress_recipient(stops, 'opted_out'); END IF;
  RETURN true;
END $$;

-- The chat of a direct address was opened on the platform: the link and what waits on it get its id. When another link
-- holds that chat already, the chat belongs to that one and this link keeps its address; messages go there all the same.
CREATE FUNCTION open_chat(link uuid, chat text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  UPDATE links SET external_id = chat, address = NULL, updated_at = now()
  WHERE id = link AND NOT EXISTS (SELECT 1 FROM links o WHERE o.connection_id = links.connection_id AND o.id <> link
    AND o.external_id = chat AND coalesce(o.external_thread_id, '') = coalesce(links.external_thread_id, '') AND o.removed_at IS NULL);
  UPDATE deliveries SET external_chat_id = chat WHERE link_id = link AND status IN ('queued', 'sending', 'uncertain');
  RETURN chat;
END $$;

-- The platform says that the chat is gone or closed to us: nothing more is sent there until it writes again. Whose direct chat it
-- is can't be reached by it meanwhile.
CREATE FUNCTION break_link(link uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  broken links;
BEGIN
  UPDATE links SET status = 'broken', updated_at = now() WHERE id = link AND status = 'active' AND removed_at IS NULL RETURNING * INTO broken;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM set_reachable(p.identity, false) FROM person_of_chat(link) p WHERE p.certain;
  PERFORM announce_link(broken);
END $$;

-- The chat is there again: somebody writes in it, or the account was let in.
CREATE FUNCTION mend_link(link uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  mended links;
BEGIN
  UPDATE links SET status = 'active', updated_at = now() WHERE id = link AND status = 'broken' AND pause_reason IS NULL AND removed_at IS NULL
  RETURNING * INTO mended;
  IF FOUND THEN PERFORM announce_link(mended); END IF;
END $$;

-- `reason`: why the bridge itself has paused it.
CREATE FUNCTION announce_link(l links, reason text DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT c.workspace_id, 'conversation.link_updated', c.id, conversation_record(c, NULL),
    CASE WHEN reason IS NULL THEN json_build_object('link', link_record(l)) ELSE json_build_object('link', link_record(l), 'reason', reason) END
  FROM conversations c WHERE c.id = l.conversation_id
$$;
