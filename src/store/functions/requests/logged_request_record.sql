-- A row of the request log in the form of the API.
--
-- Returns: LoggedRequest
CREATE OR REPLACE FUNCTION logged_request_record(r request_log) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', r.id, 'method', r.method, 'path', r.path, 'status', r.status,
    'duration_ms', r.duration_ms, 'environment', r.environment,
    'credential', json_build_object('kind', r.credential_kind, 'id', r.credential_id,
      'name', r.credential_name),
    'request_id', r.request_id, 'created_at', wire_time(r.created_at))
$$;
