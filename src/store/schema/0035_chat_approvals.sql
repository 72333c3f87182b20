-- Proposals that members decide on in the staff chat, and who the members are there.


ALTER TABLE workspaces ADD COLUMN staff_chat_approvals boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN workspaces.staff_chat_approvals IS 'Whether proposals are shown in the staff chat.';

CREATE TABLE chat_codes (
  user_id uuid PRIMARY KEY REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  code_hash bytea UNIQUE,
  expires_at timestamptz(3) NOT NULL,
  made smallint NOT NULL DEFAULT 1,
  counted_from timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN chat_codes.code_hash IS 'SHA-256 of the code. Null: it was used.';
COMMENT ON COLUMN chat_codes.made IS 'How many codes the member got since counted_from.';

CREATE TABLE chat_identities (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL REFERENCES workspaces,
  user_id uuid NOT NULL REFERENCES users,
  connection_id uuid NOT NULL,
  external_id text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (connection_id, external_id)
);
COMMENT ON TABLE chat_identities IS
  'Members as a platform knows them. Identities of contacts can be merged, and these cannot.';
COMMENT ON COLUMN chat_identities.name IS 'What the platform called the person when the code was written.';
CREATE INDEX chat_identities_user ON chat_identities (user_id);

CREATE TABLE approval_requests (
  proposal_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  message_id uuid UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  next_at timestamptz(3) NOT NULL DEFAULT now(),
  tries smallint NOT NULL DEFAULT 0,
  problem text,
  done_at timestamptz(3)
);
COMMENT ON TABLE approval_requests IS
  'Written with the proposal, if its workspace asks for it. One proposal makes one message.';
COMMENT ON COLUMN approval_requests.proposal_id IS
  'Without a reference: the message of a deleted one is changed.';
COMMENT ON COLUMN approval_requests.next_at IS
  'When the message is due, or the change that shows the decision.';
COMMENT ON COLUMN approval_requests.tries IS 'How often the message or its change raised an error.';
COMMENT ON COLUMN approval_requests.done_at IS 'When the decision was shown, or nothing was left to show.';
CREATE INDEX approval_requests_waiting ON approval_requests (next_at) WHERE done_at IS NULL;
CREATE INDEX approval_requests_age ON approval_requests (created_at);

CREATE TABLE approval_presses (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  proposal_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  external_id text NOT NULL,
  name text NOT NULL,
  action text NOT NULL CHECK (action IN ('approve', 'refuse')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  next_at timestamptz(3) NOT NULL DEFAULT now(),
  tries smallint NOT NULL DEFAULT 0,
  outcome text CHECK (outcome IN
    ('approved', 'refused', 'closed', 'changed', 'unlinked', 'forbidden', 'failed')),
  answered boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE approval_presses IS
  'Buttons that people pressed, written when the platform reports it. The id is that of the envelope.';
COMMENT ON COLUMN approval_presses.external_id IS 'Who pressed, as the platform knows them.';
COMMENT ON COLUMN approval_presses.outcome IS 'Null: not decided yet.';
COMMENT ON COLUMN approval_presses.answered IS 'Whether a message in the chat says why nothing was decided.';
CREATE INDEX approval_presses_waiting ON approval_presses (next_at) WHERE outcome IS NULL;
CREATE INDEX approval_presses_age ON approval_presses (created_at);
CREATE UNIQUE INDEX approval_presses_answer ON approval_presses (proposal_id, connection_id, external_id)
  WHERE answered;
CREATE INDEX approval_presses_answers ON approval_presses (workspace_id, created_at) WHERE answered;

CREATE TRIGGER proposals_shown AFTER INSERT ON proposals FOR EACH ROW
  EXECUTE FUNCTION queue_approval();
CREATE TRIGGER proposals_decided AFTER UPDATE OF status ON proposals FOR EACH ROW
  EXECUTE FUNCTION queue_approval();
CREATE TRIGGER proposals_withdrawn AFTER DELETE ON proposals FOR EACH ROW
  EXECUTE FUNCTION queue_approval();

CREATE TRIGGER audit_chat_linked AFTER INSERT ON chat_identities FOR EACH ROW
  EXECUTE FUNCTION note_in_audit_log('chat.linked', 'chat_identity');
CREATE TRIGGER audit_chat_unlinked AFTER DELETE ON chat_identities FOR EACH ROW
  EXECUTE FUNCTION note_in_audit_log('chat.unlinked', 'chat_identity');
CREATE TRIGGER audit_staff_chat_approvals AFTER UPDATE OF staff_chat_approvals ON workspaces FOR EACH ROW
  WHEN (OLD.staff_chat_approvals <> NEW.staff_chat_approvals)
  EXECUTE FUNCTION note_in_audit_log('workspace.changed', 'workspace');
