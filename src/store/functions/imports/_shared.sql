-- Helpers for imports of contacts.

-- Adds the job that continues an import. If the worker makes no progress, a sweep calls this again after 15
-- seconds.
CREATE OR REPLACE FUNCTION queue_contact_import(import uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE contact_imports SET look_at = now() + interval '15 s' WHERE id = import;
  INSERT INTO outbox (topic, payload)
  SELECT 'timer', jsonb_build_object('contact_import_id', id, 'workspace_id', workspace_id)
  FROM contact_imports WHERE id = import;
$$;

-- Locks and returns an import of a workspace. Refuses an unknown import, and one that is in none of these
-- states.
CREATE OR REPLACE FUNCTION lock_import(input jsonb, states text[]) RETURNS contact_imports
  LANGUAGE plpgsql AS $$
DECLARE
  i contact_imports;
BEGIN
  SELECT * INTO i FROM contact_imports WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF i.status <> ALL (states) THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', i.status));
  END IF;
  RETURN i;
END $$;
