-- Adds jobs for imports whose job was lost or whose worker died.
--
-- Returns: void
CREATE OR REPLACE FUNCTION wake_contact_imports() RETURNS void LANGUAGE sql AS $$
  SELECT queue_contact_import(id) FROM (SELECT id FROM contact_imports
    WHERE status IN ('running', 'undoing') AND look_at <= now() ORDER BY look_at LIMIT 100
    FOR NO KEY UPDATE SKIP LOCKED) due
$$;
