-- Starts an import: {"workspace_id", "id", "started_by", "mapping"}.
--
-- Locks: contact_imports.
-- Arguments: input: { workspace_id: string; id: string; started_by: string; mapping: ImportMapping }
-- Returns: { record: ContactImportRecord } | Refusal
CREATE OR REPLACE FUNCTION start_contact_import(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  i contact_imports := lock_import(input, '{uploaded}');
BEGIN
  PERFORM queue_contact_import(i.id);
  UPDATE contact_imports SET status = 'running', mapping = input->'mapping', started_at = now(),
    started_by = (input->>'started_by')::uuid
  WHERE id = i.id RETURNING * INTO i;
  RETURN json_build_object('record', contact_import_record(i));
END $$;
