-- Claims an import for a worker. Returns null if another worker has claimed it or no work is left.
--
-- Returns: { status: 'running' | 'undoing'; header: string[]; mapping: ImportMapping } | null
CREATE OR REPLACE FUNCTION claim_contact_import(import uuid) RETURNS json LANGUAGE sql AS $$
  UPDATE contact_imports SET leased_until = now() + interval '15 s', look_at = now() + interval '15 s'
  WHERE id = import AND status IN ('running', 'undoing') AND leased_until <= now()
  RETURNING json_build_object('status', status, 'header', header, 'mapping', mapping)
$$;
