-- Counts a tool call of an agent, adds it to the audit log, and decides whether it may begin:
-- {"workspace_id", "session_id", "credential_id", "app_id" or absent, "tool", "use": "read", "draft", "send"
-- or "simulate", "conversation_id": the conversation that it writes to, or null}. A session may make 600
-- calls and 30 writes per hour. A draft is allowed in any conversation if the session has read no other
-- conversation in 24 hours, otherwise only in a conversation that it has read. Sending is allowed only if the
-- session has read no other conversation in 24 hours. Of the calls that exceed the budget, only the first one
-- of an hour is added to the audit log.
--
-- Locks: agent_sessions.
-- Arguments: input: AgentCall
-- Returns: AgentCallVerdict
CREATE OR REPLACE FUNCTION start_agent_call(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s agent_sessions;
  target uuid := (input->>'conversation_id')::uuid;
  is_write boolean := input->>'use' <> 'read';
  day interval := '24 hours';
  others bigint;
  refusal text;
BEGIN
  INSERT INTO agent_sessions AS o (id, workspace_id, name)
  VALUES ((input->>'session_id')::uuid, (input->>'workspace_id')::uuid, agent_name(input))
  ON CONFLICT (id) DO UPDATE SET used_at = now() RETURNING * INTO s;
  IF s.hour_began_at <= now() - interval '1 hour' THEN
    s.hour_began_at := now();
    s.calls := 0;
    s.writes := 0;
  END IF;
  SELECT count(*) FILTER (WHERE r.conversation_id IS DISTINCT FROM target)
    + (coalesce(s.read_widely_at, '-infinity') > now() - day)::int
  INTO others FROM agent_reads r WHERE r.session_id = s.id AND r.read_at > now() - day;
  refusal := CASE WHEN s.calls >= 600 OR (is_write AND s.writes >= 30) THEN 'budget'
    WHEN input->>'use' = 'send' AND others > 0 THEN 'read_others'
    WHEN input->>'use' = 'draft' AND others > 0 AND NOT EXISTS (SELECT FROM agent_reads r
      WHERE r.session_id = s.id AND r.conversation_id = target AND r.read_at > now() - day)
    THEN 'read_others' END;
  IF refusal IS DISTINCT FROM 'budget' OR s.calls = 600 OR s.writes = 30 THEN
    PERFORM write_audit_log(s.workspace_id,
      CASE WHEN refusal IS NULL THEN 'agent.called' ELSE 'agent.refused' END,
      input->>'tool', target, NULL, NULL);
  END IF;
  UPDATE agent_sessions SET hour_began_at = s.hour_began_at, calls = s.calls + 1,
    writes = s.writes + is_write::int WHERE id = s.id;
  RETURN json_build_object('refusal', refusal, 'read_others', others,
    'retry_at', wire_time(s.hour_began_at + interval '1 hour'));
END $$;
