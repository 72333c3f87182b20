-- Stores an upload that is complete on disk. A repeated call with the same id returns the same record.
--
-- Arguments: input: NewUpload
-- Returns: AttachmentRecord
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
  SELECT * INTO m FROM media WHERE id = (input->>'id')::uuid;
  RETURN attachment_record(jsonb_build_object('id', m.id), m);
END $$;
