-- A broadcast in the form of the API.
--
-- Returns: BroadcastRecord

-- The variants of a broadcast, with their attachments.
CREATE OR REPLACE FUNCTION variant_records(variants jsonb) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('key', v->'key', 'weight', v->'weight', 'text', v->'text',
        'attachments',
    CASE jsonb_typeof(v->'attachments') WHEN 'array' THEN attachment_records(v->'attachments') END)
      ORDER BY n), '[]')
  FROM jsonb_array_elements(variants) WITH ORDINALITY AS x (v, n)
$$;

CREATE OR REPLACE FUNCTION broadcast_record(b broadcasts) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', b.id, 'name', b.name, 'category', b.category, 'status', b.status, 'text', b.text,
    'template_id', b.template_id, 'content_type', b.content_type,
      'attachments', attachment_records(b.attachments),
    'variables', b.variables, 'variants', variant_records(b.variants), 'platforms', b.platforms,
      'audience', b.audience,
    'fallback', b.fallback, 'throttle', b.throttle, 'schedule', b.schedule, 'counts', b.counts,
    'progress', completed_share(b),
    'skip_reasons', b.skip_reasons, 'eta', wire_time(b.eta), 'error', b.error, 'created_by', b.created_by,
    'scheduled_at', wire_time(b.scheduled_at), 'started_at', wire_time(b.started_at),
    'completed_at', wire_time(b.completed_at), 'canceled_at', wire_time(b.canceled_at),
      'metadata', b.metadata,
    'created_at', wire_time(b.created_at), 'updated_at', wire_time(b.updated_at))
$$;
