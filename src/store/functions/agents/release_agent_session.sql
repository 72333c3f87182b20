-- Deletes the record of what a session has read, so that it may write to any conversation again. The audit
-- log has the actor.
--
-- Locks: agent_sessions.
-- Returns: { record: AgentSessionRecord } | Refusal
CREATE OR REPLACE FUNCTION release_agent_session(workspace uuid, session uuid) RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  s agent_sessions;
BEGIN
  UPDATE agent_sessions SET read_widely_at = NULL WHERE id = session AND workspace_id = workspace
  RETURNING * INTO s;
  IF NOT FOUND THEN RETURN '{"problem":"not_found"}'; END IF;
  DELETE FROM agent_reads WHERE session_id = s.id;
  PERFORM write_audit_log(s.workspace_id, 'agent.released', 'agent_session', s.id, NULL, NULL);
  RETURN json_build_object('record', agent_session_record(s));
END $$;
