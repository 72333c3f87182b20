-- Refuses a proposed message.
--
-- Locks: conversations, proposals.
-- Arguments: input: ProposalDecision
-- Returns: { record: ProposalRecord } | Refusal
CREATE OR REPLACE FUNCTION refuse_proposal(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  p proposals := lock_proposal(input);
BEGIN
  UPDATE proposals SET status = 'refused', decided_by = (input->>'decided_by')::uuid, decided_at = now()
  WHERE id = p.id RETURNING * INTO p;
  RETURN json_build_object('record', proposal_record(p));
END $$;
