-- The name of a conversation's team; null if there is none or it was deleted.
--
-- Returns: string | null
CREATE OR REPLACE FUNCTION team_name(team uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT name FROM teams WHERE id = team AND deleted_at IS NULL
$$;
