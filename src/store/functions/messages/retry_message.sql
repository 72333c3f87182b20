-- Retries the failed and expired deliveries of a message: input of lock_message with "claim".
--
-- Locks: messages, connections, broadcasts.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Arguments: input: { workspace_id: string; participant_id?: string; message_id: string; claim?: ClaimKey }
-- Returns: { record: MessageRecord } | Refusal
CREATE OR REPLACE FUNCTION retry_message(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages := lock_message(input, true);
  answer json;
BEGIN
  IF requeue_deliveries(m, ARRAY(SELECT d.id FROM deliveries d
      WHERE d.message_id = m.id AND may_retry(d))) = '{}' THEN
    PERFORM refuse('{"problem":"nothing_to_retry"}');
  END IF;
  SELECT message_record(n) INTO answer FROM messages n WHERE n.id = m.id;
  PERFORM complete_claim(input->'claim', 200, answer);
  RETURN json_build_object('record', answer);
END $$;
