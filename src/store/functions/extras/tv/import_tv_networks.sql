-- Stores the networks from one import of a source of television listings. A network belongs to the first
-- source in the list that has it.
--
-- Arguments: entries: Guide['networks']
-- Returns: void
CREATE OR REPLACE FUNCTION import_tv_networks(from_source text, reading uuid, entries jsonb) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO tv_networks AS n (id, source, run, name, languages, country, icon_url)
  SELECT DISTINCT ON (e->>'id') e->>'id', from_source, reading, e->>'name',
    ARRAY(SELECT jsonb_array_elements_text(e->'languages')), e->>'country', e->>'icon_url'
  FROM jsonb_array_elements(entries) WITH ORDINALITY AS x (e, i)
  WHERE EXISTS (SELECT 1 FROM tv_sources s WHERE s.location = from_source)
  ORDER BY e->>'id', i
  ON CONFLICT (id) DO UPDATE SET source = excluded.source, run = excluded.run, name = excluded.name,
    languages = excluded.languages, country = excluded.country, icon_url = excluded.icon_url
  WHERE n.source = excluded.source OR (SELECT place FROM tv_sources WHERE location = excluded.source)
    < (SELECT place FROM tv_sources WHERE location = n.source);
  UPDATE tv_sources SET next_check_at = now() + interval '30 min' WHERE location = from_source;
$$;
