-- The ids of a live workspace and its test workspace.
--
-- Returns: string[]
CREATE OR REPLACE FUNCTION with_test_workspace(live uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT live UNION ALL SELECT id FROM workspaces WHERE live_workspace_id = live
$$;
