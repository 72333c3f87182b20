-- Adds rows of the file to an import: [{"number", "line", "cells"}].
--
-- Arguments: added: readonly ImportRow[]
-- Returns: void
CREATE OR REPLACE FUNCTION add_import_rows(import uuid, added jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO contact_import_rows (import_id, workspace_id, number, line, cells)
  SELECT i.id, i.workspace_id, (r->>'number')::int, (r->>'line')::int, json_texts(r->'cells')
  FROM contact_imports i CROSS JOIN jsonb_array_elements(added) AS r WHERE i.id = import;
  UPDATE contact_imports SET total = total + jsonb_array_length(added) WHERE id = import;
$$;
