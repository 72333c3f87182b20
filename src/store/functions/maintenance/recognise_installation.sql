-- Returns the differences between the stored location of the database and the current one; {} if they match.
-- `here` is the part of the location that the process knows. Stores the current location if none is stored
-- or `adopt` is set, and otherwise adds values that were unknown. The time of the last adoption is stored
-- with the location, so that a process that missed the notification finds it.
--
-- Locks: installation.
-- Arguments: here: Readonly<Record<string, string>>
-- Returns: ('system' | 'database' | 'table' | 'files' | 'machine')[]

-- The location of this database. A restored dump has at least another table oid. A copy of the database has
-- another database oid. On another server, both have another system identifier. Copies of all files of a
-- server, such as a promoted replica, can't be distinguished.
CREATE OR REPLACE FUNCTION database_location() RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  system text;
BEGIN
  BEGIN
    SELECT system_identifier::text INTO system FROM pg_control_system();
  EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN
    -- Some hosted servers deny access to it.
    system := NULL;
  END;
  RETURN jsonb_strip_nulls(jsonb_build_object('system', system,
    'database', (SELECT oid::text FROM pg_database WHERE datname = current_database()),
    'table', 'public.installation'::regclass::oid::text));
END $$;

CREATE OR REPLACE FUNCTION recognise_installation(here jsonb, adopt boolean) RETURNS text[]
  LANGUAGE plpgsql AS $$
DECLARE
  seen jsonb := database_location() || here;
  known jsonb;
  differences text[];
BEGIN
  SELECT place INTO known FROM installation FOR NO KEY UPDATE;
  IF NOT adopt AND known IS NOT NULL THEN
    -- Skips values that are unknown on either side.
    differences := ARRAY(SELECT k.key FROM jsonb_each_text(known) k JOIN jsonb_each_text(seen) s USING (key)
      WHERE k.value <> s.value ORDER BY 1);
    IF differences <> '{}' THEN RETURN differences; END IF;
    seen := seen || known;
  END IF;
  IF adopt THEN seen := seen || jsonb_build_object('adopted', clock_timestamp()); END IF;
  UPDATE installation SET place = seen WHERE place IS DISTINCT FROM seen;
  IF adopt THEN PERFORM pg_notify('installation', 'adopted'); END IF;
  RETURN '{}';
END $$;
