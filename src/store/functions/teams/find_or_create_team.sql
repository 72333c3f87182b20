-- The id of the team with this name, created if there is none. Null for a null name.
--
-- Locks: teams.
-- Returns: string | null
CREATE OR REPLACE FUNCTION find_or_create_team(workspace uuid, team_name text) RETURNS uuid
  LANGUAGE plpgsql AS $$
DECLARE
  team uuid;
BEGIN
  IF team_name IS NULL THEN RETURN NULL; END IF;
  SELECT id INTO team FROM teams WHERE workspace_id = workspace AND name = team_name AND deleted_at IS NULL;
  IF FOUND THEN RETURN team; END IF;
  -- Returns the team of a concurrent call if there is one. Without an update, the statement would not return
  -- it.
  INSERT INTO teams (id, workspace_id, name) VALUES (uuid7(), workspace, team_name)
  ON CONFLICT (workspace_id, name) WHERE deleted_at IS NULL DO UPDATE SET name = excluded.name
  RETURNING id INTO team;
  RETURN team;
END $$;
