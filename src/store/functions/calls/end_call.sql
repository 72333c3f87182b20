-- Ends a call: input of lock_call with "actor_id", "reason" or none, and "claim".
--
-- Locks: calls.
-- Arguments: input: { workspace_id: string; call_id: string; participant_id?: string; actor_id: string;
--   reason?: string; claim?: ClaimKey }
-- Returns: { record: CallRecord } | Refusal
CREATE OR REPLACE FUNCTION end_call(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c calls := lock_call(input);
BEGIN
  PERFORM refuse_ended_call(c);
  c := finish_call(c, 'ended',
    coalesce(input->>'reason', CASE c.status WHEN 'active' THEN 'completed' ELSE 'canceled' END),
    (input->>'actor_id')::uuid, NULL);
  PERFORM complete_claim(input->'claim', 200, call_record(c));
  RETURN json_build_object('record', call_record(c));
END $$;
