-- Helpers for segments.

-- Replaces the members of a segment with these users. Refuses unknown users.
CREATE OR REPLACE FUNCTION replace_members(s segments, user_ids jsonb) RETURNS segments LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM jsonb_array_elements_text(user_ids) i (id) WHERE NOT EXISTS (SELECT 1 FROM users u
    WHERE u.id = i.id::uuid AND u.workspace_id = s.workspace_id AND u.deleted_at IS NULL)) THEN
    PERFORM refuse('{"problem":"not_found","field":"user_ids"}');
  END IF;
  DELETE FROM segment_members WHERE segment_id = s.id;
  INSERT INTO segment_members (segment_id, workspace_id, user_id)
  SELECT s.id, s.workspace_id, i.id::uuid FROM jsonb_array_elements_text(user_ids)
    WITH ORDINALITY AS i (id, n) ORDER BY n
  ON CONFLICT DO NOTHING;
  RETURN update_segment_size(s.id);
END $$;

-- Updates the member count of a segment and returns the segment.
CREATE OR REPLACE FUNCTION update_segment_size(segment uuid) RETURNS segments LANGUAGE sql AS $$
  UPDATE segments SET size = (SELECT count(*) FROM segment_members WHERE segment_id = segment),
    updated_at = now()
  WHERE id = segment RETURNING *
$$;

-- Removes a contact from all segments.
CREATE OR REPLACE FUNCTION remove_from_segments(member uuid) RETURNS void LANGUAGE sql AS $$
  WITH dropped AS (DELETE FROM segment_members WHERE user_id = member RETURNING segment_id)
  UPDATE segments SET size = size - 1 WHERE id IN (SELECT segment_id FROM dropped)
$$;
