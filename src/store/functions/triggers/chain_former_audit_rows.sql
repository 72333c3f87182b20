-- Adds audit log rows without a chain to the end of the chain of their workspace, in the order of their
-- times. Releases without chains wrote these rows. The table lock waits for transactions that wrote rows
-- while the trigger was a placeholder, and blocks other writers until the trigger is installed.
--
-- Runs after each installation.
-- Locks: the table audit_log.
-- Returns: void
CREATE OR REPLACE FUNCTION chain_former_audit_rows() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  a audit_log;
BEGIN
  LOCK TABLE audit_log IN SHARE ROW EXCLUSIVE MODE;
  FOR a IN SELECT o.* FROM audit_log o
    WHERE NOT EXISTS (SELECT FROM audit_chain c WHERE c.row_id = o.id)
    ORDER BY o.workspace_id, o.created_at, o.id
  LOOP
    PERFORM chain_audit_row(a);
  END LOOP;
END $$;
