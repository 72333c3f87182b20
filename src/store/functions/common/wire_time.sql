-- Stable, as to_char is: an immutable function would be called each time instead of being inlined.
--
-- Returns: string
CREATE OR REPLACE FUNCTION wire_time(t timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(t AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
