-- The chain of the audit log: each row has the hash of the former row of its workspace.
-- Works from: 0027

CREATE TABLE audit_chain (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  number bigint NOT NULL CHECK (number > 0),
  row_id uuid NOT NULL UNIQUE,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (workspace_id, number)
);
COMMENT ON TABLE audit_chain IS 'The rows of audit_log in the order of their commits. Rows are only added.';
COMMENT ON COLUMN audit_chain.row_id IS
  'No foreign key: after the deletion of a row of audit_log its place in the chain remains as evidence.';
COMMENT ON COLUMN audit_chain.previous_hash IS 'Of the row before it; 32 zero bytes for the first row.';
COMMENT ON COLUMN audit_chain.hash IS 'SHA-256 of the row, its number and previous_hash: see audit_hash().';

-- Deferred: the lock of the chain is the last one that a transaction takes.
CREATE CONSTRAINT TRIGGER audit_log_chained AFTER INSERT ON audit_log
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit_log();
CREATE TRIGGER audit_log_not_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();
CREATE TRIGGER audit_chain_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();
