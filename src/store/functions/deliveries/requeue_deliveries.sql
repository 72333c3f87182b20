-- Queues ended deliveries of a message again, see prepare_requeue, with new attempts and a new expiry. Skips
-- contacts who must no longer get messages.
--
-- Locks: messages, connections, broadcasts.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Returns: string[]
CREATE OR REPLACE FUNCTION requeue_deliveries(m messages, ids uuid[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  until timestamptz := now() + make_interval(secs => m.ttl_seconds);
  moved uuid[];
  block jsonb;
BEGIN
  PERFORM prepare_requeue(ids);
  moved := move_deliveries((SELECT coalesce(jsonb_agg(jsonb_build_object('id', id,
        'from', '["failed","expired"]'::jsonb,
    'to', 'queued', 'attempt_count', 0, 'error', NULL, 'expires_at', until)), '[]')
        FROM unnest(ids) AS i (id)));
  IF moved = '{}' THEN RETURN moved; END IF;
  UPDATE messages SET expires_at = greatest(expires_at, until) WHERE id = m.id AND direction = 'outbound';
  SELECT k.block INTO block FROM conversations c CROSS JOIN LATERAL message_blocks(m, c) k (block)
  WHERE c.id = m.conversation_id;
  IF block IS NOT NULL THEN
    PERFORM move_deliveries((SELECT jsonb_agg(jsonb_build_object('id', id, 'from', '["queued"]'::jsonb,
          'to', 'blocked',
      'error', block)) FROM unnest(moved) AS i (id)));
  ELSE
    PERFORM wake_connections(ARRAY(SELECT connection_id FROM deliveries WHERE id = ANY (moved)));
  END IF;
  RETURN moved;
END $$;
