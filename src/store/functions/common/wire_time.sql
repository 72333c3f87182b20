-- As to_char is: declared immutable it would be called as a function each time instead of becoming part of
-- its query.
--
-- Returns: string
CREATE OR REPLACE FUNCTION wire_time(t timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(t AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
