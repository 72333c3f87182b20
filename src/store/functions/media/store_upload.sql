-- Stores an upload that is complete on disk. A repeated call with the same id returns the same record.
-- Refuses an id that a file of another workspace or another kind has.
--
-- Arguments: input: NewUpload
-- Returns: AttachmentRecord | Refusal
CREATE OR REPLACE FUNCTION store_upload(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m media;
BEGIN
  INSERT INTO media (id, workspace_id, source, state, type, name, mime_type, alt_text, size, width, height,
    sha256, due_at, uploaded_by)
  VALUES ((input->>'id')::uuid, (input->>'workspace_id')::uuid, 'upload', 'ready', input->>'type',
    input->>'name',
    input->>'mime_type', input->>'alt_text', (input->>'size')::bigint, (input->>'width')::int,
      (input->>'height')::int,
    decode(input->>'sha256', 'hex'), NULL, (input->>'uploaded_by')::uuid)
  ON CONFLICT (id) DO NOTHING;
  SELECT * INTO m FROM media WHERE id = (input->>'id')::uuid AND source = 'upload'
    AND workspace_id = (input->>'workspace_id')::uuid;
  IF NOT FOUND THEN PERFORM refuse(json_build_object('problem', 'already_exists', 'id', input->'id')); END IF;
  RETURN attachment_record(jsonb_build_object('id', m.id), m);
END $$;
