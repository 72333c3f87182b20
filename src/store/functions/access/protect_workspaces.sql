-- Restricts every table that has a workspace_id to the workspace in the session setting
-- `trunkline.workspace_id`.
--
-- Runs after each installation.
-- Returns: void
CREATE OR REPLACE FUNCTION protect_workspaces() RETURNS void LANGUAGE plpgsql AS $$
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
    -- A subquery, so that the setting is read once and not for each row.
    EXECUTE format('CREATE POLICY own_workspace ON %s USING (
      workspace_id = (SELECT nullif(current_setting(''trunkline.workspace_id'', true), '''')::uuid))',
      t.name);
  END LOOP;
END $$;
