-- Sets the sources in their order and imports all of them soon. Deletes the data of other sources.
--
-- Returns: void
CREATE OR REPLACE FUNCTION set_tv_sources(locations text[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM tv_sources WHERE location <> ALL (locations);
  INSERT INTO tv_sources (location, place)
  SELECT l, n FROM unnest(locations) WITH ORDINALITY AS x (l, n)
  ON CONFLICT (location) DO UPDATE SET place = excluded.place,
    next_check_at = least(tv_sources.next_check_at, now());
$$;
