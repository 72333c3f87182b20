-- Sends a failed or expired delivery again: input of lock_delivery with "claim".
--
-- Locks: messages, connections, broadcasts.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Arguments: input: { workspace_id: string; participant_id?: string; delivery_id: string; claim?: ClaimKey }
-- Returns: { record: DeliveryRecord } | Refusal
CREATE OR REPLACE FUNCTION retry_delivery(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  d deliveries := lock_delivery(input);
  m messages;
BEGIN
  SELECT * INTO m FROM messages WHERE id = d.message_id;
  IF NOT may_retry(d) OR requeue_deliveries(m, ARRAY[d.id]) = '{}' THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', d.status));
  END IF;
  RETURN complete_delivery_request(input);
END $$;
