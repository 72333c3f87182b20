-- Enqueues up to `max_recipients` pending recipients: messages, deliveries, events and wake-ups, in one
-- statement per kind.
--
-- Locks: broadcast_recipients, users, links, messages, connections, broadcasts.
-- Events: conversation.created, message.created, delivery.updated, delivery.failed, delivery.uncertain,
--   message.updated, message.sent, message.delivered, message.read, message.failed, broadcast.canceled,
--   broadcast.completed.
-- Returns: { sent: number; leased: LeasedTask[] }

-- Skips recipients whose contact must no longer get messages. Returns how many were skipped.
CREATE OR REPLACE FUNCTION skip_recipients(b broadcasts, ids uuid[], reason text) RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  skipped int := coalesce(cardinality(ids), 0);
BEGIN
  IF skipped = 0 THEN RETURN 0; END IF;
  UPDATE broadcast_recipients SET status = 'skipped', skip_reason = reason, updated_at = now()
  WHERE id = ANY (ids);
  PERFORM shift_counts(b.id, 'pending', 'skipped', skipped);
  UPDATE broadcasts SET skip_reasons = skip_reasons
    || jsonb_build_object(reason, coalesce((skip_reasons->>reason)::bigint, 0) + skipped) WHERE id = b.id;
  RETURN skipped;
END $$;

-- The chats of recipients who get a message for the first time. If the chat has closed since the audience was
-- frozen, the recipient is tried on the next platform at once, where the broadcast allows it.
CREATE OR REPLACE FUNCTION initial_recipient_chats(b broadcasts, ids uuid[]) RETURNS recipient_chat[]
  LANGUAGE plpgsql AS $$
DECLARE
  chats recipient_chat[] := recipient_chats(b, ids);
  without_chat uuid[];
BEGIN
  IF b.fallback IS NULL OR coalesce(cardinality(chats), 0) = cardinality(ids) THEN RETURN chats; END IF;
  without_chat := ARRAY(SELECT id FROM unnest(ids) AS i (id) EXCEPT SELECT recipient_id FROM unnest(chats));
  UPDATE broadcast_recipients r SET platform = n.platform, address = n.address FROM (
    SELECT x.id, o.platform, o.address FROM broadcast_recipients x
      CROSS JOIN LATERAL (SELECT * FROM next_routes(b, x) LIMIT 1) o
    WHERE x.id = ANY (without_chat)) n WHERE r.id = n.id;
  RETURN chats || recipient_chats(b, without_chat);
END $$;

-- Leases the free lanes of these chats for sends that follow at once, as claim_deliveries does, up to the
-- number per connection in `local_capacity`. Returns the fences in the order of the chats; null where the
-- send has to be queued.
CREATE OR REPLACE FUNCTION lease_free_lanes(chats recipient_chat[], local_capacity jsonb, lease_seconds int)
  RETURNS bigint[] LANGUAGE sql AS $$
  WITH wanted AS (
    SELECT x.n, x.link_id, row_number() OVER (PARTITION BY x.connection_id ORDER BY x.n) AS place,
      (local_capacity->>x.connection_id::text)::int AS capacity
    FROM (SELECT DISTINCT ON (u.link_id) u.link_id, u.connection_id, u.n FROM unnest(chats) WITH ORDINALITY
      AS u (recipient_id, link_id, conversation_id, connection_id, external_id, n) ORDER BY u.link_id, u.n) x
    JOIN connections k ON k.id = x.connection_id
    WHERE local_capacity ? x.connection_id::text
      AND k.status <> 'error' AND (k.paused_until > now()) IS NOT TRUE
  ), free AS (
    SELECT w.n, l.id FROM wanted w CROSS JOIN LATERAL (
      SELECT k.id FROM links k WHERE k.id = w.link_id AND lane_is_leasable(k)
        AND NOT EXISTS (SELECT FROM deliveries e WHERE e.connection_id = k.connection_id AND e.lane = k.id)
          FOR NO KEY UPDATE SKIP LOCKED) l
    WHERE w.place <= w.capacity
  ), leased AS (
    UPDATE links l SET leased_until = now() + make_interval(secs => lease_seconds), fence = l.fence + 1
    FROM free f WHERE l.id = f.id RETURNING f.n, l.fence
  )
  SELECT array_agg(e.fence ORDER BY s.n) FROM generate_subscripts(chats, 1) AS s (n)
    LEFT JOIN leased e ON e.n = s.n
$$;

-- Creates the message and the delivery of each recipient, in one statement per kind. Returns the tasks that
-- are leased for the caller. Their deliveries start as sending, unless a webhook subscribes to delivery
-- updates.
CREATE OR REPLACE FUNCTION enqueue_recipients(b broadcasts, chats recipient_chat[], local_capacity jsonb,
  lease_seconds int) RETURNS leased_task[] LANGUAGE plpgsql AS $$
DECLARE
  ends timestamptz := least(now() + interval '1 day', (b.schedule->>'expires_at')::timestamptz);
  recipients uuid[] := ARRAY(SELECT recipient_id FROM unnest(chats));
  fences bigint[];
  leased leased_task[];
BEGIN
  IF recipients = '{}' THEN RETURN NULL; END IF;
  -- Updated in the order of the ids, without a separate lock, which would write each row to the WAL once
  -- more.
  UPDATE conversations c SET last_message_id = n.recipient_id, last_message_at = now() FROM (
    SELECT DISTINCT ON (x.conversation_id) x.conversation_id, x.recipient_id FROM unnest(chats) x
    ORDER BY x.conversation_id, x.recipient_id DESC) n WHERE c.id = n.conversation_id;
  fences := CASE WHEN local_capacity = '{}'
    OR has_delivery_subscribers(b.workspace_id) THEN array_fill(NULL::bigint, ARRAY[cardinality(chats)])
    ELSE lease_free_lanes(chats, local_capacity, lease_seconds) END;
  INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, content_type,
    attachments, direction, status, platform, category, broadcast_id, expires_at)
  SELECT r.id, b.workspace_id, c.id, c.number, b.created_by,
    CASE WHEN t.names = '{}' THEN t.pieces[1]
      ELSE render_pieces(t.pieces, t.names, recipient_values(r.variables, b.variables, u)) END,
    b.content_type, t.attachments,
    'outbound', CASE WHEN x.fence IS NULL THEN 'queued' ELSE 'sending' END, r.platform, b.category, b.id, ends
  FROM ROWS FROM (unnest(chats), unnest(fences)) AS x (recipient_id, link_id, conversation_id, connection_id,
    external_id, fence)
  JOIN broadcast_recipients r ON r.id = x.recipient_id JOIN users u ON u.id = r.user_id
    JOIN conversations c ON c.id = x.conversation_id
  JOIN broadcast_contents(b) t ON t.key IS NOT DISTINCT FROM r.variant;
  WITH made AS (
    INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform,
      external_chat_id,
      priority, status, attempt_count, expires_at)
    SELECT b.workspace_id, x.recipient_id, x.conversation_id, x.link_id, x.connection_id, r.platform,
      x.external_id, 10,
      CASE WHEN x.fence IS NULL THEN 'queued' ELSE 'sending' END,
        CASE WHEN x.fence IS NULL THEN 0 ELSE 1 END, ends
    FROM ROWS FROM (unnest(chats), unnest(fences)) AS x (recipient_id, link_id, conversation_id,
      connection_id, external_id, fence)
    JOIN broadcast_recipients r ON r.id = x.recipient_id ORDER BY x.recipient_id
    RETURNING id, message_id
  )
  SELECT array_agg(ROW('send', m.id, NULL, x.fence, 1)::leased_task) INTO leased
  FROM made m JOIN unnest(recipients, fences) AS x (id, fence) ON x.id = m.message_id AND x.fence IS NOT NULL;
  UPDATE broadcast_recipients r SET status = CASE WHEN x.fence IS NULL THEN 'queued' ELSE 'sending' END,
    message_id = r.id,
    attempts = CASE WHEN x.fence IS NULL THEN 0 ELSE 1 END, queued_at = now(), updated_at = now(),
    throttled_at = CASE WHEN b.throttle IS NOT NULL THEN now() END
  FROM unnest(recipients, fences) AS x (recipient_id, fence) WHERE r.id = x.recipient_id;
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT b.workspace_id, e.type, m.conversation_id, e.data, e.extra
  FROM (SELECT has_subscribers(b.workspace_id) AS messages,
      has_delivery_subscribers(b.workspace_id) AS deliveries) h
    JOIN messages m ON h.messages OR h.deliveries JOIN deliveries d ON d.message_id = m.id
    JOIN conversations c ON c.id = m.conversation_id
  JOIN users u ON u.id = m.sender_id LEFT JOIN shown_platform(c.id, c.last_link_id) p ON true
  CROSS JOIN LATERAL (SELECT render_delivery(d, '[]') AS delivery OFFSET 0) r
  CROSS JOIN LATERAL (VALUES
    ('message.created', render_message(m, '[]', 0, '[]', json_build_array(r.delivery)),
      render_context(c, p.platform, u)),
    ('delivery.updated', r.delivery, '{"previous":{"status":null}}')) e (type, data, extra)
  WHERE m.id = ANY (recipients)
    AND CASE e.type WHEN 'delivery.updated' THEN h.deliveries ELSE h.messages END
  ORDER BY m.id, e.type DESC;
  IF b.fallback IS NOT NULL THEN PERFORM schedule_fallback(b, recipients); END IF;
  IF b.cap IS NOT NULL AND b.category = 'marketing' THEN
    UPDATE users u SET marketed_at = now() || ARRAY(SELECT t FROM unnest(u.marketed_at) t
      WHERE t > now() - make_interval(secs => (b.cap->>'seconds')::int) ORDER BY t DESC LIMIT 1000)
    FROM broadcast_recipients r WHERE r.id = ANY (recipients) AND u.id = r.user_id;
  END IF;
  PERFORM wake_connections(ARRAY(SELECT DISTINCT x.connection_id FROM ROWS
      FROM (unnest(chats), unnest(fences))
    AS x (recipient_id, link_id, conversation_id, connection_id, external_id, fence) WHERE x.fence IS NULL));
  RETURN leased;
END $$;

-- Recipients of a retry are sent their existing message again, by its latest delivery (see prepare_requeue).
-- Returns the recipients that have one to send.
CREATE OR REPLACE FUNCTION requeue_recipients(b broadcasts, recipients uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql AS $$
DECLARE
  found_ids uuid[];
  delivery_ids uuid[];
BEGIN
  IF recipients IS NULL THEN RETURN '{}'; END IF;
  SELECT array_agg(r.id), array_agg(d.id) INTO found_ids, delivery_ids
  FROM broadcast_recipients r JOIN deliveries d ON d.message_id = r.message_id AND d.superseded_by IS NULL
    AND d.status IN ('failed', 'blocked')
  JOIN links l ON l.id = d.link_id AND l.removed_at IS NULL WHERE r.id = ANY (recipients);
  IF found_ids IS NULL THEN RETURN '{}'; END IF;
  UPDATE broadcast_recipients
  SET queued_at = now(), throttled_at = CASE WHEN b.throttle IS NOT NULL THEN now() END
  WHERE id = ANY (found_ids);
  PERFORM 1 FROM messages WHERE id IN (SELECT message_id FROM deliveries WHERE id = ANY (delivery_ids))
  ORDER BY id FOR NO KEY UPDATE;
  PERFORM prepare_requeue(delivery_ids);
  PERFORM move_deliveries((SELECT jsonb_agg(jsonb_build_object('id', id,
        'from', '["failed","blocked"]'::jsonb, 'to', 'queued',
    'error', NULL, 'attempt_count', 0,
      'expires_at', least(now() + interval '1 day', (b.schedule->>'expires_at')::timestamptz)))
    FROM unnest(delivery_ids) AS i (id)));
  IF b.fallback IS NOT NULL THEN PERFORM schedule_fallback(b, found_ids); END IF;
  PERFORM wake_connections(ARRAY(SELECT DISTINCT connection_id FROM deliveries
      WHERE id = ANY (delivery_ids)));
  RETURN found_ids;
END $$;

CREATE OR REPLACE FUNCTION dispatch_recipients(b broadcasts, max_recipients int, local_capacity jsonb,
  lease_seconds int, OUT sent int, OUT leased leased_task[]) LANGUAGE plpgsql AS $$
DECLARE
  claimed uuid[];
  checked record;
  chats recipient_chat[];
  requeued uuid[];
  skipped int;
BEGIN
  IF b.local THEN
    SELECT array_agg(id) INTO claimed FROM (SELECT id FROM broadcast_recipients
      WHERE broadcast_id = b.id AND status = 'pending' AND due_at <= now() ORDER BY due_at
        LIMIT max_recipients FOR NO KEY UPDATE SKIP LOCKED) x;
    UPDATE broadcast_recipients SET due_at = NULL WHERE id = ANY (claimed);
  ELSE
    SELECT n.ids, n.reached_at, n.reached_id INTO claimed, b.reached_at, b.reached_id
    FROM lock_next_recipients(b, max_recipients, true) n;
  END IF;
  sent := 0;
  IF claimed IS NULL THEN RETURN; END IF;
  IF b.cap IS NOT NULL THEN
    -- Serializes two broadcasts that count the messages to the same contact.
    PERFORM 1 FROM users u WHERE id IN (SELECT user_id FROM broadcast_recipients WHERE id = ANY (claimed))
    ORDER BY id FOR NO KEY UPDATE;
  END IF;
  SELECT array_agg(r.id) FILTER (WHERE reason = 'opted_out') AS opted_out,
    array_agg(r.id) FILTER (WHERE reason = 'blocked_by_recipient') AS blocked,
    array_agg(r.id) FILTER (WHERE reason = 'frequency_cap') AS capped,
    array_agg(r.id) FILTER (WHERE reason IS NULL AND message_id IS NULL) AS free,
    array_agg(r.id) FILTER (WHERE reason IS NULL AND message_id IS NOT NULL) AS retried INTO checked
  FROM (SELECT r.id, r.message_id,
    coalesce(block_code(u, b.category), CASE WHEN u.deleted_at IS NOT NULL THEN 'blocked_by_recipient'
      WHEN b.cap IS NOT NULL AND is_capped(u, b) THEN 'frequency_cap' END) AS reason
    FROM broadcast_recipients r JOIN users u ON u.id = r.user_id WHERE r.id = ANY (claimed)) r;
  chats := initial_recipient_chats(b, coalesce(checked.free, '{}'));
  leased := enqueue_recipients(b, chats, local_capacity, lease_seconds);
  requeued := requeue_recipients(b, checked.retried);
  skipped := skip_recipients(b, checked.opted_out, 'opted_out')
    + skip_recipients(b, checked.blocked, 'blocked')
    + skip_recipients(b, checked.capped, 'frequency_cap')
    + skip_recipients(b, ARRAY(SELECT unnest(checked.free || checked.retried)
      EXCEPT (SELECT c.recipient_id FROM unnest(chats) c UNION ALL SELECT unnest(requeued))), 'no_route');
  UPDATE broadcasts SET waiting = waiting - cardinality(claimed), reached_at = b.reached_at,
    reached_id = b.reached_id
  WHERE id = b.id AND status = 'sending';
  IF NOT FOUND THEN
    -- The broadcast was paused or canceled in the meantime, and that change has already processed the queued
    -- deliveries.
    RAISE EXCEPTION 'the broadcast was stopped concurrently' USING ERRCODE = 'serialization_failure';
  END IF;
  sent := cardinality(claimed) - skipped;
END $$;
