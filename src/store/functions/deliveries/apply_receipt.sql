-- Applies a receipt of a platform to a sent message. Receipts are merged monotonically: a receipt never moves
-- a delivery backwards, and each part has its own receipt. A receipt that arrives before its send is recorded
-- waits in parked_events. A receipt with a `reference` to its delivery resolves an uncertain send. A late
-- failure may report, like a refusal, that the recipient has unsubscribed on the platform. Locks: the link of
-- a STOP, the message.
--
-- Locks: links, messages, connections, broadcasts, users.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed,
--   user.status_changed, user.presence_changed, user.updated, user.opted_out, user.opted_in.
-- Returns: boolean

-- Stores the receipt of one part and derives the status of its delivery: failed with any part, delivered or
-- read with the last one. Null: an unwritten part may still change the result. If the send is complete, parts
-- that an edit removed or may have added are ignored.
CREATE OR REPLACE FUNCTION merge_part_receipt(delivery uuid, part smallint, state text, complete boolean)
  RETURNS text LANGUAGE plpgsql
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
    FROM delivery_parts p WHERE p.delivery_id = delivery
      AND NOT (complete AND p.status IN ('pending', 'uncertain')));
END $$;

-- The part that a report names by the reference of its create: `<delivery>.<part>.<last part>`. Null if it
-- names no part in this chat of this connection.
CREATE OR REPLACE FUNCTION referenced_part(connection uuid, chat text, reference text, OUT delivery uuid,
  OUT part smallint, OUT last_part smallint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  named text[] := regexp_match(reference,
    '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,3})\.(\d{1,3})$');
BEGIN
  SELECT d.id, named[2]::smallint, named[3]::smallint INTO delivery, part, last_part FROM deliveries d
  WHERE d.id = named[1]::uuid AND d.connection_id = connection AND d.external_chat_id = chat;
END $$;

-- Called when an uncertain part turns out to be written. Queues the delivery again for the later parts, which
-- were never sent.
CREATE OR REPLACE FUNCTION resume_partial_send(delivery uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[];
BEGIN
  IF EXISTS (SELECT FROM delivery_parts p WHERE p.delivery_id = delivery
    AND p.status NOT IN ('sent', 'pending')) THEN
    RETURN;
  END IF;
  moved := move_deliveries((SELECT jsonb_agg(jsonb_build_object('id', d.id, 'from', '["uncertain"]'::jsonb,
        'to', 'queued',
    'resolution', 'reconciled', 'error', NULL)) FROM deliveries d JOIN links l ON l.id = d.link_id
    WHERE d.id = delivery AND d.removal IS NULL AND l.removed_at IS NULL));
  IF moved IS NULL OR moved = '{}' THEN RETURN; END IF;
  UPDATE deliveries SET resumed = true WHERE id = delivery;
  PERFORM stop_unsendable_deliveries(moved);
  PERFORM wake_connections(ARRAY(SELECT connection_id FROM deliveries WHERE id = delivery));
END $$;

CREATE OR REPLACE FUNCTION apply_receipt(connection uuid, chat text, remote_id text, state text,
  failure jsonb, at timestamptz, reference text DEFAULT NULL)
RETURNS boolean LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  target uuid;
  part smallint;
  was text;
  others boolean;
  unsent boolean;
  part_recorded boolean := false;
  stops uuid;
BEGIN
  -- Links are locked before messages: a STOP cancels queued deliveries.
  IF failure->>'code' = 'opted_out' THEN
    SELECT l.id INTO stops FROM deliveries d JOIN links l ON l.id = d.link_id
    WHERE d.id IN (SELECT x.delivery_id FROM remote_messages x
      WHERE x.connection_id = connection AND x.external_chat_id = chat AND x.external_id = remote_id
      UNION ALL SELECT n.delivery FROM referenced_part(connection, chat, reference) n) FOR NO KEY UPDATE OF l;
  END IF;
  IF reference IS NOT NULL AND NOT EXISTS (SELECT FROM remote_messages x
    WHERE x.connection_id = connection AND x.external_chat_id = chat
    AND x.external_id = remote_id AND starts_with(reference, x.delivery_id || '.')) THEN
    part_recorded := record_reported_part(connection, chat, remote_id, reference);
  END IF;
  -- Read under the lock of its message, so that a concurrent settlement of the send is seen.
  SELECT d.id, x.part_index INTO target, part
  FROM remote_messages x JOIN messages m ON m.id = x.message_id JOIN deliveries d ON d.id = x.delivery_id
  WHERE x.connection_id = connection AND x.external_chat_id = chat AND x.external_id = remote_id
  FOR NO KEY UPDATE OF m;
  SELECT d.status, o.n > 0, o.unsent > 0 INTO was, others, unsent FROM deliveries d CROSS JOIN LATERAL (
    SELECT count(*) AS n, count(*) FILTER (WHERE p.status <> 'sent') AS unsent FROM delivery_parts p
    WHERE p.delivery_id = d.id AND p.index <> part) o
  WHERE d.id = target AND d.status NOT IN ('queued', 'sending');
  IF NOT FOUND THEN RETURN false; END IF;
  IF others THEN
    state := merge_part_receipt(target, part, state, was IN ('sent', 'delivered', 'read'));
    IF state IS NULL AND part_recorded AND was = 'uncertain' THEN PERFORM resume_partial_send(target); END IF;
    IF state IS NULL THEN RETURN true; END IF;
  END IF;
  -- A message with a receipt was sent, unless some of its parts were never sent.
  IF was = 'uncertain' AND NOT unsent THEN
    PERFORM move_deliveries(jsonb_build_array(jsonb_build_object('id', target,
          'from', '["uncertain"]'::jsonb, 'to', 'sent',
      'error', NULL, 'resolution', 'reconciled', 'revision', last_attempted_revision(target))));
  END IF;
  PERFORM move_deliveries(jsonb_build_array(jsonb_build_object('id', target) || CASE state
    WHEN 'sent' THEN jsonb_build_object('from', '["uncertain"]'::jsonb, 'to', 'sent', 'error', NULL)
    WHEN 'delivered' THEN jsonb_build_object('from', '["sent","failed"]'::jsonb, 'to', 'delivered', 'at', at,
      'error', NULL)
    WHEN 'read' THEN jsonb_build_object('from', '["sent","delivered","failed"]'::jsonb,
      'to', 'read', 'at', at, 'error', NULL)
    ELSE jsonb_build_object('from', '["sent","uncertain"]'::jsonb, 'to', 'failed', 'error', failure) END
    || CASE WHEN was = 'uncertain' THEN jsonb_build_object('resolution', 'reconciled') ELSE '{}' END));
  IF stops IS NOT NULL AND state = 'failed' AND was IN ('sent', 'uncertain') THEN
    PERFORM suppress_recipient(stops, 'opted_out');
  END IF;
  RETURN true;
END $$;
