-- Changes an API key: {"workspace_id", "id", "patch": {"name", "ip_allowlist"}}.
--
-- Locks: api_keys.
-- Arguments: input: { workspace_id: string; id: string; patch: ChangeApiKeyBody }
-- Returns: { record: ApiKeyShown } | Refusal
CREATE OR REPLACE FUNCTION change_api_key(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  k api_keys;
  named text := input->'patch'->>'name';
  addresses text[] := CASE WHEN input->'patch' ? 'ip_allowlist'
    THEN json_texts(input->'patch'->'ip_allowlist') END;
BEGIN
  SELECT * INTO k FROM api_keys WHERE id = (input->>'id')::uuid
    AND workspace_id IN (SELECT with_test_workspace((input->>'workspace_id')::uuid)) FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF k.revoked_at IS NOT NULL THEN PERFORM refuse('{"problem":"invalid_state","current":"revoked"}'); END IF;
  IF (coalesce(named, k.name), coalesce(addresses, k.ip_allowlist)) IS DISTINCT FROM (k.name,
    k.ip_allowlist) THEN
    UPDATE api_keys SET name = coalesce(named, name), ip_allowlist = coalesce(addresses, ip_allowlist),
      updated_at = now()
    WHERE id = k.id RETURNING * INTO k;
    PERFORM pg_notify('credentials', k.id::text);
  END IF;
  RETURN json_build_object('record', api_key_record(k));
END $$;
