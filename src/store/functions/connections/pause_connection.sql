-- Pauses the whole account because the platform asked for a wait. A wait of more than a minute is shown on
-- the connection. A request of another generation is ignored, because that generation may belong to another
-- account.
--
-- Locks: connections.
-- Arguments: of_generation: number | null
-- Returns: void
CREATE OR REPLACE FUNCTION pause_connection(connection uuid, until timestamptz,
  of_generation int DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE connections SET paused_until = greatest(paused_until, until)
  WHERE id = connection AND generation = coalesce(of_generation, generation);
  IF FOUND AND until > now() + interval '60 s' THEN
    PERFORM move_connection(connection, ARRAY['connected', 'degraded'],
      'degraded', jsonb_build_object('code', 'rate_limited',
      'message', format('The platform asked to wait until %s.', wire_time(until)), 'fix', NULL), NULL, NULL);
  END IF;
END $$;
