-- Keys of workspaces, wrapped by the master key. Former releases go on until "keys rotate-master" uses them.
-- Works from: 0030

CREATE TABLE workspace_keys (
  key_id bytea PRIMARY KEY CHECK (length(key_id) = 8),
  workspace_id uuid REFERENCES workspaces ON DELETE CASCADE,
  wrapped bytea NOT NULL,
  master_key bytea NOT NULL GENERATED ALWAYS AS (substring(wrapped from 2 for 8)) STORED,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE workspace_keys IS 'The random keys that secrets are sealed under, one for each workspace.';
COMMENT ON COLUMN workspace_keys.key_id IS 'Random. Every value that is sealed under the key begins with it.';
COMMENT ON COLUMN workspace_keys.workspace_id IS 'Null: the key of what belongs to no workspace.';
COMMENT ON COLUMN workspace_keys.wrapped IS 'The key, sealed under the master key.';
COMMENT ON COLUMN workspace_keys.master_key IS 'The id of the master key that wraps it.';
CREATE UNIQUE INDEX workspace_keys_one ON workspace_keys (workspace_id) NULLS NOT DISTINCT;
CREATE TRIGGER workspace_keys_live_master_key BEFORE INSERT OR UPDATE OF wrapped ON workspace_keys
  FOR EACH ROW EXECUTE FUNCTION refuse_former_master_key();
