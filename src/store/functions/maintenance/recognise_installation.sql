-- What differs between where the installation knows its database to be and where this one is, {} when it is
-- that one. `here` is what the process knows of the place. The first place that is asked about becomes the
-- known one, and with `adopt` this one. Locks the row of installation.
--
-- Locks: installation.
-- Arguments: here: Readonly<Record<string, string>>
-- Returns: ('system' | 'database' | 'table' | 'files' | 'machine')[]

-- Where this database is. A dump that is restored has another table at least, a copy of the database another
-- database, and both on another server another system. Copies of all files of a server, such as a promoted
-- replica, are not told apart.
CREATE OR REPLACE FUNCTION database_place() RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  system text;
BEGIN
  BEGIN
    SELECT system_identifier::text INTO system FROM pg_control_system();
  EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN
    -- Some hosted servers do not show it.
    system := NULL;
  END;
  RETURN jsonb_strip_nulls(jsonb_build_object('system', system,
    'database', (SELECT oid::text FROM pg_database WHERE datname = current_database()),
    'table', 'public.installation'::regclass::oid::text));
END $$;

CREATE OR REPLACE FUNCTION recognise_installation(here jsonb, adopt boolean) RETURNS text[]
  LANGUAGE plpgsql AS $$
DECLARE
  seen jsonb := database_place() || here;
  known jsonb;
  differences text[];
BEGIN
  SELECT place INTO known FROM installation FOR NO KEY UPDATE;
  IF NOT adopt AND known IS NOT NULL THEN
    -- A reading of which one of the two knows nothing says nothing.
    differences := ARRAY(SELECT k.key FROM jsonb_each_text(known) k JOIN jsonb_each_text(seen) s USING (key)
      WHERE k.value <> s.value ORDER BY 1);
    IF differences <> '{}' THEN RETURN differences; END IF;
    seen := seen || known;
  END IF;
  UPDATE installation SET place = seen WHERE place IS DISTINCT FROM seen;
  IF adopt THEN PERFORM pg_notify('installation', 'adopted'); END IF;
  RETURN '{}';
END $$;
