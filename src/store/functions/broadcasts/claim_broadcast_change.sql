-- Claims a change of a broadcast whose next step is due. Returns false if another worker has claimed it or it
-- is not due.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION claim_broadcast_change(change uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE broadcast_changes SET look_at = now() + interval '15 s'
  WHERE id = change AND status IN ('running', 'stopping') AND look_at <= now();
  RETURN FOUND;
END $$;
