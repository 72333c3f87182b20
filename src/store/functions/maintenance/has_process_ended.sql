-- Whether a process that took its lock has ended or lost its connection. An unknown process does not count as
-- ended.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION has_process_ended(process int) RETURNS boolean LANGUAGE sql AS $$
  SELECT process IS NOT NULL AND pg_try_advisory_xact_lock(1818846821, process)
$$;
