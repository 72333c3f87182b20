-- Takes the advisory lock that shows that a process is alive. The connection must last as long as the
-- process, because the lock is released when the connection ends.
--
-- Returns: void
CREATE OR REPLACE FUNCTION lock_process_liveness(process int) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_lock_shared(1818846821, process) $$;
