-- Wakes the delivery worker of each connection that has work.
--
-- Arguments: at: Date | null
-- Returns: void
CREATE OR REPLACE FUNCTION wake_connections(ids uuid[], at timestamptz DEFAULT NULL) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload, run_at)
  SELECT 'deliver', jsonb_build_object('connection_id', id), at FROM (SELECT DISTINCT unnest(ids) AS id) c
$$;
