-- A row of the audit log in the form of the API. The name is the current name of the actor. `chain` is null
-- until the transaction that added the row commits.
--
-- Returns: AuditRecord
CREATE OR REPLACE FUNCTION audit_record(a audit_log) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', a.id,
    'actor', json_build_object('type', a.actor_type, 'id', a.actor_id, 'name', CASE a.actor_type
      WHEN 'member' THEN (SELECT u.display_name FROM users u WHERE u.id = a.actor_id)
      WHEN 'api_key' THEN (SELECT k.name FROM api_keys k WHERE k.id = a.actor_id) END),
    'action', a.action, 'object', json_build_object('type', a.object_type, 'id', a.object_id),
    'address', a.address, 'created_at', wire_time(a.created_at),
    'chain', (SELECT json_build_object('workspace_id', a.workspace_id, 'number', c.number,
      'previous_hash', encode(c.previous_hash, 'hex'), 'hash', encode(c.hash, 'hex'))
      FROM audit_chain c WHERE c.row_id = a.id))
$$;
