-- Refuses changes and deletions, because the audit log is append-only.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Rows of the audit log are neither changed nor deleted.';
END $$;
