-- Helpers for deliveries: their records, their moves between states, and the lanes of links. Functions that
-- run for each message keep their plans, since planning takes longer than running.

-- A delivery in the form of the API, from its row and its parts (delivery_related_data). Queries over many
-- rows call these two functions themselves, so that PostgreSQL inlines them; delivery_record, which combines
-- both, is called once per row.
CREATE OR REPLACE FUNCTION render_delivery(d deliveries, parts json) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', d.id, 'message_id', d.message_id, 'conversation_id', d.conversation_id, 'link_id', d.link_id,
    'connection_id', d.connection_id, 'platform', d.platform, 'external_chat_id', d.external_chat_id,
    'status', d.status,
    'parts', parts,
    'attempt_count', d.attempt_count, 'revision', d.revision, 'degradations', d.degradations,
    'error', d.error, 'resolution', d.resolution, 'superseded_by', d.superseded_by,
    'next_attempt_at', wire_time(d.next_attempt_at), 'expires_at', wire_time(d.expires_at),
    'uncertain_at', wire_time(d.uncertain_at), 'sent_at', wire_time(d.sent_at),
    'delivered_at', wire_time(d.delivered_at), 'read_at', wire_time(d.read_at),
      'failed_at', wire_time(d.failed_at),
    'created_at', wire_time(d.created_at), 'updated_at', wire_time(d.updated_at))
$$;

-- The parts of a delivery record that come from other tables. One row.
CREATE OR REPLACE FUNCTION delivery_related_data(delivery uuid) RETURNS TABLE (parts json)
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('index', p.index, 'kind', p.kind, 'status', p.status,
    'external_id', p.external_id, 'sent_at', wire_time(p.sent_at)) ORDER BY p.index), '[]')
  FROM delivery_parts p WHERE p.delivery_id = delivery
$$;

-- Writes the events of moved deliveries, with the previous status of each.
CREATE OR REPLACE FUNCTION announce_moves(ids uuid[], olds text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT d.workspace_id, e.type, d.conversation_id, render_delivery(d, s.parts),
    json_build_object('previous', json_build_object('status', u.old))
  FROM unnest(ids, olds) AS u (id, old) JOIN deliveries d ON d.id = u.id CROSS JOIN LATERAL (
    SELECT 'delivery.updated' AS type WHERE has_delivery_subscribers(d.workspace_id)
    UNION ALL SELECT 'delivery.failed' WHERE d.status IN ('failed', 'expired', 'blocked')
      AND has_subscribers(d.workspace_id)
    UNION ALL SELECT 'delivery.uncertain' WHERE d.status = 'uncertain' AND has_subscribers(d.workspace_id)) e
  CROSS JOIN LATERAL delivery_related_data(d.id) s
$$;

-- Reads a move of a delivery from JSON: {"id", "from": [status …], "to", and the other changed fields}.
CREATE OR REPLACE FUNCTION parse_move(item jsonb) RETURNS delivery_move LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_populate_record(NULL::delivery_move,
    item || jsonb_build_object('was', item->'from', 'becomes', item->'to', 'judged', item ? 'error'))
$$;

-- Moves deliveries to another status: [{"id", "from": [status …], "to", and the other changed fields}]. Locks
-- their messages first, in the order of their ids. Returns the ids that moved.
CREATE OR REPLACE FUNCTION move_deliveries(items jsonb) RETURNS uuid[] LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
DECLARE
  moves delivery_move[] := ARRAY(SELECT parse_move(i) FROM jsonb_array_elements(items) i);
BEGIN
  PERFORM 1 FROM messages
  WHERE id IN (SELECT d.message_id FROM unnest(moves) w JOIN deliveries d ON d.id = w.id)
    ORDER BY id FOR NO KEY UPDATE;
  RETURN apply_moves(moves);
END $$;

-- Whether the worker of a lane with an expired lease died during a send. Evaluated for few rows: a released
-- lane has no lease time.
CREATE OR REPLACE FUNCTION has_orphaned_send(connection uuid, link uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM deliveries d WHERE d.connection_id = connection AND d.lane = link
    AND d.status = 'sending')
$$;

-- Whether the lane of a link can be leased: no worker has it, and its chat is not held. Written so that no
-- index of links matches. A lane that was abandoned during a send goes to take_over_lanes first. If it were
-- leased again, with a new fence, the stalled worker would close its attempt without a trace of what it
-- wrote.
CREATE OR REPLACE FUNCTION lane_is_leasable(l links) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(CASE WHEN l.removed_at IS NULL THEN greatest(l.leased_until, l.held_until)
      ELSE 'infinity' END, '-infinity') < now()
    AND (l.leased_until IS NULL OR NOT has_orphaned_send(l.connection_id, l.id))
$$;

-- The key of the advisory lock for opening attempts of a connection. Workers that open attempts share the
-- lock. A worker that takes over lanes holds it exclusively.
CREATE OR REPLACE FUNCTION attempt_lock_key(connection uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('opening ' || connection, 0)
$$;

-- Prepares ended deliveries for another send. A partial send continues where it stopped; parts that were not
-- written, or were refused later, are removed. A delivery that failed after a complete send is sent again as
-- a whole. The caller holds the locks of the messages.
CREATE OR REPLACE FUNCTION prepare_requeue(ids uuid[]) RETURNS void LANGUAGE sql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
  DELETE FROM delivery_parts p USING deliveries d WHERE p.delivery_id = d.id AND d.id = ANY (ids)
    AND d.status IN ('failed', 'expired', 'blocked')
    AND (d.sent_at IS NOT NULL OR p.status <> 'sent' OR p.receipt = 'failed');
  UPDATE deliveries d SET sent_at = NULL, delivered_at = NULL, uncertain_at = NULL, resolution = NULL,
    degradations = '{}',
    wanted_revision = m.revision, resumed = true
  FROM messages m WHERE d.id = ANY (ids) AND d.status IN ('failed', 'expired', 'blocked')
    AND m.id = d.message_id;
$$;

-- Applies the events that arrived before the send they refer to was recorded, in the order of the platform.
-- Receipts wait while the send is still running. Messages are locked in the order of their ids.
CREATE OR REPLACE FUNCTION apply_parked_events(delivery_ids uuid[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
DECLARE
  parked record;
BEGIN
  FOR parked IN
    SELECT e, x.message_id FROM deliveries d JOIN remote_messages x ON x.message_id = d.message_id
      AND x.delivery_id = d.id
    JOIN parked_events e ON e.connection_id = x.connection_id AND e.external_chat_id = x.external_chat_id
      AND e.external_id = x.external_id AND e.waits
    WHERE d.id = ANY (delivery_ids) ORDER BY x.message_id, e.event->>'order' NULLS FIRST, e.id
    FOR UPDATE OF e SKIP LOCKED
  LOOP
    IF apply_parked_event(parked.e, parked.message_id) THEN PERFORM close_parked_event(parked.e); END IF;
  END LOOP;
END $$;

-- The revision that the last attempt of a delivery wrote, or may have written.
CREATE OR REPLACE FUNCTION last_attempted_revision(delivery uuid) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT a.revision FROM attempts a
      WHERE a.delivery_id = delivery ORDER BY a.started_at DESC, a.id DESC LIMIT 1), 1)
$$;

-- Cancels those of these deliveries that are queued. Returns their ids.
CREATE OR REPLACE FUNCTION cancel_deliveries(ids uuid[]) RETURNS uuid[] LANGUAGE sql AS $$
  SELECT move_deliveries(coalesce((SELECT jsonb_agg(jsonb_build_object('id', id, 'from', '["queued"]'::jsonb,
    'to', 'canceled')) FROM unnest(ids) AS i (id)), '[]'))
$$;

-- Withholds deliveries that were queued again while a cancellation, pause or block was handling the queued
-- ones. The caller holds the locks of the messages.
CREATE OR REPLACE FUNCTION stop_unsendable_deliveries(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moves delivery_move[];
BEGIN
  PERFORM 1 FROM broadcasts
  WHERE id IN (SELECT m.broadcast_id FROM deliveries d JOIN messages m ON m.id = d.message_id
    WHERE d.id = ANY (ids)) ORDER BY id FOR NO KEY UPDATE;
  PERFORM set_held(array_agg(w.id), true, w.ends) FROM unsendable_deliveries(ids) w WHERE w.reason = 'held'
  GROUP BY w.ends;
  SELECT array_agg(parse_move(jsonb_build_object('id', w.id, 'from', '["queued"]'::jsonb, 'to', w.reason)
    || CASE WHEN w.reason = 'blocked' THEN jsonb_build_object('error', w.error) ELSE '{}' END))
  INTO moves FROM unsendable_deliveries(ids) w WHERE w.reason IN ('canceled', 'blocked');
  IF moves IS NOT NULL THEN PERFORM apply_moves(moves); END IF;
END $$;

-- Whether a delivery may be sent again: it ended without success, no other delivery replaced it, and its chat
-- is still linked.
CREATE OR REPLACE FUNCTION may_retry(d deliveries) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT d.status IN ('failed', 'expired') AND d.superseded_by IS NULL
    AND EXISTS (SELECT 1 FROM links l WHERE l.id = d.link_id AND l.removed_at IS NULL)
$$;

-- Locks the message of the delivery that a request names, and returns the delivery: {"workspace_id",
-- "delivery_id", "participant_id"}.
CREATE OR REPLACE FUNCTION lock_delivery(input jsonb) RETURNS deliveries LANGUAGE plpgsql AS $$
DECLARE
  d deliveries;
BEGIN
  SELECT * INTO d FROM deliveries WHERE id = (input->>'delivery_id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid;
  PERFORM lock_message(input || jsonb_build_object('message_id', d.message_id), true);
  SELECT * INTO d FROM deliveries WHERE id = d.id;
  RETURN d;
END $$;

-- The response of an idempotent change of a delivery: its record, stored with the claim of the request.
CREATE OR REPLACE FUNCTION complete_delivery_request(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  answer json;
BEGIN
  SELECT delivery_record(d) INTO answer FROM deliveries d WHERE id = (input->>'delivery_id')::uuid;
  PERFORM complete_claim(input->'claim', 200, answer);
  RETURN json_build_object('record', answer);
END $$;
