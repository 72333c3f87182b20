-- Replaces the secret of an OAuth app: {"workspace_id", "id", "secret_hash", "secret_hint"}.
--
-- Locks: oauth_apps.
-- Arguments: input: { workspace_id: string; id: string; secret_hash: string; secret_hint: string }
-- Returns: { record: OAuthAppRecord } | Refusal
CREATE OR REPLACE FUNCTION rotate_oauth_secret(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  a oauth_apps := lock_oauth_app((input->>'workspace_id')::uuid, (input->>'id')::uuid);
BEGIN
  IF a.type = 'public' THEN PERFORM refuse('{"problem":"invalid_state","current":"public"}'); END IF;
  UPDATE oauth_apps SET client_secret_hash = decode(input->>'secret_hash', 'base64'),
    secret_hint = input->>'secret_hint',
    updated_at = now() WHERE id = a.id RETURNING * INTO a;
  RETURN json_build_object('record', oauth_app_record(a));
END $$;
