-- Adds a new row of the audit log to the chain of its workspace. The trigger runs at commit, so its locks
-- are the last ones of the transaction, and a transaction that waits for one can't block the holder. A
-- transaction with rows of several workspaces takes their locks in the order of the keys. The lock lasts
-- until the commit is visible, so the next transaction sees the end of the chain.
--
-- Locks: an advisory lock for each workspace with new rows.
-- Returns: trigger
CREATE OR REPLACE FUNCTION chain_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(k.key) FROM (
    SELECT DISTINCT hashtextextended('audit_chain ' || w, 0) AS key
    FROM unnest(NEW.workspace_id::text
      || string_to_array(current_setting('trunkline.audited', true), ' ')) AS w
    ORDER BY key) k;
  PERFORM chain_audit_row(NEW);
  RETURN NULL;
END $$;
