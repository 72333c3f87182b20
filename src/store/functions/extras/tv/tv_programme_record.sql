-- A television programme in the form of the API.
--
-- Returns: TvProgrammeRecord
CREATE OR REPLACE FUNCTION tv_programme_record(p tv_programmes) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', p.id, 'network_id', p.network_id, 'title', p.title,
    'start_at', wire_time(p.start_at),
    'end_at', wire_time(p.end_at), 'categories', p.categories, 'description', p.description,
      'icon_url', p.icon_url)
$$;
