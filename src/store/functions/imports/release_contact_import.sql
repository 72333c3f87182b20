-- Releases an import, so that another worker can continue it.
--
-- Returns: void
CREATE OR REPLACE FUNCTION release_contact_import(import uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE contact_imports SET leased_until = '-infinity' WHERE id = import;
  SELECT queue_contact_import(id) FROM contact_imports WHERE id = import AND status IN ('running', 'undoing');
$$;
