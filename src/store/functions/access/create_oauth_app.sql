-- Creates an OAuth app: {"workspace_id", "id", "created_by", "name", "type", "redirect_uris", "scopes",
-- "client_id", "secret_hash" and "secret_hint" or null, "max_apps": the maximum number of apps of a
-- workspace}.
--
-- Locks: workspaces.
-- Arguments: input: NewOAuthApp & { secret_hash?: string; secret_hint?: string; max_apps: number }
-- Returns: { record: OAuthAppRecord } | Refusal
CREATE OR REPLACE FUNCTION create_oauth_app(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid := (input->>'workspace_id')::uuid;
  -- Processes of the former release name it "most".
  max_apps int := coalesce(input->>'max_apps', input->>'most')::int;
  a oauth_apps;
BEGIN
  PERFORM 1 FROM workspaces WHERE id = workspace FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM oauth_apps WHERE workspace_id = workspace) >= max_apps
  THEN PERFORM refuse(json_build_object('problem', 'limit_reached', 'limit', max_apps)); END IF;
  INSERT INTO oauth_apps (id, workspace_id, name, type, redirect_uris, scopes, client_id, client_secret_hash,
    secret_hint, created_by)
  VALUES ((input->>'id')::uuid, workspace, input->>'name', input->>'type', json_texts(input->'redirect_uris'),
    json_texts(input->'scopes'), (input->>'client_id')::uuid, decode(input->>'secret_hash', 'base64'),
      input->>'secret_hint',
    (input->>'created_by')::uuid)
  RETURNING * INTO a;
  RETURN json_build_object('record', oauth_app_record(a));
END $$;
