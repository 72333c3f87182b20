-- What each agent has read, and how much it has done in the last hour.
-- Works from: 0024

CREATE TABLE agent_sessions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  hour_began_at timestamptz(3) NOT NULL DEFAULT now(),
  calls integer NOT NULL DEFAULT 0,
  writes integer NOT NULL DEFAULT 0,
  read_widely_at timestamptz(3),
  used_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN agent_sessions.id IS
  'The API key, or the app and its user. A new connection with the same credentials is the same session.';
COMMENT ON COLUMN agent_sessions.name IS 'Of the API key or the app.';
COMMENT ON COLUMN agent_sessions.read_widely_at IS
  'When records were read that belong to no single conversation, such as contacts.';
CREATE INDEX agent_sessions_list ON agent_sessions (workspace_id, used_at DESC);
CREATE INDEX agent_sessions_age ON agent_sessions (used_at);

CREATE TABLE agent_reads (
  session_id uuid NOT NULL REFERENCES agent_sessions ON DELETE CASCADE,
  conversation_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  read_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (session_id, conversation_id)
);
COMMENT ON TABLE agent_reads IS 'The conversations of which a session has seen something.';
CREATE INDEX agent_reads_age ON agent_reads (read_at);

ALTER TABLE proposals ADD COLUMN read_others integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN proposals.read_others IS
  'Other conversations that the session had read; one more if it had read records of no single conversation.';
