-- Records which conversations a tool result shows to an agent, before the agent gets it: {"workspace_id",
-- "session_id", "conversation_ids", "widely": whether it shows records that belong to no single
-- conversation}. A session that has read 500 conversations counts as reading widely.
--
-- Locks: agent_sessions.
-- Arguments: input: AgentReads
-- Returns: void
CREATE OR REPLACE FUNCTION record_agent_reads(input jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  session uuid := (input->>'session_id')::uuid;
  many boolean;
BEGIN
  PERFORM FROM agent_sessions WHERE id = session FOR NO KEY UPDATE;
  many := (SELECT count(*) FROM agent_reads WHERE session_id = session) >= 500;
  INSERT INTO agent_reads (session_id, conversation_id, workspace_id)
  SELECT session, t::uuid, (input->>'workspace_id')::uuid
  FROM unnest(json_texts(input->'conversation_ids')) t
  WHERE NOT many ORDER BY 2 ON CONFLICT (session_id, conversation_id) DO UPDATE SET read_at = now();
  IF many OR (input->>'widely')::boolean THEN
    UPDATE agent_sessions SET read_widely_at = now() WHERE id = session;
  END IF;
END $$;
