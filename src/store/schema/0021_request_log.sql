-- The requests of the last 24 hours.

-- Without WAL: a crash of the server empties it, and a row costs little.
CREATE UNLOGGED TABLE request_log (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  environment text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  duration_ms integer NOT NULL,
  credential_kind text NOT NULL,
  credential_id uuid NOT NULL,
  credential_name text,
  request_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, created_at, id)
);
COMMENT ON COLUMN request_log.workspace_id IS 'The live workspace, also of requests in its test workspace.';
COMMENT ON COLUMN request_log.path IS 'Without query, its segments no longer than an id.';
COMMENT ON COLUMN request_log.credential_id IS 'An API key or an OAuth app.';
COMMENT ON COLUMN request_log.credential_name IS 'The name at the time of the request.';
