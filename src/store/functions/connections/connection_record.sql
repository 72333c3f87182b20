-- A connection in the form of the API, without credentials. Its last gaps are stored with its health.
--
-- Returns: ConnectionRecord
CREATE OR REPLACE FUNCTION connection_record(c connections) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', c.id, 'platform', c.platform, 'name', c.name, 'enabled', c.enabled, 'status', c.status,
    'health', c.health - 'gaps', 'gaps', coalesce(c.health->'gaps', '[]'),
    'settings', c.settings, 'credentials_set', c.credentials_set,
    'webhook_url', public_url() || '/hooks/' || c.platform || '/' || c.id,
    'counters', json_build_object('received', i.received, 'sent', c.sent, 'failed', c.failed,
      'uncertain', c.uncertain),
    'created_by', c.created_by, 'identity', c.identity, 'last_error', c.last_error,
    'last_event_at', wire_time(i.last_event_at),
    'created_at', wire_time(c.created_at), 'updated_at', wire_time(c.updated_at))
  FROM (SELECT coalesce(sum(received), 0)::bigint AS received, max(last_event_at) AS last_event_at
    FROM connection_inflow WHERE connection_id = c.id) i
$$;
