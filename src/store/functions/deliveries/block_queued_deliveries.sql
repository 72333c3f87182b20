-- Blocks queued deliveries to a contact who must no longer get messages.
--
-- Locks: messages, connections, broadcasts.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Returns: void
CREATE OR REPLACE FUNCTION block_queued_deliveries(u users) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  items jsonb;
BEGIN
  IF u.kind <> 'contact'
    OR (u.status <> 'blocked' AND u.stopped_at IS NULL AND NOT u.consent @> '{"marketing":"denied"}'
    AND NOT u.consent @> '{"notification":"denied"}') THEN RETURN; END IF;
  SELECT jsonb_agg(jsonb_build_object('id', w.id, 'from', '["queued"]'::jsonb,
      'to', 'blocked', 'error', k.block))
  INTO items FROM (
    SELECT d.id, d.message_id FROM participants p JOIN conversations c ON c.id = p.conversation_id
      AND c.type = 'direct'
    JOIN links l ON l.conversation_id = c.id AND l.removed_at IS NULL
    JOIN deliveries d ON d.connection_id = l.connection_id AND (d.lane = l.id OR d.held AND d.link_id = l.id)
      AND d.status = 'queued'
    WHERE p.user_id = u.id AND p.left_at IS NULL
    UNION
    -- Broadcast deliveries to the contact in chats that several people share.
    SELECT d.id, d.message_id FROM broadcasts b CROSS JOIN LATERAL (
      SELECT r.id FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.user_id = u.id OFFSET 0) r
    CROSS JOIN LATERAL (SELECT d.id, d.message_id FROM deliveries d
      WHERE d.message_id = r.id AND d.status = 'queued' OFFSET 0) d
    WHERE b.workspace_id = u.workspace_id AND b.status IN ('sending', 'paused', 'on_hold')) w
  JOIN messages m ON m.id = w.message_id JOIN conversations c ON c.id = m.conversation_id
  CROSS JOIN LATERAL message_blocks(m, c) k (block);
  IF items IS NOT NULL THEN PERFORM move_deliveries(items); END IF;
END $$;
