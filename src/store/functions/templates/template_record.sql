-- A template in the form of the API.
--
-- Returns: TemplateRecord
CREATE OR REPLACE FUNCTION template_record(t templates) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', t.id, 'name', t.name, 'text', t.text, 'content_type', t.content_type,
    'attachments', attachment_records(t.attachments),
    'variables', ARRAY(SELECT name FROM unnest(placeholder_names(t.text)) WITH ORDINALITY AS x (name, n)
      GROUP BY name ORDER BY min(n)),
    'metadata', t.metadata, 'created_at', wire_time(t.created_at), 'updated_at', wire_time(t.updated_at))
$$;
