-- Creates an API key: {"workspace_id" and "user_id" of the live workspace, "id", "name", "environment",
-- "scopes", "rate_limit", "ip_allowlist", "hash", "hint", "expires_at", "conversation_ids" or absent,
-- "max_keys": the maximum number of keys of a workspace}.
--
-- Locks: workspaces, users.
-- Arguments: input: Omit<KeyToStore, 'hash'> & { hash: string; max_keys: number }
-- Returns: { record: ApiKeyShown } | Refusal

-- The conversations of a grant, sorted and without duplicates. Null for a request without a grant.
-- Conversations of the previous grant are accepted even if they were deleted since.
CREATE OR REPLACE FUNCTION granted_conversations(workspace uuid, ids jsonb, former uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  chosen uuid[];
BEGIN
  IF coalesce(jsonb_typeof(ids), 'null') = 'null' THEN RETURN NULL; END IF;
  chosen := ARRAY(SELECT DISTINCT x::uuid FROM jsonb_array_elements_text(ids) x ORDER BY 1);
  IF EXISTS (SELECT FROM unnest(chosen) x WHERE x <> ALL (coalesce(former, '{}')) AND NOT EXISTS (
    SELECT FROM conversations c WHERE c.id = x AND c.workspace_id = workspace AND c.deleted_at IS NULL)) THEN
    PERFORM refuse('{"problem":"not_found","field":"conversation_ids"}');
  END IF;
  RETURN chosen;
END $$;

CREATE OR REPLACE FUNCTION create_api_key(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  live uuid := (input->>'workspace_id')::uuid;
  -- Processes of the former release name it "most".
  max_keys int := coalesce(input->>'max_keys', input->>'most')::int;
  u users;
  k api_keys;
BEGIN
  PERFORM 1 FROM workspaces WHERE id = live FOR NO KEY UPDATE;
  SELECT * INTO u FROM users WHERE id = (input->>'user_id')::uuid AND workspace_id = live
    AND kind <> 'contact'
    AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"user_id"}'); END IF;
  IF u.status <> 'active' THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', u.status));
  END IF;
  IF (SELECT count(*) FROM api_keys WHERE revoked_at IS NULL
    AND workspace_id IN (SELECT with_test_workspace(live))) >= max_keys
  THEN PERFORM refuse(json_build_object('problem', 'limit_reached', 'limit', max_keys)); END IF;
  IF input->>'environment' = 'test' THEN u := test_user(u.id); END IF;
  INSERT INTO api_keys (id, workspace_id, user_id, name, environment, scopes, rate_limit, ip_allowlist, hash,
    hint, expires_at, conversation_ids)
  VALUES ((input->>'id')::uuid, u.workspace_id, u.id, input->>'name', input->>'environment',
    json_texts(input->'scopes'),
    (input->>'rate_limit')::int, json_texts(input->'ip_allowlist'), decode(input->>'hash', 'base64'),
      input->>'hint',
    (input->>'expires_at')::timestamptz,
    granted_conversations(u.workspace_id, input->'conversation_ids', NULL))
  RETURNING * INTO k;
  RETURN json_build_object('record', api_key_record(k));
END $$;
