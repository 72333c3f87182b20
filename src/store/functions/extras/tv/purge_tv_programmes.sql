-- Deletes programmes that ended more than seven days ago.
--
-- Returns: void
CREATE OR REPLACE FUNCTION purge_tv_programmes() RETURNS void LANGUAGE sql AS $$
  DELETE FROM tv_programmes WHERE id = ANY (ARRAY(
    SELECT id FROM tv_programmes WHERE end_at < now() - interval '7 days' ORDER BY end_at LIMIT 5000))
$$;
