-- An import of contacts as the dashboard shows it.
--
-- Returns: ContactImportRecord
CREATE OR REPLACE FUNCTION contact_import_record(i contact_imports) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', i.id, 'file_name', i.file_name, 'header', i.header, 'rows', i.total,
    'status', i.status, 'mapping', i.mapping,
    'counts', json_build_object('created', i.created, 'updated', i.updated, 'unchanged', i.unchanged,
      'failed', i.failed, 'removed', i.removed, 'kept', i.kept),
    'created_by', i.created_by, 'created_at', wire_time(i.created_at),
    'started_at', wire_time(i.started_at), 'completed_at', wire_time(i.completed_at),
    'undone_at', wire_time(i.undone_at))
$$;
