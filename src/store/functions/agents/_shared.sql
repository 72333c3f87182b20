-- Helpers for what agents propose.

-- Locks the conversation of a pending proposal and then the proposal: {"workspace_id", "proposal_id"}. Two
-- decisions wait for each other, and the second one finds the first.
CREATE OR REPLACE FUNCTION lock_proposal(input jsonb) RETURNS proposals LANGUAGE plpgsql AS $$
DECLARE
  p proposals;
BEGIN
  PERFORM FROM conversations WHERE id = (SELECT o.conversation_id FROM proposals o
    WHERE o.id = (input->>'proposal_id')::uuid AND o.workspace_id = (input->>'workspace_id')::uuid)
    FOR NO KEY UPDATE;
  SELECT * INTO p FROM proposals o WHERE o.id = (input->>'proposal_id')::uuid
    AND o.workspace_id = (input->>'workspace_id')::uuid FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF p.status <> 'pending' OR p.expires_at <= now() THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', proposal_record(p)->>'status'));
  END IF;
  RETURN p;
END $$;
