-- A test key shows the live user that it was requested for. Only a key with a grant has conversation_ids.
--
-- Returns: ApiKeyRecord
CREATE OR REPLACE FUNCTION api_key_record(k api_keys) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (jsonb_build_object('id', k.id, 'name', k.name, 'environment', k.environment, 'scopes', k.scopes,
    'rate_limit', k.rate_limit,
    'ip_allowlist', k.ip_allowlist,
    'user_id', coalesce((SELECT u.live_user_id FROM users u WHERE u.id = k.user_id), k.user_id),
      'hint', k.hint,
    'expires_at', wire_time(k.expires_at), 'last_used_at', wire_time(k.last_used_at),
    'revoked_at', wire_time(k.revoked_at),
    'created_at', wire_time(k.created_at), 'updated_at', wire_time(k.updated_at))
    || CASE WHEN k.conversation_ids IS NULL THEN '{}'
      ELSE jsonb_build_object('conversation_ids', k.conversation_ids) END)::json
$$;
