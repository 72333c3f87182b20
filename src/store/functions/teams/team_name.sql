-- The name of a conversation's team; null without a team and after it was deleted.
--
-- Returns: string | null
CREATE OR REPLACE FUNCTION team_name(team uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT name FROM teams WHERE id = team AND deleted_at IS NULL
$$;
