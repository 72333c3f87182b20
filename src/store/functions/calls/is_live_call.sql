-- Whether a call has not ended.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION is_live_call(c calls) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT c.status IN ('initiated', 'ringing', 'active')
$$;
