-- Grants the role its read access. Each start calls it as well if the role has no rights yet, because an
-- operator may have created the role since the installation.
--
-- Runs after each installation.
-- Locks: an advisory lock.
-- Returns: void
CREATE OR REPLACE FUNCTION open_to_members() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- One process at a time: concurrent changes of the same rights are an error.
  PERFORM pg_advisory_xact_lock(hashtextextended('open_to_members', 0));
  GRANT USAGE ON SCHEMA public TO trunkline_member;
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO trunkline_member;
  ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO trunkline_member;
  -- Tables that belong to no workspace and appear in no record.
  REVOKE SELECT ON schema_migrations, outbox, idempotency_keys, rate_windows, rate_counters, sign_in_failures,
    connection_state, signaling_processes, signaling, installation, media_signing
    FROM trunkline_member;
  GRANT SELECT (only_row, public_url) ON installation TO trunkline_member;
END $$;
