-- Messages that agents propose. A person approves each one before it is sent.
-- Works from: 0024

CREATE TABLE proposals (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  conversation_id uuid NOT NULL,
  proposed_by uuid NOT NULL,
  credential_id uuid NOT NULL,
  proposer text NOT NULL,
  text text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'refused')),
  message_id uuid,
  decided_by uuid,
  decided_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CHECK ((status = 'approved') = (message_id IS NOT NULL)),
  CHECK ((status = 'pending') = (decided_at IS NULL))
);
COMMENT ON COLUMN proposals.proposed_by IS 'The user for whom the credentials act.';
COMMENT ON COLUMN proposals.proposer IS 'Name of the API key or the app when the proposal was made.';
COMMENT ON COLUMN proposals.expires_at IS 'A pending proposal cannot be approved after this time.';
CREATE INDEX proposals_conversation ON proposals (conversation_id, created_at);
CREATE INDEX proposals_age ON proposals (created_at);

CREATE TRIGGER audit_proposal_made AFTER INSERT ON proposals FOR EACH ROW
  EXECUTE FUNCTION note_in_audit_log('proposal.made', 'proposal');
CREATE TRIGGER audit_proposal_approved AFTER UPDATE OF status ON proposals FOR EACH ROW
  WHEN (NEW.status = 'approved')
  EXECUTE FUNCTION note_in_audit_log('proposal.approved', 'proposal');
CREATE TRIGGER audit_proposal_refused AFTER UPDATE OF status ON proposals FOR EACH ROW
  WHEN (NEW.status = 'refused')
  EXECUTE FUNCTION note_in_audit_log('proposal.refused', 'proposal');
