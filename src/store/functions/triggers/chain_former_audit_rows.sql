-- Adds the rows of the audit log that are in no chain to the end of the chain of their workspace, in the
-- order of their times: rows of releases without a chain. The lock of the table waits for transactions that
-- have written rows while the trigger did nothing, and keeps others from it until the trigger is installed.
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
