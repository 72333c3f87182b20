-- Deletes a segment: {"workspace_id", "id"}.
--
-- Arguments: input: { workspace_id: string; id: string }
-- Returns: { record: { id: string } } | Refusal
CREATE OR REPLACE FUNCTION delete_segment(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  UPDATE segments SET deleted_at = now(), updated_at = now() WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid AND deleted_at IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN json_build_object('record', json_build_object('id', input->>'id'));
END $$;
