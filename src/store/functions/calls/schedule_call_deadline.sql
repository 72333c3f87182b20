-- Stores the next deadline of a call and adds its job. Called last in every change of a call.
--
-- Returns: void

-- The next deadline of a call, from the limits of section 7.4 and the socket timeouts.
CREATE OR REPLACE FUNCTION call_deadline(c calls) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN is_live_call(c) THEN least(
    CASE c.status WHEN 'initiated' THEN c.started_at + interval '15 s' END,
    CASE WHEN c.status <> 'active' THEN c.started_at + make_interval(secs => c.ring_timeout) END,
    CASE c.status WHEN 'active' THEN c.answered_at + make_interval(secs => c.max_duration) END,
    CASE c.status WHEN 'active' THEN c.vacant_since + interval '30 s' END,
    (SELECT min(p.socketless_since) + interval '20 s' FROM call_participants p
     WHERE p.call_id = c.id AND p.status = 'joined')) END
$$;

CREATE OR REPLACE FUNCTION schedule_call_deadline(call uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  due timestamptz;
BEGIN
  SELECT * INTO c FROM calls WHERE id = call;
  due := call_deadline(c);
  IF c.deadline IS NOT DISTINCT FROM due THEN RETURN; END IF;
  UPDATE calls SET deadline = due WHERE id = call;
  IF due IS NOT NULL THEN
    INSERT INTO outbox (topic, payload, run_at) VALUES ('timer', jsonb_build_object('call_id', call), due);
  END IF;
END $$;
