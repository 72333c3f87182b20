-- Takes the lock of a process, on a connection that lasts as long as the process.
--
-- Returns: void
CREATE OR REPLACE FUNCTION give_life_sign(process int) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_lock_shared(1818846821, process) $$;
