-- Changes a broadcast that has not started: {"workspace_id", "id", "patch"}.
--
-- Locks: broadcasts, templates.
-- Events: broadcast.scheduled.
-- Arguments: input: { workspace_id: string; id: string; patch: BroadcastFields }
-- Returns: { record: BroadcastRecord } | Refusal

-- The variants that replace the stored ones. A variant with the same key keeps the attachments that the
-- request keeps.
CREATE OR REPLACE FUNCTION merge_variants(requested jsonb, stored jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(CASE jsonb_typeof(w.v->'attachments')
        WHEN 'array' THEN w.v || jsonb_build_object('attachments',
    merge_attachments(w.v->'attachments', (SELECT o->'attachments' FROM jsonb_array_elements(stored) o
        WHERE o->'key' = w.v->'key' LIMIT 1)))
    ELSE w.v END ORDER BY w.n), '[]')
  FROM jsonb_array_elements(requested) WITH ORDINALITY AS w (v, n)
$$;

CREATE OR REPLACE FUNCTION update_broadcast(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts := lock_broadcast(input);
  n broadcasts;
  t record;
  patch jsonb := input->'patch';
BEGIN
  PERFORM check_audience(b.workspace_id, patch);
  IF b.status NOT IN ('draft', 'scheduled') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', b.status));
  END IF;
  n := b;
  IF patch ? 'text' THEN n.text := patch->>'text'; END IF;
  IF patch ? 'template_id' AND (patch->>'template_id')::uuid IS DISTINCT FROM b.template_id THEN
    SELECT * INTO t FROM templates WHERE id = (patch->>'template_id')::uuid;
    n.template_id := t.id;
    n.template_text := t.text;
    n.content_type := coalesce(t.content_type, n.content_type);
    n.attachments := coalesce(t.attachments, n.attachments);
  END IF;
  IF (n.text IS NULL) = (n.template_id IS NULL) THEN
    PERFORM refuse(json_build_object('problem', 'invalid', 'field', 'text',
      'code', CASE WHEN n.text IS NULL THEN 'required' ELSE 'exclusive' END));
  END IF;
  n.name := coalesce(patch->>'name', n.name);
  n.category := coalesce(patch->>'category', n.category);
  n.content_type := coalesce(patch->>'content_type', n.content_type);
  IF patch ? 'attachments' THEN
    n.attachments := merge_attachments(patch->'attachments', b.attachments);
  END IF;
  n.variables := coalesce(patch->'variables', n.variables);
  IF patch ? 'variants' THEN n.variants := merge_variants(patch->'variants', b.variants); END IF;
  IF patch ? 'platforms' THEN
    n.platforms := ARRAY(SELECT jsonb_array_elements_text(patch->'platforms'));
  END IF;
  n.audience := coalesce(patch->'audience', n.audience);
  IF patch ? 'fallback' THEN n.fallback := nullif(patch->'fallback', 'null'); END IF;
  IF patch ? 'throttle' THEN n.throttle := nullif(patch->'throttle', 'null'); END IF;
  IF patch ? 'schedule' THEN n.schedule := nullif(patch->'schedule', 'null'); END IF;
  IF (n.schedule, n.audience) IS DISTINCT FROM (b.schedule, b.audience) THEN
    PERFORM refuse_past_local_time(n);
    n.scheduled_at := due_time(n);
  END IF;
  n.metadata := coalesce(patch->'metadata', n.metadata);
  -- A scheduled broadcast without a time is due now, like one with a past time.
  IF b.status = 'scheduled' THEN n.scheduled_at := coalesce(n.scheduled_at, now()); END IF;
  IF n IS NOT DISTINCT FROM b THEN RETURN json_build_object('record', broadcast_record(b)); END IF;
  PERFORM refuse_empty_content(n, patch);
  UPDATE broadcasts SET name = n.name, category = n.category, text = n.text, template_id = n.template_id,
    template_text = n.template_text, content_type = n.content_type,
    attachments = n.attachments, variables = n.variables, variants = n.variants, platforms = n.platforms,
    audience = n.audience, fallback = n.fallback, throttle = n.throttle, schedule = n.schedule,
    scheduled_at = n.scheduled_at, metadata = n.metadata, updated_at = now() WHERE id = b.id
      RETURNING * INTO n;
  IF n.status = 'scheduled'
    AND (n.schedule, n.scheduled_at) IS DISTINCT FROM (b.schedule, b.scheduled_at) THEN
    n := schedule_broadcast(n, previous_values(
      jsonb_build_object('schedule', b.schedule, 'scheduled_at', wire_time(b.scheduled_at)),
      jsonb_build_object('schedule', n.schedule, 'scheduled_at', wire_time(n.scheduled_at))));
  END IF;
  RETURN json_build_object('record', broadcast_record(n));
END $$;
