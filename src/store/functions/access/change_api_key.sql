-- Changes an API key: {"workspace_id", "id", "patch": {"name", "ip_allowlist", "conversation_ids"}}. Null
-- conversation_ids remove the grant. A key without a grant can register webhooks, which are disabled when the
-- key gets a grant. Each webhook is updated before its pending deliveries, in the order of the ids.
--
-- Locks: api_keys, webhook_deliveries.
-- Events: webhook.disabled.
-- Arguments: input: { workspace_id: string; id: string; patch: ChangeApiKeyBody }
-- Returns: { record: ApiKeyShown } | Refusal
CREATE OR REPLACE FUNCTION change_api_key(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  k api_keys;
  granted uuid[];
  named text := input->'patch'->>'name';
  addresses text[] := CASE WHEN input->'patch' ? 'ip_allowlist'
    THEN json_texts(input->'patch'->'ip_allowlist') END;
BEGIN
  SELECT * INTO k FROM api_keys WHERE id = (input->>'id')::uuid
    AND workspace_id IN (SELECT with_test_workspace((input->>'workspace_id')::uuid)) FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF k.revoked_at IS NOT NULL THEN PERFORM refuse('{"problem":"invalid_state","current":"revoked"}'); END IF;
  granted := CASE WHEN NOT input->'patch' ? 'conversation_ids' THEN k.conversation_ids
    ELSE granted_conversations(k.workspace_id, input->'patch'->'conversation_ids', k.conversation_ids) END;
  IF (coalesce(named, k.name), coalesce(addresses, k.ip_allowlist), granted)
    IS DISTINCT FROM (k.name, k.ip_allowlist, k.conversation_ids) THEN
    IF k.conversation_ids IS NULL AND granted IS NOT NULL THEN
      PERFORM auto_disable_webhook(h.id, 'requested',
        'The API key that registered this webhook sees only chosen conversations.')
      FROM (SELECT w.id FROM webhooks w WHERE w.status = 'enabled' AND w.deleted_at IS NULL
        AND w.created_by_key = k.id ORDER BY w.id) h;
    END IF;
    UPDATE api_keys SET name = coalesce(named, name), ip_allowlist = coalesce(addresses, ip_allowlist),
      conversation_ids = granted, updated_at = now()
    WHERE id = k.id RETURNING * INTO k;
    PERFORM pg_notify('credentials', k.id::text);
  END IF;
  RETURN json_build_object('record', api_key_record(k));
END $$;
