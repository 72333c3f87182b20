-- Changes a workspace: {"workspace_id", "id", "patch": {"name", "opt_out_keywords", "plan"}}. The test
-- workspace gets the same keywords.
--
-- Locks: workspaces.
-- Arguments: input: { workspace_id: string; patch: ChangeWorkspaceBody }
-- Returns: { record: WorkspaceRecord } | Refusal
CREATE OR REPLACE FUNCTION change_workspace(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  w workspaces;
  patch jsonb := input->'patch';
BEGIN
  SELECT * INTO w FROM workspaces WHERE id = (input->>'workspace_id')::uuid FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF NOT workspace_record(w)::jsonb @> (patch - 'opt_out_keywords')
    OR json_texts(patch->'opt_out_keywords') <> w.opt_out_keywords AND patch ? 'opt_out_keywords'
  THEN
    UPDATE workspaces SET name = coalesce(patch->>'name', name), plan = coalesce(patch->>'plan', plan),
      updated_at = now(),
      opt_out_keywords = CASE WHEN patch ? 'opt_out_keywords' THEN json_texts(patch->'opt_out_keywords')
        ELSE opt_out_keywords END
    WHERE id = w.id RETURNING * INTO w;
    UPDATE workspaces SET opt_out_keywords = w.opt_out_keywords, updated_at = now()
    WHERE live_workspace_id = w.id AND opt_out_keywords <> w.opt_out_keywords;
  END IF;
  RETURN json_build_object('record', workspace_record(w));
END $$;
