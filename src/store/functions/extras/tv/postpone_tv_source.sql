-- Schedules the next import of a source that was unchanged or could not be read.
--
-- Arguments: problem: string | null
-- Returns: void
CREATE OR REPLACE FUNCTION postpone_tv_source(from_source text, problem text, again interval) RETURNS void
  LANGUAGE sql AS $$
  UPDATE tv_sources SET error = problem, next_check_at = now() + again WHERE location = from_source
$$;
