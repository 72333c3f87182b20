-- Cancels a broadcast (DELETE). No further chunk starts. A job cancels the queued deliveries and the pending
-- recipients in steps.
--
-- Locks: broadcasts.
-- Arguments: input: { workspace_id: string; id: string }
-- Returns: { record: BroadcastRecord } | Refusal
CREATE OR REPLACE FUNCTION cancel_broadcast(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts := lock_broadcast(input);
BEGIN
  IF b.status IN ('completed', 'expired', 'failed', 'canceled') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', b.status));
  END IF;
  IF b.status <> 'canceling' THEN
    UPDATE broadcasts SET status = 'canceling', canceled_at = now(), eta = NULL, updated_at = now()
    WHERE id = b.id RETURNING * INTO b;
    PERFORM queue_broadcast(b.id);
  END IF;
  RETURN json_build_object('record', broadcast_record(b));
END $$;
