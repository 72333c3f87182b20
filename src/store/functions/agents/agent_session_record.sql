-- The session of an agent as the dashboard shows it.
--
-- Returns: AgentSessionRecord
CREATE OR REPLACE FUNCTION agent_session_record(s agent_sessions) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', s.id, 'name', s.name,
    'calls', CASE WHEN s.hour_began_at > now() - interval '1 hour' THEN s.calls ELSE 0 END,
    'writes', CASE WHEN s.hour_began_at > now() - interval '1 hour' THEN s.writes ELSE 0 END,
    'conversations_read', (SELECT count(*) FROM agent_reads r WHERE r.session_id = s.id
      AND r.read_at > now() - interval '24 hours'),
    'read_widely', coalesce(s.read_widely_at > now() - interval '24 hours', false),
    'used_at', wire_time(s.used_at))
$$;
