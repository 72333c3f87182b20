-- Deletes an import that is not in progress, with its rows: {"workspace_id", "id"}. Its contacts are kept.
--
-- Locks: contact_imports.
-- Arguments: input: { workspace_id: string; id: string }
-- Returns: { record: { id: string } } | Refusal
CREATE OR REPLACE FUNCTION delete_contact_import(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  i contact_imports := lock_import(input, '{uploaded,completed,undone}');
BEGIN
  DELETE FROM contact_import_rows WHERE import_id = i.id;
  DELETE FROM contact_imports WHERE id = i.id;
  RETURN json_build_object('record', json_build_object('id', i.id));
END $$;
