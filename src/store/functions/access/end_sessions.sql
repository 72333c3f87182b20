-- Ends the sessions with these ids. Notifies at commit, so that streams opened with them close.
--
-- Returns: void
CREATE OR REPLACE FUNCTION end_sessions(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  WITH ended AS (DELETE FROM sessions WHERE id = ANY (ids) RETURNING id)
  SELECT pg_notify('credentials', id::text) FROM ended
$$;
