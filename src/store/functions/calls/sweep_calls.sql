-- Returns the calls with an expired deadline. Removes a batch of old frames.
--
-- Locks: signaling, calls.
-- Returns: string[]
CREATE OR REPLACE FUNCTION sweep_calls() RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM calls WHERE status IN ('ringing', 'active')) THEN
    PERFORM fail_unreachable_calls();
  END IF;
  DELETE FROM call_signals WHERE id IN (
    SELECT id FROM call_signals WHERE created_at < now() - interval '2 minutes' ORDER BY created_at
      LIMIT 1000);
  RETURN QUERY SELECT id FROM calls WHERE deadline <= now() ORDER BY deadline LIMIT 200;
END $$;
