-- Stores the outcome of an uncertain delivery as stated by a user: input of lock_delivery with "outcome"
-- (sent or failed) and "claim".
--
-- Locks: messages, connections, broadcasts.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Arguments: input: { workspace_id: string; participant_id?: string; delivery_id: string; outcome: 'sent' |
--   'failed'; claim?: ClaimKey }
-- Returns: { record: DeliveryRecord } | Refusal
CREATE OR REPLACE FUNCTION resolve_delivery(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  d deliveries := lock_delivery(input);
  outcome text := input->>'outcome';
  cause jsonb := coalesce(d.error,
    '{"code":"outcome_unknown","platform_code":null,"message":"Whether the message was sent is not known."}');
BEGIN
  IF d.status <> 'uncertain' THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', d.status));
  END IF;
  UPDATE delivery_parts
  SET status = outcome, sent_at = CASE WHEN outcome = 'sent' THEN coalesce(sent_at, now()) ELSE sent_at END
  WHERE delivery_id = d.id AND status <> 'sent';
  PERFORM move_deliveries(jsonb_build_array(jsonb_build_object('id', d.id, 'from', '["uncertain"]'::jsonb,
        'to', outcome,
    'resolution', 'manual') || CASE WHEN outcome = 'sent'
      THEN jsonb_build_object('error', NULL, 'revision', last_attempted_revision(d.id))
      -- Keeps the error that made the delivery uncertain, which may be temporary.
      ELSE jsonb_build_object('error', cause || jsonb_build_object('permanent',
        cause->>'code' NOT IN ('rate_limited', 'network', 'platform_down'))) END));
  RETURN complete_delivery_request(input);
END $$;
