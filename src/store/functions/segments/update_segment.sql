-- Changes a segment: {"workspace_id", "id", "patch": {"name", "filter", "user_ids", "metadata"}}. Its kind
-- does not change.
--
-- Locks: segments.
-- Arguments: input: { workspace_id: string; id: string; patch: SegmentChange }
-- Returns: { record: SegmentRecord } | Refusal

-- Whether a segment consists of exactly these users.
CREATE OR REPLACE FUNCTION has_members(segment uuid, user_ids jsonb) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT user_id, platform, variables FROM segment_members WHERE segment_id = segment
      EXCEPT SELECT id::uuid, NULL, '{}' FROM jsonb_array_elements_text(user_ids) i (id))
    AND NOT EXISTS (SELECT id::uuid FROM jsonb_array_elements_text(user_ids) i (id)
      EXCEPT SELECT user_id FROM segment_members WHERE segment_id = segment)
$$;

CREATE OR REPLACE FUNCTION update_segment(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s segments;
  n segments;
  patch jsonb := input->'patch';
BEGIN
  SELECT * INTO s FROM segments WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF s.kind = 'filter' AND patch ? 'user_ids' THEN
    PERFORM refuse('{"problem":"invalid","field":"user_ids","code":"exclusive"}');
  ELSIF s.kind = 'static' AND patch->>'filter' IS NOT NULL THEN
    PERFORM refuse('{"problem":"invalid","field":"filter","code":"exclusive"}');
  ELSIF s.kind = 'filter' AND patch ? 'filter' AND patch->>'filter' IS NULL THEN
    PERFORM refuse('{"problem":"invalid","field":"filter","code":"required"}');
  END IF;
  n := s;
  n.name := coalesce(patch->>'name', n.name);
  n.filter := coalesce(patch->>'filter', n.filter);
  n.metadata := coalesce(patch->'metadata', n.metadata);
  IF n IS DISTINCT FROM s THEN
    UPDATE segments SET name = n.name, filter = n.filter, metadata = n.metadata, updated_at = now()
    WHERE id = s.id RETURNING * INTO n;
  END IF;
  IF patch ? 'user_ids' AND NOT has_members(s.id, patch->'user_ids') THEN
    n := replace_members(n, patch->'user_ids');
  END IF;
  RETURN json_build_object('record', segment_record(n));
END $$;
