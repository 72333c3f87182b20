-- Begins the undo of an import, which also stops it: {"workspace_id", "id", "undone_by"}.
--
-- Locks: contact_imports.
-- Arguments: input: { workspace_id: string; id: string; undone_by: string }
-- Returns: { record: ContactImportRecord } | Refusal
CREATE OR REPLACE FUNCTION undo_contact_import(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  i contact_imports := lock_import(input, '{running,completed}');
BEGIN
  PERFORM queue_contact_import(i.id);
  UPDATE contact_imports SET status = 'undoing', undone_by = (input->>'undone_by')::uuid
  WHERE id = i.id RETURNING * INTO i;
  RETURN json_build_object('record', contact_import_record(i));
END $$;
