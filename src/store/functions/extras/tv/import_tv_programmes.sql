-- Stores the programmes from one import of a source of television listings, for the networks of the same
-- import.
--
-- Arguments: entries: Guide['programmes']
-- Returns: void
CREATE OR REPLACE FUNCTION import_tv_programmes(from_source text, reading uuid, entries jsonb) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO tv_programmes (id, network_id, run, title, start_at, end_at, categories, description, icon_url)
  SELECT DISTINCT ON (e->>'id') e->>'id', n.id, reading, e->>'title', (e->>'start_at')::timestamptz,
    (e->>'end_at')::timestamptz, ARRAY(SELECT jsonb_array_elements_text(e->'categories')), e->>'description',
      e->>'icon_url'
  FROM jsonb_array_elements(entries) WITH ORDINALITY AS x (e, i)
  JOIN tv_networks n ON n.id = e->>'network_id' AND n.source = from_source AND n.run = reading
  ORDER BY e->>'id', i
  ON CONFLICT (id) DO UPDATE SET run = excluded.run, title = excluded.title, end_at = excluded.end_at,
    categories = excluded.categories, description = excluded.description, icon_url = excluded.icon_url;
  UPDATE tv_sources SET next_check_at = now() + interval '30 min' WHERE location = from_source;
$$;
