-- Frees the lanes of dead workers. Writes that they had begun may have happened. Sends that were leased
-- ahead, or opened and not begun, have not happened and are due again. Takes over only lanes whose lease
-- ended before `before`, a time before the journals were read. A worker begins no writes in a lost lane, so
-- the journals contain all writes that it has begun.
--
-- Locks: links, an advisory lock, messages, connections, broadcasts, parked_events, users, conversations.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed,
--   user.status_changed, user.presence_changed, user.updated, user.opted_out, user.opted_in, message.deleted,
--   conversation.participant_added, user.created, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.link_updated.
-- Arguments: begun: BegunWrites; before: string
-- Returns: void

-- The deliveries among these with an open attempt that may have written an unrecorded part. `begun`: per
-- process, the writes that it began, as "attempt.part". Nothing is known about a missing process.
CREATE OR REPLACE FUNCTION possibly_written_deliveries(ids uuid[], begun jsonb) RETURNS uuid[]
  LANGUAGE sql STABLE AS $$
  WITH open AS MATERIALIZED (
    SELECT a.id, a.delivery_id, a.process FROM attempts a
    WHERE a.delivery_id = ANY (ids) AND a.finished_at IS NULL
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

CREATE OR REPLACE FUNCTION take_over_lanes(begun jsonb DEFAULT '{}', before timestamptz DEFAULT now())
  RETURNS void LANGUAGE plpgsql AS $$
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
  PERFORM pg_advisory_xact_lock(attempt_lock_key(c.id)) FROM (
    SELECT DISTINCT connection_id AS id FROM deliveries WHERE id = ANY (stale) ORDER BY 1) c;
  UPDATE links l SET fence = fence + 1, leased_until = NULL FROM deliveries d
  WHERE d.id = ANY (stale) AND l.id = d.link_id;
  unbegun := ARRAY(SELECT id FROM unnest(stale) s (id)
    EXCEPT ALL SELECT unnest(possibly_written_deliveries(stale, begun)));
  UPDATE attempts a SET finished_at = clock_timestamp(),
    outcome = CASE WHEN a.delivery_id = ANY (unbegun) THEN 'waiting' ELSE 'uncertain' END
  WHERE a.delivery_id = ANY (stale) AND a.finished_at IS NULL;
  -- Parts that were written before are not written again.
  UPDATE deliveries d SET resumed = true WHERE d.id = ANY (unbegun) AND NOT d.resumed
    AND EXISTS (SELECT FROM delivery_parts p WHERE p.delivery_id = d.id);
  SELECT jsonb_agg(jsonb_build_object('id', d.id, 'from', '["sending"]'::jsonb)
    || CASE WHEN d.id = ANY (unbegun) THEN
    jsonb_build_object('attempt_count', d.attempt_count - 1,
      'to', CASE WHEN d.removal IS NOT NULL OR l.removed_at IS NOT NULL THEN 'canceled' ELSE 'queued' END)
  ELSE jsonb_build_object('to', 'uncertain',
    'next_attempt_at', CASE WHEN c.settings->>'uncertain_policy' = 'reconcile'
      OR (c.settings->>'uncertain_policy' = 'retry' AND m.category <> 'marketing')
        THEN now() + interval '2 s' END,
    'error', jsonb_build_object('code', 'outcome_unknown', 'permanent', false, 'platform_code', NULL,
      'message', 'The sender stopped before the platform''s answer was recorded.')) END)
  INTO items FROM deliveries d JOIN links l ON l.id = d.link_id JOIN messages m ON m.id = d.message_id
  JOIN connections c ON c.id = d.connection_id WHERE d.id = ANY (stale);
  PERFORM move_deliveries(items);
  -- Applies the reports of the platform that arrived in the meantime.
  IF EXISTS (SELECT FROM parked_events) THEN PERFORM apply_parked_events(stale); END IF;
  unbegun := ARRAY(SELECT id FROM deliveries WHERE id = ANY (unbegun) AND status = 'queued');
  IF unbegun <> '{}' THEN PERFORM stop_unsendable_deliveries(unbegun); END IF;
END $$;
