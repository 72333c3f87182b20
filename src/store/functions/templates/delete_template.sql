-- Deletes a template: {"workspace_id", "id"}. Broadcasts keep the content that they copied from it.
--
-- Arguments: input: { workspace_id: string; id: string }
-- Returns: { record: { id: string } } | Refusal
CREATE OR REPLACE FUNCTION delete_template(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM templates WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN json_build_object('record', json_build_object('id', input->>'id'));
END $$;
