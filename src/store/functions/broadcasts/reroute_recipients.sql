-- Tries the next platform for up to `max_recipients` recipients that the present platform has not reached in
-- time. Recipients without a further platform keep their delivery. Returns how many were checked.
--
-- Locks: users, messages, connections, broadcasts.
-- Events: conversation.created, delivery.updated, message.rerouted, delivery.failed, delivery.uncertain,
--   message.updated, message.sent, message.delivered, message.read, message.failed, broadcast.canceled,
--   broadcast.completed.
-- Returns: number

-- In each of these chats a new delivery replaces the delivery of the recipient's message. The caller holds
-- the locks of the messages.
CREATE OR REPLACE FUNCTION supersede_deliveries(b broadcasts, chats recipient_chat[]) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  recipients uuid[] := ARRAY(SELECT recipient_id FROM unnest(chats));
  made uuid[] := ARRAY(SELECT uuid7() FROM unnest(recipients));
  old uuid[];
  message_ids uuid[];
  shifts recipient_shift[];
  ends timestamptz := least(now() + interval '1 day', (b.schedule->>'expires_at')::timestamptz);
BEGIN
  WITH fresh AS (
    INSERT INTO deliveries (id, workspace_id, message_id, conversation_id, link_id, connection_id, platform,
      external_chat_id,
      priority, status, expires_at)
    SELECT x.id, b.workspace_id, m.id, m.conversation_id, x.link_id, x.connection_id, r.platform,
      x.external_id, 10, 'queued', ends
    FROM ROWS FROM (unnest(made), unnest(chats)) AS x (id, recipient_id, link_id, conversation_id,
      connection_id, external_id)
    JOIN broadcast_recipients r ON r.id = x.recipient_id JOIN messages m ON m.id = r.message_id ORDER BY m.id
    RETURNING id, message_id
  ), replaced AS (
    UPDATE deliveries d SET superseded_by = f.id, updated_at = now() FROM fresh f
    WHERE d.message_id = f.message_id AND d.superseded_by IS NULL RETURNING d.id, d.message_id
  )
  SELECT array_agg(id), array_agg(message_id) INTO old, message_ids FROM replaced;
  PERFORM cancel_deliveries(old);
  WITH before AS (
    SELECT id, status FROM broadcast_recipients WHERE id = ANY (recipients)
  ), moved AS (
    UPDATE broadcast_recipients r SET status = 'queued', queued_at = now(), sent_at = NULL,
      attempts = 0, error = NULL,
      updated_at = now(), throttled_at = CASE WHEN b.throttle IS NOT NULL THEN now() END FROM before o
        WHERE r.id = o.id RETURNING o.status
  )
  SELECT array_agg(ROW(b.id, was, 'pending', NULL, n, NULL)::recipient_shift) INTO shifts
  FROM (SELECT recipient_count_field(status) AS was, count(*) AS n FROM moved GROUP BY 1) x
  WHERE was <> 'pending';
  IF shifts IS NOT NULL THEN PERFORM recount_broadcasts(shifts); END IF;
  PERFORM schedule_fallback(b, recipients);
  UPDATE messages m SET platform = d.platform, expires_at = ends FROM deliveries d
  WHERE d.id = ANY (made) AND m.id = d.message_id;
  PERFORM sync_message_statuses(message_ids);
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT m.workspace_id, e.type, m.conversation_id, e.data, e.extra
  FROM deliveries d JOIN messages m ON m.id = d.message_id JOIN deliveries o ON o.superseded_by = d.id
    AND o.message_id = m.id
  CROSS JOIN LATERAL (VALUES
    ('delivery.updated', delivery_record(d), '{"previous":{"status":null}}'::json),
    ('message.rerouted', message_record(m),
      json_build_object('from_platform', o.platform, 'to_platform', d.platform))
  ) e (type, data, extra)
  WHERE d.id = ANY (made) AND CASE e.type
    WHEN 'delivery.updated' THEN has_delivery_subscribers(m.workspace_id)
    ELSE has_subscribers(m.workspace_id) END
  ORDER BY m.id, e.type;
  PERFORM wake_connections(ARRAY(SELECT DISTINCT connection_id FROM deliveries WHERE id = ANY (made)));
END $$;

CREATE OR REPLACE FUNCTION reroute_recipients(b broadcasts, max_recipients int) RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  due uuid[];
  further record;
  chats recipient_chat[];
BEGIN
  IF b.fallback IS NULL THEN RETURN 0; END IF;
  due := ARRAY(SELECT id FROM broadcast_recipients
    WHERE broadcast_id = b.id AND fallback_at <= now() ORDER BY fallback_at LIMIT max_recipients);
  IF cardinality(due) = 0 THEN RETURN 0; END IF;
  PERFORM 1 FROM users WHERE id IN (SELECT user_id FROM broadcast_recipients WHERE id = ANY (due))
  ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM messages WHERE id IN (SELECT message_id FROM broadcast_recipients WHERE id = ANY (due))
  ORDER BY id FOR NO KEY UPDATE;
  -- Deliveries that are being sent right now are checked again later.
  UPDATE broadcast_recipients SET fallback_at = now() + interval '5 seconds'
  WHERE id = ANY (due) AND fallback_at <= now() AND status = 'sending';
  SELECT array_agg(r.id) AS ids, array_agg(o.platform) AS platforms, array_agg(o.address) AS addresses,
    array_agg(r.platform) AS old_platforms, array_agg(r.address) AS old_addresses INTO further
  FROM broadcast_recipients r JOIN users u ON u.id = r.user_id JOIN messages m ON m.id = r.message_id
  CROSS JOIN LATERAL (SELECT * FROM next_routes(b, r) LIMIT 1) o
  WHERE r.id = ANY (due) AND r.fallback_at <= now() AND block_code(u, b.category) IS NULL
    AND u.deleted_at IS NULL
    AND m.deleted_at IS NULL;
  UPDATE broadcast_recipients SET fallback_at = NULL WHERE id = ANY (due) AND fallback_at <= now();
  IF further.ids IS NOT NULL THEN
    UPDATE broadcast_recipients r SET platform = n.platform, address = n.address
    FROM unnest(further.ids, further.platforms, further.addresses) AS n (id, platform, address)
    WHERE r.id = n.id;
    chats := recipient_chats(b, further.ids);
    UPDATE broadcast_recipients r SET platform = n.platform, address = n.address
    FROM unnest(further.ids, further.old_platforms, further.old_addresses) AS n (id, platform, address)
    WHERE r.id = n.id AND NOT r.id = ANY (ARRAY(SELECT recipient_id FROM unnest(chats)));
    IF chats <> '{}' THEN PERFORM supersede_deliveries(b, chats); END IF;
  END IF;
  PERFORM 1 FROM broadcasts WHERE id = b.id AND status = 'sending' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the broadcast was stopped concurrently' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN cardinality(due);
END $$;
