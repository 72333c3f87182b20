-- The name by which this database knows a time zone: the canonical zone of a link, the given name, or another
-- link to the same zone. UTC if it knows none.
--
-- Returns: string
CREATE OR REPLACE FUNCTION resolve_time_zone(zone_name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  candidate text;
  candidates text[];
BEGIN
  SELECT ARRAY[zone, zone_name] || names INTO candidates FROM time_zone_aliases()
  WHERE lower(zone) = lower(zone_name)
    OR EXISTS (SELECT FROM unnest(names) n WHERE lower(n) = lower(zone_name));
  FOREACH candidate IN ARRAY coalesce(candidates, ARRAY[zone_name]) LOOP
    BEGIN
      PERFORM now() AT TIME ZONE candidate;
      RETURN candidate;
    EXCEPTION WHEN invalid_parameter_value THEN
      NULL;
    END;
  END LOOP;
  RETURN 'UTC';
END $$;
