-- A workspace in the form of the API.
--
-- Returns: WorkspaceRecord
CREATE OR REPLACE FUNCTION workspace_record(w workspaces) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', w.id, 'name', w.name, 'plan', w.plan, 'opt_out_keywords', w.opt_out_keywords,
    'test_workspace_id', (SELECT t.id FROM workspaces t WHERE t.live_workspace_id = w.id))
$$;
