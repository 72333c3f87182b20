-- Sends a proposed message as the member who approves it. The proposal changes its status in the same
-- transaction, so that it is sent only once. {"workspace_id", "proposal_id", "message": input of
-- accept_message without its conversation; a message without a text gets the text of the proposal}.
--
-- Locks: conversations, proposals, messages.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed, message.created.
-- Arguments: input: ProposalDecision & { message: ApprovedMessage }
-- Returns: { record: MessageRecord } | Refusal
CREATE OR REPLACE FUNCTION approve_proposal(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  p proposals := lock_proposal(input);
  answer json := accept_message(jsonb_build_object('text', p.text) || (input->'message')
    || jsonb_build_object('workspace_id', p.workspace_id, 'conversation_id', p.conversation_id));
BEGIN
  IF answer->>'problem' IS NOT NULL THEN PERFORM refuse(answer); END IF;
  UPDATE proposals SET status = 'approved', message_id = (answer->'record'->>'id')::uuid,
    decided_by = (input->>'decided_by')::uuid, decided_at = now() WHERE id = p.id;
  RETURN answer;
END $$;
