-- Applies the expired deadlines of a call. Any number of processes may call it, at any time.
--
-- Locks: calls.
-- Events: call.participant_left.
-- Returns: void

-- Removes participants who had no socket for too long. After the last one, the timeout for an empty call
-- starts.
CREATE OR REPLACE FUNCTION remove_socketless_participants(c calls, moment timestamptz) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  p call_participants;
BEGIN
  FOR p IN SELECT * FROM call_participants WHERE call_id = c.id AND status = 'joined'
    AND socketless_since + interval '20 s' <= moment ORDER BY socketless_since, user_id LOOP
    PERFORM remove_call_participant(c, p.user_id, 'left', false);
    UPDATE calls SET vacant_since = p.socketless_since + interval '20 s' WHERE id = c.id AND status = 'active'
      AND NOT EXISTS (SELECT 1 FROM call_participants WHERE call_id = c.id AND status = 'joined');
  END LOOP;
END $$;

-- The error of a call whose invitation was not accepted in time.
CREATE OR REPLACE FUNCTION invitation_error(c calls) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT m.error FROM messages m WHERE m.id = c.invitation_id), jsonb_build_object(
    'code', CASE WHEN c.invitation_id IS NULL THEN 'no_route' ELSE 'provider_error' END,
    'message', CASE WHEN c.invitation_id IS NULL THEN 'No platform leads to the participants.'
      ELSE 'The platform did not accept the invitation in time.' END, 'permanent', true,
        'platform_code', NULL))
$$;

CREATE OR REPLACE FUNCTION advance_call(call uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  moment timestamptz;
  ringing_ends timestamptz;
  max_duration_ends timestamptz;
BEGIN
  SELECT * INTO c FROM calls WHERE id = call FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT is_live_call(c) THEN RETURN; END IF;
  moment := clock_timestamp();
  PERFORM remove_socketless_participants(c, moment);
  SELECT * INTO c FROM calls WHERE id = call;
  ringing_ends := c.started_at + make_interval(secs => c.ring_timeout);
  max_duration_ends := c.answered_at + make_interval(secs => c.max_duration);
  IF c.status = 'initiated' AND c.started_at + interval '15 s' < ringing_ends
    AND c.started_at + interval '15 s' <= moment THEN
    PERFORM finish_call(c, 'failed', 'provider_error', NULL, invitation_error(c));
  ELSIF c.status <> 'active' AND ringing_ends <= moment THEN
    PERFORM finish_call(c, 'ended', 'no_answer', NULL, NULL);
  ELSIF c.status = 'active' AND max_duration_ends <= moment
    AND (c.vacant_since IS NULL OR max_duration_ends < c.vacant_since + interval '30 s') THEN
    PERFORM finish_call(c, 'ended', 'max_duration', NULL, NULL);
  ELSIF c.status = 'active' AND c.vacant_since + interval '30 s' <= moment THEN
    PERFORM finish_call(c, 'ended', 'connection_lost', NULL, NULL);
  ELSE
    PERFORM schedule_call_deadline(c.id);
    -- A process whose clock is ahead of the database calls this too early, so the job is added again.
    INSERT INTO outbox (topic, payload, run_at)
    SELECT 'timer', jsonb_build_object('call_id', call), deadline + interval '100 ms' FROM calls
    WHERE id = call AND deadline = c.deadline AND deadline < moment + interval '1 s';
  END IF;
END $$;
