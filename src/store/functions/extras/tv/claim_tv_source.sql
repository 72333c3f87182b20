-- Claims a due source for half an hour.
--
-- Locks: tv_sources.
-- Returns: { location: string; etag: string | null; last_modified: string | null }[]
CREATE OR REPLACE FUNCTION claim_tv_source() RETURNS SETOF tv_sources LANGUAGE sql AS $$
  UPDATE tv_sources SET next_check_at = now() + interval '30 min' WHERE location = (
    SELECT location FROM tv_sources WHERE next_check_at <= now() ORDER BY place LIMIT 1
    FOR UPDATE SKIP LOCKED)
  RETURNING *
$$;
