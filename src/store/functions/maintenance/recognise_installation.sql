-- The differences between the stored location of the database and the present one; {} if they match. `here`
-- is the location as the process knows it. The first location is stored, and with `adopt` the present one.
-- Locks the row of installation.
--
-- Locks: installation.
-- Arguments: here: Readonly<Record<string, string>>
-- Returns: ('system' | 'database' | 'table' | 'files' | 'machine')[]

-- The location of this database. A restored dump has another table at least, a copy of the database another
-- database, and both on another server another system. Copies of all files of a server, such as a promoted
-- replica, can't be distinguished.
CREATE OR REPLACE FUNCTION database_place() RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  system text;
BEGIN
  BEGIN
    SELECT system_identifier::text INTO system FROM pg_control_system();
  EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN
    -- Some hosted servers hide it.
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
    -- A value that is unknown on either side is not compared.
    differences := ARRAY(SELECT k.key FROM jsonb_each_text(known) k JOIN jsonb_each_text(seen) s USING (key)
      WHERE k.value <> s.value ORDER BY 1);
    IF differences <> '{}' THEN RETURN differences; END IF;
    seen := seen || known;
  END IF;
  UPDATE installation SET place = seen WHERE place IS DISTINCT FROM seen;
  IF adopt THEN PERFORM pg_notify('installation', 'adopted'); END IF;
  RETURN '{}';
END $$;
