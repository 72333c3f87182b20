-- The steps of a message in order of time, from the rows that they left. Returns the earliest `max_steps`
-- steps, and one more if there are more. Searches the first `examined` events of the conversation since the
-- message was accepted. Each source uses an index and is limited to the same number of steps. `detail` has
-- the fields of a TraceStep that apply to the step.
--
-- Returns: { at: Date; type: TraceStepType; detail: TraceStepDetail }[]

-- Steps of accepting and reading a message, and of its edits.
CREATE OR REPLACE FUNCTION trace_of_message(m messages, max_steps int)
  RETURNS TABLE (at timestamptz, place int, type text, detail jsonb) LANGUAGE sql STABLE AS $$
  SELECT v.received_at, 0, 'envelope_received', jsonb_build_object('status', v.status, 'tries', v.tries,
    'connection_id', v.connection_id, 'external_id', m.origin->>'external_id')
  FROM envelopes v WHERE v.id = m.id AND v.workspace_id = m.workspace_id
  UNION ALL
  SELECT t.at, t.place, t.type, jsonb_build_object('broadcast_id', r.broadcast_id, 'user_id', r.user_id)
  FROM broadcast_recipients r CROSS JOIN LATERAL (VALUES (r.created_at, 1, 'recipient_added'),
    (r.queued_at, 2, 'recipient_queued')) AS t (at, place, type)
  WHERE r.id = m.id AND r.workspace_id = m.workspace_id AND t.at IS NOT NULL
  UNION ALL
  SELECT m.created_at, 3, 'message_accepted', jsonb_build_object('direction', m.direction,
    'platform', m.platform, 'user_id', m.sender_id, 'revision', 1, 'send_at', wire_time(m.send_at))
  UNION ALL
  SELECT v.created_at, 5, 'message_edited', jsonb_build_object('revision', v.revision)
  FROM message_versions v WHERE v.message_id = m.id AND v.workspace_id = m.workspace_id AND v.revision > 1
  UNION ALL
  SELECT m.edited_at, 5, 'message_edited', jsonb_build_object('revision', m.revision)
  WHERE m.edited_at IS NOT NULL
  UNION ALL
  (SELECT r.read_at, 17, 'message_read', jsonb_build_object('user_id', r.user_id, 'platform', r.platform)
  FROM read_receipts r WHERE r.message_id = m.id AND r.workspace_id = m.workspace_id
  ORDER BY r.read_at, r.user_id LIMIT max_steps)
$$;

-- Steps of one delivery: its route, its plan, its attempts, and what the platform reported.
CREATE OR REPLACE FUNCTION trace_of_delivery(d deliveries, max_steps int)
  RETURNS TABLE (at timestamptz, place int, type text, detail jsonb) LANGUAGE sql STABLE AS $$
  WITH tries AS MATERIALIZED (
    SELECT * FROM attempts a WHERE a.delivery_id = d.id AND a.workspace_id = d.workspace_id
    ORDER BY a.started_at, a.id LIMIT max_steps
  ), parts AS MATERIALIZED (
    SELECT * FROM delivery_parts p WHERE p.delivery_id = d.id ORDER BY p.index LIMIT max_steps)
  SELECT d.created_at, 4, 'delivery_created', jsonb_build_object('link_id', d.link_id,
    'connection_id', d.connection_id, 'external_id', d.external_chat_id)
  UNION ALL
  SELECT coalesce((SELECT min(a.started_at) FROM tries a WHERE a.operation = 'send'), min(p.sent_at),
    d.created_at), 7, 'parts_planned', jsonb_build_object('parts', count(*), 'degradations', d.degradations)
  FROM parts p HAVING count(*) > 0
  UNION ALL
  SELECT a.started_at, 6, 'attempt_started', jsonb_build_object('attempt_id', a.id,
    'operation', a.operation, 'revision', a.revision)
  FROM tries a
  UNION ALL
  SELECT a.finished_at, 9, 'attempt_finished', jsonb_build_object('attempt_id', a.id,
    'operation', a.operation, 'revision', a.revision, 'status', a.outcome, 'error', a.error,
    'duration_ms', greatest(0, round(extract(epoch FROM a.finished_at - a.started_at) * 1000))::int)
  FROM tries a WHERE a.finished_at IS NOT NULL
  UNION ALL
  SELECT p.sent_at, 8, 'part_sent', jsonb_build_object('part', p.index, 'external_id', p.external_id,
    'status', coalesce(p.receipt, p.status))
  FROM parts p WHERE p.sent_at IS NOT NULL
  UNION ALL
  SELECT t.at, t.place, t.type, t.detail FROM (VALUES
    (d.uncertain_at, 10, 'delivery_uncertain', jsonb_build_object('resolution', d.resolution)),
    (d.sent_at, 11, 'delivery_sent', jsonb_build_object('revision', d.revision)),
    (d.delivered_at, 12, 'delivery_delivered', '{}'),
    (d.read_at, 13, 'delivery_read', '{}'),
    (d.failed_at, 14, 'delivery_failed', jsonb_build_object('status', d.status, 'error', d.error)),
    (CASE WHEN d.status = 'canceled' THEN d.updated_at END, 15, 'delivery_canceled', '{}')
  ) AS t (at, place, type, detail) WHERE t.at IS NOT NULL
$$;

-- The events of a message, among the first `examined` events of its conversation since the message was
-- accepted. The ids of events are in order of time.
CREATE OR REPLACE FUNCTION events_of_message(m messages, max_steps int, examined int)
  RETURNS TABLE (event uuid, type text, at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT x.id, x.type, x.occurred_at FROM (
    SELECT e.id, e.type, e.occurred_at, e.data FROM events e WHERE e.conversation_id = m.conversation_id
      AND e.workspace_id = m.workspace_id AND e.id >= uuid7_at(m.created_at - interval '1 second')
    ORDER BY e.id LIMIT examined OFFSET 0) x
  WHERE CASE WHEN x.type LIKE 'message.%'
    THEN m.id::text IN (x.data->>'id', x.data->>'message_id')
    WHEN x.type LIKE 'delivery.%' THEN x.data->>'message_id' = m.id::text END
  ORDER BY x.id LIMIT max_steps
$$;

-- Steps of the events of a message, and of the webhooks that receive them.
CREATE OR REPLACE FUNCTION trace_of_events(m messages, max_steps int, examined int)
  RETURNS TABLE (at timestamptz, place int, type text, detail jsonb) LANGUAGE sql STABLE AS $$
  WITH found AS MATERIALIZED (
    SELECT e.at, jsonb_build_object('event', e.type, 'event_id', 'whk_' || ulid_text(e.event)) AS detail,
      e.event
    FROM events_of_message(m, max_steps, examined) e
  ), receivers AS MATERIALIZED (
    SELECT w.id FROM webhooks w WHERE w.workspace_id = m.workspace_id AND w.deleted_at IS NULL LIMIT max_steps
  ), due AS MATERIALIZED (
    SELECT v.*, t.detail || jsonb_build_object('webhook_id', v.webhook_id,
      'webhook_delivery_id', v.id) AS detail
    FROM found t CROSS JOIN receivers r CROSS JOIN LATERAL (SELECT * FROM webhook_deliveries x
      WHERE x.webhook_id = r.id AND x.event_id = t.event AND x.workspace_id = m.workspace_id OFFSET 0) v
    ORDER BY v.created_at, v.id LIMIT max_steps)
  SELECT t.at, 18, 'event_recorded', t.detail FROM found t
  UNION ALL
  SELECT v.created_at, 19, 'webhook_queued', v.detail || jsonb_build_object('status', v.status) FROM due v
  UNION ALL
  (SELECT (a->>'at')::timestamptz, 20, 'webhook_tried', v.detail || jsonb_build_object(
    'status_code', a->'status_code', 'duration_ms', a->'duration_ms', 'failure', a->'error')
  FROM due v CROSS JOIN LATERAL jsonb_array_elements(v.attempts) a ORDER BY 1 LIMIT max_steps)
$$;

CREATE OR REPLACE FUNCTION read_message_trace(workspace uuid, message uuid, max_steps int, examined int)
RETURNS TABLE (at timestamptz, type text, detail jsonb) LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  m messages;
  bound int := max_steps + 1;
BEGIN
  SELECT * INTO m FROM messages x WHERE x.id = message AND x.workspace_id = workspace
    AND x.deleted_at IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY SELECT s.at, s.type, s.detail FROM (
    SELECT * FROM trace_of_message(m, bound)
    UNION ALL
    SELECT t.at, t.place, t.type, t.detail || jsonb_build_object('delivery_id', (y.d).id,
      'platform', (y.d).platform)
    FROM (SELECT d FROM deliveries d WHERE d.message_id = m.id AND d.workspace_id = m.workspace_id
      ORDER BY d.position LIMIT bound) y CROSS JOIN LATERAL trace_of_delivery(y.d, bound) t
    UNION ALL
    SELECT * FROM trace_of_events(m, bound, examined)) s
  ORDER BY s.at, s.place, s.detail->>'event_id', s.detail->>'delivery_id', s.detail->>'attempt_id',
    s.detail->'part', s.detail->>'webhook_delivery_id', s.detail->>'user_id' LIMIT bound;
END $$;
