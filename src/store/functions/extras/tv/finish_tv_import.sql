-- Completes the import of a source: sets missing ends of programmes, and deletes networks and programmes that
-- the source no longer lists.
--
-- Arguments: new_etag: string | null; new_last_modified: string | null
-- Returns: void
CREATE OR REPLACE FUNCTION finish_tv_import(from_source text, reading uuid, new_etag text,
  new_last_modified text, again interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE tv_programmes p SET end_at = coalesce((
      SELECT min(x.start_at) FROM tv_programmes x WHERE x.network_id = p.network_id AND x.run = reading
        AND x.start_at > p.start_at), p.start_at + interval '1 hour')
  WHERE p.run = reading AND p.end_at IS NULL;
  DELETE FROM tv_networks WHERE source = from_source AND run <> reading;
  DELETE FROM tv_programmes p USING tv_networks n WHERE n.id = p.network_id AND n.source = from_source
    AND p.run <> reading
    AND p.start_at >= coalesce((SELECT min(x.start_at) FROM tv_programmes x
      WHERE x.network_id = p.network_id AND x.run = reading), now());
  UPDATE tv_sources SET etag = new_etag, last_modified = new_last_modified, error = NULL, imported_at = now(),
    next_check_at = now() + again WHERE location = from_source;
$$;
