-- Helpers for the proposals of agents.

-- Locks the conversation of a pending proposal and then the proposal: {"workspace_id", "proposal_id"}.
-- Concurrent decisions are serialized, and the second one sees the result of the first.
CREATE OR REPLACE FUNCTION lock_proposal(input jsonb) RETURNS proposals LANGUAGE plpgsql AS $$
DECLARE
  p proposals;
BEGIN
  PERFORM FROM conversations WHERE id = (SELECT o.conversation_id FROM proposals o
    WHERE o.id = (input->>'proposal_id')::uuid AND o.workspace_id = (input->>'workspace_id')::uuid)
    FOR NO KEY UPDATE;
  SELECT * INTO p FROM proposals o WHERE o.id = (input->>'proposal_id')::uuid
    AND o.workspace_id = (input->>'workspace_id')::uuid AND shows_conversation(o.conversation_id)
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF p.status <> 'pending' OR p.expires_at <= now() THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', proposal_record(p)->>'status'));
  END IF;
  RETURN p;
END $$;

-- The name of the API key or the app of an agent: {"credential_id", "app_id" or absent}.
CREATE OR REPLACE FUNCTION agent_name(input jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT k.name FROM api_keys k WHERE k.id = (input->>'credential_id')::uuid),
    (SELECT a.name FROM oauth_apps a WHERE a.id = (input->>'app_id')::uuid), '')
$$;
