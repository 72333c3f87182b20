-- Ends one session of a user (`session`), or all except `kept`. Returns how many ended.
--
-- Arguments: session: string | null; kept: string | null
-- Returns: number
CREATE OR REPLACE FUNCTION end_own_sessions(person uuid, session uuid, kept uuid) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT id FROM sessions
    WHERE user_id = person AND (session IS NULL OR id = session) AND (kept IS NULL OR id <> kept));
BEGIN
  PERFORM end_sessions(ids);
  RETURN cardinality(ids);
END $$;
