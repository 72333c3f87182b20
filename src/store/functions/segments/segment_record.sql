-- A segment in the form of the API.
--
-- Returns: SegmentRecord
CREATE OR REPLACE FUNCTION segment_record(s segments) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', s.id, 'name', s.name, 'kind', s.kind, 'size', s.size, 'filter', s.filter,
    'metadata', s.metadata, 'created_at', wire_time(s.created_at), 'updated_at', wire_time(s.updated_at))
$$;
