-- A row of an import as the dashboard shows it.
--
-- Returns: ContactImportRowRecord
CREATE OR REPLACE FUNCTION contact_import_row_record(r contact_import_rows) RETURNS json
  LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', r.id, 'line', r.line, 'cells', r.cells, 'result', r.result,
    'problems', r.problems, 'user_id', r.user_id, 'undo', r.undo, 'kept_reason', r.kept_reason)
$$;
