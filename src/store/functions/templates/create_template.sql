-- Creates a template: {"workspace_id", "id", "name", "text", "content_type", "attachments", "metadata",
-- "claim"}. A second call with the same id returns the same record.
--
-- Arguments: input: NewTemplate
-- Returns: { record: TemplateRecord }
CREATE OR REPLACE FUNCTION create_template(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t templates;
BEGIN
  SELECT * INTO t FROM templates WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid;
  IF NOT FOUND THEN
    INSERT INTO templates (id, workspace_id, name, text, content_type, attachments, metadata)
    VALUES ((input->>'id')::uuid, (input->>'workspace_id')::uuid, input->>'name', input->>'text',
      input->>'content_type',
      input->'attachments', input->'metadata') RETURNING * INTO t;
    PERFORM complete_claim(input->'claim', 201, template_record(t));
  END IF;
  RETURN json_build_object('record', template_record(t));
END $$;
