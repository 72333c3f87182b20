-- Creates an import without rows: {"workspace_id", "id", "created_by", "file_name", "header"}. A workspace
-- can have at most 20 imports that were not started.
--
-- Arguments: input: NewContactImport
-- Returns: void
CREATE OR REPLACE FUNCTION create_contact_import(input jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_imports (id, workspace_id, created_by, file_name, header)
  VALUES ((input->>'id')::uuid, (input->>'workspace_id')::uuid, (input->>'created_by')::uuid,
    input->>'file_name', json_texts(input->'header'));
  IF (SELECT count(*) FROM contact_imports WHERE workspace_id = (input->>'workspace_id')::uuid
    AND status = 'uploaded') > 20 THEN
    PERFORM refuse('{"problem":"limit_reached","limit":20}');
  END IF;
END $$;
