-- Changes a template: {"workspace_id", "id", "patch"}.
--
-- Locks: templates.
-- Arguments: input: { workspace_id: string; id: string; patch: TemplateFields }
-- Returns: { record: TemplateRecord } | Refusal
CREATE OR REPLACE FUNCTION update_template(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t templates;
  n templates;
  patch jsonb := input->'patch';
BEGIN
  SELECT * INTO t FROM templates WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  n := t;
  n.name := coalesce(patch->>'name', n.name);
  n.text := coalesce(patch->>'text', n.text);
  n.content_type := coalesce(patch->>'content_type', n.content_type);
  IF patch ? 'attachments' THEN
    n.attachments := merge_attachments(patch->'attachments', t.attachments);
  END IF;
  n.metadata := coalesce(patch->'metadata', n.metadata);
  IF n.text = '' AND n.attachments = '[]' THEN
    PERFORM refuse(json_build_object('problem', 'invalid', 'code', 'too_short',
      'field', CASE WHEN patch ? 'text' THEN 'text' ELSE 'attachments' END));
  END IF;
  IF n IS DISTINCT FROM t THEN
    UPDATE templates SET name = n.name, text = n.text, content_type = n.content_type,
      attachments = n.attachments,
      metadata = n.metadata, updated_at = now() WHERE id = t.id RETURNING * INTO n;
  END IF;
  RETURN json_build_object('record', template_record(n));
END $$;
