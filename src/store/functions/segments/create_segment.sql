-- Creates a segment: {"workspace_id", "id", "name", "filter", "user_ids", "metadata", "claim"}. A repeated
-- id returns the same record.
--
-- Arguments: input: NewSegment
-- Returns: { record: SegmentRecord } | Refusal
CREATE OR REPLACE FUNCTION create_segment(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s segments;
BEGIN
  SELECT * INTO s FROM segments WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid;
  IF FOUND THEN RETURN json_build_object('record', segment_record(s)); END IF;
  INSERT INTO segments (id, workspace_id, name, kind, filter, metadata)
  VALUES ((input->>'id')::uuid, (input->>'workspace_id')::uuid, input->>'name',
    CASE WHEN input->>'filter' IS NULL THEN 'static' ELSE 'filter' END, input->>'filter',
      coalesce(input->'metadata', '{}'))
  RETURNING * INTO s;
  IF input ? 'user_ids' THEN s := replace_members(s, input->'user_ids'); END IF;
  PERFORM complete_claim(input->'claim', 201, segment_record(s));
  RETURN json_build_object('record', segment_record(s));
END $$;
