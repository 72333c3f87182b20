-- Schedules a retry after a failed attempt. The fifth failure is final.
--
-- Returns: 'pending' | 'dead' | null
CREATE OR REPLACE FUNCTION fail_envelope(envelope uuid, reason text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v envelopes;
BEGIN
  UPDATE envelopes SET tries = tries + 1, error = left(reason, 500),
    status = CASE WHEN tries + 1 >= 5 THEN 'dead' ELSE 'pending' END
  WHERE id = envelope AND status = 'pending' RETURNING * INTO v;
  IF v.status = 'pending' THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('envelope', jsonb_build_object('envelope_id', v.id),
      now() + make_interval(secs => 5 * power(4, v.tries - 1)));
  END IF;
  RETURN v.status;
END $$;
