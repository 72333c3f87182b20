-- Faults of the installation as events in the workspaces of its operators.

CREATE TABLE service_faults (
  fault text PRIMARY KEY,
  reported_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE service_faults IS
  'When an event last reported it. Every process sees the same faults; the key lets one of them report it.';

CREATE INDEX users_operators ON users (workspace_id) WHERE operator;

CREATE TRIGGER service_events_alerted AFTER INSERT ON events FOR EACH ROW
  WHEN (NEW.type IN ('service.backlog_grown', 'service.backup_failed')) EXECUTE FUNCTION queue_alert();
