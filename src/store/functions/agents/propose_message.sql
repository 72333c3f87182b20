-- Stores a message that an agent proposes. It expires after 24 hours. A conversation has at most 20 pending
-- proposals.
--
-- Locks: conversations.
-- Arguments: input: NewProposal
-- Returns: { record: ProposalRecord } | Refusal
CREATE OR REPLACE FUNCTION propose_message(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  n proposals;
BEGIN
  PERFORM FROM conversations WHERE id = (input->>'conversation_id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid AND deleted_at IS NULL
    AND shows_conversation(id) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found', 'field', 'conversation_id'); END IF;
  IF (SELECT count(*) FROM proposals p WHERE p.conversation_id = (input->>'conversation_id')::uuid
    AND p.status = 'pending' AND p.expires_at > now()) >= 20
  THEN RETURN json_build_object('problem', 'limit_reached', 'limit', 20); END IF;
  INSERT INTO proposals (id, workspace_id, conversation_id, proposed_by, credential_id, proposer, text,
    expires_at, read_others)
  VALUES ((input->>'id')::uuid, (input->>'workspace_id')::uuid, (input->>'conversation_id')::uuid,
    (input->>'proposed_by')::uuid, (input->>'credential_id')::uuid,
    agent_name(input),
    input->>'text', now() + interval '24 hours',
    (input->>'read_others')::int)
  RETURNING * INTO n;
  RETURN json_build_object('record', proposal_record(n));
END $$;
