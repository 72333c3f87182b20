-- Changes an OAuth app: {"workspace_id", "id", "patch": {"name", "redirect_uris", "scopes"}}.
--
-- Locks: oauth_apps.
-- Arguments: input: { workspace_id: string; id: string; patch: ChangeOAuthAppBody }
-- Returns: { record: OAuthAppRecord } | Refusal
CREATE OR REPLACE FUNCTION change_oauth_app(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  a oauth_apps := lock_oauth_app((input->>'workspace_id')::uuid, (input->>'id')::uuid);
  patch jsonb := input->'patch';
BEGIN
  IF NOT oauth_app_record(a)::jsonb @> (patch - 'redirect_uris' - 'scopes')
    OR json_texts(patch->'redirect_uris') <> a.redirect_uris AND patch ? 'redirect_uris'
    OR json_texts(patch->'scopes') <> a.scopes AND patch ? 'scopes'
  THEN
    UPDATE oauth_apps SET name = coalesce(patch->>'name', name), updated_at = now(),
      redirect_uris = CASE WHEN patch ? 'redirect_uris' THEN json_texts(patch->'redirect_uris')
        ELSE redirect_uris END,
      scopes = CASE WHEN patch ? 'scopes' THEN json_texts(patch->'scopes') ELSE scopes END
    WHERE id = a.id RETURNING * INTO a;
  END IF;
  RETURN json_build_object('record', oauth_app_record(a));
END $$;
