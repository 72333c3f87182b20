-- Row-level security: lists are read by a role that sees the rows of one workspace. It does not apply to the
-- owner of the tables, which runs everything else. protect_workspaces() adds the policy of every table with a
-- workspace_id.

-- Tables without a workspace of their own whose rows belong to a row that has one.
ALTER TABLE delivery_parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_workspace ON delivery_parts USING (
  (SELECT d.workspace_id FROM deliveries d WHERE d.id = delivery_id)
    = (SELECT nullif(current_setting('trunkline.workspace_id', true), '')::uuid));
ALTER TABLE connection_state ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_workspace ON connection_state USING (
  (SELECT c.workspace_id FROM connections c WHERE c.id = connection_id)
    = (SELECT nullif(current_setting('trunkline.workspace_id', true), '')::uuid));

-- Tables without a workspace. The read role sees none of their rows.
ALTER TABLE signaling ENABLE ROW LEVEL SECURITY;
ALTER TABLE signaling_processes ENABLE ROW LEVEL SECURITY;
ALTER TABLE media_signing ENABLE ROW LEVEL SECURITY;
ALTER TABLE workspaces ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_workspace ON workspaces USING (
  nullif(current_setting('trunkline.workspace_id', true), '')::uuid IN (id, live_workspace_id));

-- A role for reading. If the application may not create roles, an operator creates it; otherwise row-level
-- security does not apply.
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
