-- The conversation in which a workspace reads about faults, and the alerts for it.
-- Works from: 0030

ALTER TABLE workspaces
  ADD COLUMN staff_conversation_id uuid,
  ADD COLUMN staff_chat_by uuid;
COMMENT ON COLUMN workspaces.staff_conversation_id IS
  'Alerts are sent to this conversation. Without a reference: a deleted one gets none.';
COMMENT ON COLUMN workspaces.staff_chat_by IS 'Who chose it. Alerts are sent in the name of this member.';

CREATE TABLE staff_alerts (
  event_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  next_at timestamptz(3) NOT NULL DEFAULT now(),
  tries smallint NOT NULL DEFAULT 0,
  problem text,
  handled_at timestamptz(3),
  message_id uuid
);
COMMENT ON TABLE staff_alerts IS 'Written with the event. One event makes one message at most.';
COMMENT ON COLUMN staff_alerts.subject_id IS 'The connection or the webhook.';
COMMENT ON COLUMN staff_alerts.tries IS 'How often sending it raised an error.';
COMMENT ON COLUMN staff_alerts.problem IS 'The error of the last try. Null: it had none.';
COMMENT ON COLUMN staff_alerts.message_id IS 'Null in a handled alert: the conversation took no message.';
CREATE INDEX staff_alerts_waiting ON staff_alerts (next_at) WHERE handled_at IS NULL;
CREATE INDEX staff_alerts_age ON staff_alerts (created_at);
CREATE INDEX staff_alerts_workspace ON staff_alerts (workspace_id, created_at);

CREATE TRIGGER events_alerted AFTER INSERT ON events FOR EACH ROW
  WHEN (NEW.type IN ('platform.error', 'webhook.disabled')) EXECUTE FUNCTION queue_alert();

CREATE TRIGGER audit_staff_chat_changed AFTER UPDATE OF staff_conversation_id ON workspaces FOR EACH ROW
  WHEN (OLD.staff_conversation_id IS DISTINCT FROM NEW.staff_conversation_id)
  EXECUTE FUNCTION note_in_audit_log('workspace.changed', 'workspace');
