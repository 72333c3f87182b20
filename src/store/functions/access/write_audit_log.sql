-- Adds a row to the audit log of a workspace. Changes in a test workspace are recorded in the audit log of
-- its live workspace. The setting `trunkline.actor` has the actor and the address of the request. Without
-- this setting they are `person` and `origin`. Without a person the actor is the system. The setting
-- `trunkline.audited` names the workspaces with new rows for chain_audit_log().
--
-- Returns: void
CREATE OR REPLACE FUNCTION write_audit_log(workspace uuid, what text, kind text, object uuid, person uuid,
  origin text) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('trunkline.audited', concat_ws(' ', nullif(s.audited, ''), live.id), true)
  FROM workspaces w, coalesce(w.live_workspace_id, w.id) AS live (id),
    (SELECT coalesce(current_setting('trunkline.audited', true), '') AS audited) s
  WHERE w.id = workspace AND position(live.id::text IN s.audited) = 0;
  INSERT INTO audit_log (workspace_id, actor_type, actor_id, action, object_type, object_id, address)
  SELECT coalesce(w.live_workspace_id, w.id),
    coalesce(a.actor->>'type', CASE WHEN person IS NULL THEN 'system' ELSE 'member' END),
    coalesce((a.actor->>'id')::uuid, person), what, kind, object, coalesce(a.actor->>'address', origin)
  FROM workspaces w,
    (SELECT nullif(current_setting('trunkline.actor', true), '')::jsonb AS actor) a
  WHERE w.id = workspace
$$;
