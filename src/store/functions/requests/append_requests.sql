-- Adds answered requests to the log of their workspace: [{"id", "at", "method", "path", "status",
-- "duration_ms", "request_id", "workspace_id", "key_id", "app_id"}]. Requests of a test workspace are logged
-- in its live workspace. Requests with unknown keys or workspaces are left out.
--
-- Arguments: requests: readonly RequestEntry[]
-- Returns: void
CREATE OR REPLACE FUNCTION append_requests(requests jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO request_log (id, workspace_id, environment, method, path, status, duration_ms, credential_kind,
    credential_id, credential_name, request_id, created_at)
  SELECT r.id, coalesce(w.live_workspace_id, w.id),
    CASE WHEN w.live_workspace_id IS NULL THEN 'live' ELSE 'test' END,
    r.method, r.path, r.status, r.duration_ms,
    CASE WHEN r.key_id IS NULL THEN 'oauth_app' ELSE 'api_key' END,
    coalesce(r.key_id, r.app_id), coalesce(k.name, a.name), r.request_id, r.at
  FROM jsonb_to_recordset(requests) AS r (id uuid, at timestamptz, method text, path text, status smallint,
    duration_ms int, request_id text, workspace_id uuid, key_id uuid, app_id uuid)
  LEFT JOIN api_keys k ON k.id = r.key_id
  LEFT JOIN oauth_apps a ON a.id = r.app_id
  JOIN workspaces w ON w.id = coalesce(r.workspace_id, k.workspace_id)
  WHERE coalesce(r.key_id, r.app_id) IS NOT NULL
$$;
