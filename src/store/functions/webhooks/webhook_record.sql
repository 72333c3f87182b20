-- A webhook in the form of the API, without its secret. Callers that may show the secret add it.
--
-- Returns: WebhookRecord
CREATE OR REPLACE FUNCTION webhook_record(w webhooks) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', w.id, 'url', w.url, 'events', w.events, 'scopes', w.scopes, 'secret', NULL,
      'secret_hint', w.secret_hint,
    'api_version', w.api_version, 'status', w.status,
    'headers', coalesce((SELECT json_object_agg(name, '***') FROM unnest(w.header_names) AS name), '{}'),
    'description', w.description, 'rate_limit', w.rate_limit, 'failing_since', wire_time(w.failing_since),
    'last_success_at', wire_time(w.last_success_at), 'last_failure_at', wire_time(w.last_failure_at),
    'created_by', w.created_by, 'created_by_key', w.created_by_key, 'disabled_reason', w.disabled_reason,
    'metadata', w.metadata,
    'created_at', wire_time(w.created_at), 'updated_at', wire_time(w.updated_at))
$$;
