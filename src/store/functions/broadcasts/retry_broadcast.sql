-- Retries a broadcast (POST retry). Failed recipients become pending again and keep their message. A
-- broadcast that was edited or recalled is not retried. The input is that of change_broadcast_state.
--
-- Locks: an advisory lock.
-- Arguments: input: { workspace_id: string; id: string; max_sending: number; claim?: ClaimKey }
-- Returns: { record: BroadcastRecord } | Refusal
CREATE OR REPLACE FUNCTION retry_broadcast(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  -- Processes of the former release name it "most".
  max_sending int := coalesce(input->>'max_sending', input->>'most')::int;
  b broadcasts;
  retried int;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF b.status NOT IN ('completed', 'expired', 'failed') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', b.status));
  END IF;
  -- Recipients are locked before their broadcast.
  UPDATE broadcast_recipients SET status = 'pending', attempts = 0, error = NULL,
    due_at = CASE WHEN b.local THEN now() END, updated_at = now()
  WHERE broadcast_id = b.id AND status = 'failed';
  GET DIAGNOSTICS retried = ROW_COUNT;
  IF retried = 0 THEN
    -- Parallel retries wait here for the one that takes effect.
    SELECT status INTO b.status FROM broadcasts WHERE id = b.id;
    PERFORM refuse(CASE WHEN b.status IN ('completed', 'expired', 'failed')
        THEN '{"problem":"nothing_to_retry"}'
      ELSE json_build_object('problem', 'invalid_state', 'current', b.status) END);
  END IF;
  -- A message that was edited or recalled must not be sent again with its original content.
  IF EXISTS (SELECT FROM broadcast_changes WHERE broadcast_id = b.id) THEN
    PERFORM refuse('{"problem":"invalid_state","current":"changed"}');
  END IF;
  IF NOT can_start_sending(b, max_sending) THEN
    PERFORM refuse(json_build_object('problem', 'limit_reached', 'limit', max_sending));
  END IF;
  PERFORM shift_counts(b.id, 'failed', 'pending', retried);
  -- An end in the past would end the retry immediately.
  UPDATE broadcasts SET waiting = waiting + retried, reached_at = NULL, reached_id = NULL,
    completed_at = NULL,
    schedule = CASE WHEN (schedule->>'expires_at')::timestamptz <= now()
      THEN schedule || '{"expires_at":null}' ELSE schedule END
  WHERE id = b.id;
  b := move_broadcast(b.id, b.status, 'sending', 'broadcast.resumed');
  IF b.id IS NULL THEN PERFORM refuse('{"problem":"invalid_state","current":"sending"}'); END IF;
  PERFORM complete_claim(input->'claim', 200, broadcast_record(b));
  RETURN json_build_object('record', broadcast_record(b));
END $$;
