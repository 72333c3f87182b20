-- Grants read access to the roles of readers. Each start also calls this if a role has no rights yet, because
-- an operator may have created the role since the installation.
--
-- Runs after each installation.
-- Locks: an advisory lock.
-- Returns: void
CREATE OR REPLACE FUNCTION grant_reader_access() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  reader name;
BEGIN
  -- Only one process runs this at a time, because concurrent changes of the same rights fail.
  PERFORM pg_advisory_xact_lock(hashtextextended('grant_reader_access', 0));
  FOR reader IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('trunkline_member', 'trunkline_restricted') LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', reader);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA public TO %I', reader);
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO %I', reader);
    -- Tables that belong to no workspace and appear in no record.
    EXECUTE format('REVOKE SELECT ON schema_migrations, outbox, idempotency_keys, rate_windows,
      rate_counters, sign_in_failures, connection_state, signaling_processes, signaling, installation,
      media_signing FROM %I',
      reader);
    EXECUTE format('GRANT SELECT (only_row, public_url) ON installation TO %I', reader);
  END LOOP;
END $$;
