-- Creates a workspace and its test workspace. Returns the live one.
--
-- Returns: { id: string }
CREATE OR REPLACE FUNCTION create_workspace(workspace uuid, named text) RETURNS workspaces
  LANGUAGE plpgsql AS $$
DECLARE
  w workspaces;
BEGIN
  INSERT INTO workspaces (id, name) VALUES (workspace, named) RETURNING * INTO w;
  INSERT INTO workspaces (id, name, live_workspace_id) VALUES (uuid7(), named || ' (test)', w.id);
  RETURN w;
END $$;
