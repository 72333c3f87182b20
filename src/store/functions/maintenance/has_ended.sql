-- Whether a process that gave a life sign has ended, or has lost its connection. Unknown is not ended.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION has_ended(process int) RETURNS boolean LANGUAGE sql AS $$
  SELECT process IS NOT NULL AND pg_try_advisory_xact_lock(1818846821, process)
$$;
