-- The second wall between workspaces: what the interface lists is read by a role that sees the rows of one workspace.
-- The owner of the tables, as which everything else runs, is not bound by it.

-- Binds every table that has a workspace_id to the workspace in the session's setting `trunkline.workspace_id`.
-- Belongs at the end of each migration that makes such a table.
CREATE FUNCTION protect_workspaces() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t record;
BEGIN
  FOR t IN
    SELECT c.oid::regclass AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'own_workspace')
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t.name);
    -- Within brackets of its own, so that it is read once and not for each row.
    EXECUTE format('CREATE POLICY own_workspace ON %s USING (
      workspace_id = (SELECT nullif(current_setting(''trunkline.workspace_id'', true), '''')::uuid))', t.name);
  END LOOP;
END $$;
SELECT protect_workspaces();

-- Tables without a workspace of their own whose rows belong to a row that has one.
ALTER TABLE delivery_parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_workspace ON delivery_parts USING (
  (SELECT d.workspace_id FROM deliveries d WHERE d.id = delivery_id)
    = (SELECT nullif(current_setting('trunkline.workspace_id', true), '')::uuid));
ALTER TABLE connection_state ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_workspace ON connection_state USING (
  (SELECT c.workspace_id FROM connections c WHERE c.id = connection_id)
    = (SELECT nullif(current_setting('trunkline.workspace_id', true), '')::uuid));
-- These belong to no workspace, and the role that reads lists sees none of their rows.
ALTER TABLE signaling ENABLE ROW LEVEL SECURITY;
ALTER TABLE signaling_processes ENABLE ROW LEVEL SECURITY;
ALTER TABLE media_signing ENABLE ROW LEVEL SECURITY;

ALTER TABLE workspaces ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_workspace ON workspaces USING (
  nullif(current_setting('trunkline.workspace_id', true), '')::uuid IN (id, live_workspace_id));

-- A role for reading. Where the application may not make roles, an operator makes it, or there is no second wall.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'trunkline_member') THEN
    CREATE ROLE trunkline_member NOLOGIN;
  END IF;
EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN
  RAISE NOTICE 'The role trunkline_member was not made: %', SQLERRM;
END $$;

DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 160000 THEN
    EXECUTE format('GRANT trunkline_member TO %I WITH SET TRUE, INHERIT FALSE', current_user);
  ELSE
    EXECUTE format('GRANT trunkline_member TO %I', current_user);
  END IF;
EXCEPTION WHEN insufficient_privilege OR undefined_object OR unique_violation THEN
  RAISE NOTICE 'The role trunkline_member is not granted: %', SQLERRM;
END $$;

-- What the role may read. A start calls it as well where the role may read nothing: an operator may have made it since.
CREATE FUNCTION open_to_members() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Of processes that start together one does it: two changes of the same rights at once are an error.
  PERFORM pg_advisory_xact_lock(hashtextextended('open_to_members', 0));
  GRANT USAGE ON SCHEMA public TO trunkline_member;
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO trunkline_member;
  ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO trunkline_member;
  -- What belongs to no workspace and to no record.
  REVOKE SELECT ON schema_migrations, outbox, idempotency_keys, rate_windows, rate_counters, sign_in_failures,
    connection_state, signaling_processes, signaling, installation, media_signing
    FROM trunkline_member;
  GRANT SELECT (only_row, public_url) ON installation TO trunkline_member;
END $$;

DO $$
BEGIN
  PERFORM open_to_members();
EXCEPTION WHEN undefined_object THEN
  RAISE NOTICE 'There is no role trunkline_member.';
END $$;
