-- Stores new credentials, settings or a new name. A change that affects the live adapter raises the
-- generation, which restarts the adapter. New credentials or an explicit reconnect end a pause of the account
-- early. `merged_with`: the generation whose settings and credentials the new ones were merged with. If the
-- generation has changed since, returns {"stale": true}.
--
-- Locks: connections.
-- Arguments: patch: Omit<ConnectionChange, 'credentials'>; sealed: Buffer | null; names: string[] | null;
--   merged_with: number
-- Returns: { record: ConnectionRecord } | { stale: true } | Refusal
CREATE OR REPLACE FUNCTION change_connection(workspace uuid, connection uuid, patch jsonb,
  sealed bytea, names text[],
  merged_with bigint DEFAULT NULL)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c connections;
  old connections;
  restart boolean;
BEGIN
  SELECT * INTO old FROM connections WHERE id = connection AND workspace_id = workspace
    AND deleted_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found'); END IF;
  IF old.generation <> merged_with AND (sealed IS NOT NULL OR patch ? 'settings') THEN
    RETURN '{"stale":true}';
  END IF;
  restart := sealed IS NOT NULL OR (patch ? 'settings' AND patch->'settings' <> old.settings)
    OR (patch ? 'enabled' AND (patch->>'enabled')::boolean <> old.enabled);
  IF NOT restart AND coalesce(patch->>'name', old.name) = old.name THEN
    RETURN json_build_object('record', connection_record(old));
  END IF;
  UPDATE connections SET name = coalesce(patch->>'name', name),
    settings = coalesce(patch->'settings', settings),
    credentials = coalesce(sealed, credentials), credentials_set = coalesce(names, credentials_set),
    enabled = coalesce((patch->>'enabled')::boolean, enabled), generation = generation + restart::int,
    paused_until = CASE WHEN sealed IS NULL THEN paused_until END, updated_at = now()
  WHERE id = connection RETURNING * INTO c;
  IF NOT c.enabled AND old.status <> 'disabled' THEN
    PERFORM move_connection(c.id, ARRAY[old.status], 'disabled',
      '{"code":"disabled","message":"Switched off.","fix":null}', NULL, NULL);
  ELSIF c.enabled AND restart THEN
    PERFORM move_connection(c.id, ARRAY[old.status], 'connecting',
      '{"code":"connecting","message":"Connecting.","fix":null}', NULL, NULL);
  END IF;
  SELECT * INTO c FROM connections WHERE id = connection;
  PERFORM pg_notify('connections', c.id::text);
  RETURN json_build_object('record', connection_record(c));
END $$;
