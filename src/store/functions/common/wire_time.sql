-- A timestamp in the form of the API. The function is stable, like to_char, because an immutable one would
-- not be inlined.
--
-- Returns: string
CREATE OR REPLACE FUNCTION wire_time(t timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(t AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
