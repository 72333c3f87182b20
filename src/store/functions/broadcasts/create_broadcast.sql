-- Creates a broadcast: {"workspace_id", "id", "created_by", "draft", "claim", and the fields of a broadcast}.
-- A second call with the same id returns the same record.
--
-- Locks: templates.
-- Events: broadcast.scheduled.
-- Arguments: input: NewBroadcast
-- Returns: { record: BroadcastRecord } | Refusal
CREATE OR REPLACE FUNCTION create_broadcast(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  t record;
  workspace uuid := (input->>'workspace_id')::uuid;
  answer json;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = (input->>'id')::uuid AND workspace_id = workspace;
  IF FOUND THEN RETURN json_build_object('record', broadcast_record(b)); END IF;
  PERFORM check_audience(workspace, input);
  SELECT * INTO t FROM templates WHERE id = (input->>'template_id')::uuid;
  INSERT INTO broadcasts (id, workspace_id, name, category, status, text, template_id,
    template_text, content_type,
    attachments, variables, variants, platforms, audience, fallback, throttle, schedule, created_by,
      scheduled_at, metadata)
  VALUES ((input->>'id')::uuid, workspace,
    coalesce(input->>'name', 'Broadcast ' || wire_time(now()::timestamptz(3))),
    coalesce(input->>'category', 'marketing'), 'draft', input->>'text', t.id, t.text,
    coalesce(input->>'content_type', t.content_type, 'text'),
      coalesce(input->'attachments', t.attachments, '[]'),
    coalesce(input->'variables', '{}'), coalesce(input->'variants', '[]'),
    ARRAY(SELECT jsonb_array_elements_text(input->'platforms')), input->'audience',
      nullif(input->'fallback', 'null'),
    nullif(input->'throttle', 'null'), nullif(input->'schedule', 'null'), (input->>'created_by')::uuid,
    (input->'schedule'->>'at')::timestamptz, coalesce(input->'metadata', '{}'))
  RETURNING * INTO b;
  PERFORM refuse_empty_content(b, input);
  IF b.schedule->>'local_time' IS NOT NULL THEN
    PERFORM refuse_past_local_time(b);
    UPDATE broadcasts SET scheduled_at = due_time(b) WHERE id = b.id RETURNING * INTO b;
  END IF;
  IF NOT coalesce((input->>'draft')::boolean, false) THEN b := schedule_broadcast(b, NULL); END IF;
  -- Rendered once, because it contains its whole audience.
  answer := broadcast_record(b);
  IF input->'claim' IS NOT NULL THEN PERFORM complete_claim(input->'claim', 201, answer); END IF;
  RETURN json_build_object('record', answer);
END $$;
