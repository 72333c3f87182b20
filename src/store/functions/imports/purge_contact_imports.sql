-- Deletes up to `batch_size` rows of imports that were not started within a day, or that have ended and were
-- created more than 31 days ago. Deletes such an import when it has no rows left. Returns how many rows were
-- deleted.
--
-- Locks: contact_imports.
-- Returns: number
CREATE OR REPLACE FUNCTION purge_contact_imports(batch_size int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  gone int;
  old uuid[] := ARRAY(SELECT id FROM contact_imports
    WHERE (status = 'uploaded' AND created_at < now() - interval '1 day')
      OR (status IN ('completed', 'undone') AND created_at < now() - interval '31 days')
    ORDER BY created_at LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  DELETE FROM contact_import_rows WHERE (import_id, number) IN (
    SELECT import_id, number FROM contact_import_rows WHERE import_id = ANY (old) LIMIT batch_size);
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM contact_imports i WHERE i.id = ANY (old)
    AND NOT EXISTS (SELECT FROM contact_import_rows r WHERE r.import_id = i.id);
  RETURN gone;
END $$;
