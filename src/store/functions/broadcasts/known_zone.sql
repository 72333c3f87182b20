-- The name by which this database knows a time zone: the canonical zone of a link, the given name, or another
-- link to the same zone. UTC if it knows none.
--
-- Returns: string
CREATE OR REPLACE FUNCTION known_zone(given text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  candidate text;
  candidates text[];
BEGIN
  SELECT ARRAY[zone, given] || names INTO candidates FROM other_zone_names()
  WHERE lower(zone) = lower(given) OR EXISTS (SELECT FROM unnest(names) n WHERE lower(n) = lower(given));
  FOREACH candidate IN ARRAY coalesce(candidates, ARRAY[given]) LOOP
    BEGIN
      PERFORM now() AT TIME ZONE candidate;
      RETURN candidate;
    EXCEPTION WHEN invalid_parameter_value THEN
      NULL;
    END;
  END LOOP;
  RETURN 'UTC';
END $$;
