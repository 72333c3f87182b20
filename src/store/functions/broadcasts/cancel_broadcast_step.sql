-- One step of a cancellation: first the queued deliveries, then the pending recipients. Returns which of them
-- it canceled.
--
-- Locks: messages, connections, broadcasts, broadcast_recipients.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Returns: 'queued' | 'pending' | 'none'
CREATE OR REPLACE FUNCTION cancel_broadcast_step(broadcast uuid, batch_size int)
  RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  waiting uuid[];
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = broadcast AND status = 'canceling';
  IF NOT FOUND THEN RETURN 'none'; END IF;
  waiting := ARRAY(SELECT d.id FROM queued_deliveries(b.id, b.workspace_id) d LIMIT batch_size);
  IF cardinality(waiting) > 0 THEN
    PERFORM cancel_deliveries(waiting);
    RETURN 'queued';
  END IF;
  IF end_pending_recipients(broadcast, 'canceled', batch_size) > 0 THEN RETURN 'pending'; END IF;
  PERFORM complete_broadcast(broadcast);
  RETURN 'none';
END $$;
