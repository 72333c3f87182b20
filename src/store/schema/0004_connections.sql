-- Connections to platforms, their state, and the rate limits of each.

CREATE TABLE connections (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  platform text NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  status text NOT NULL CHECK (status IN ('connecting', 'connected', 'degraded', 'error', 'disabled')),
  health jsonb NOT NULL,
  settings jsonb NOT NULL DEFAULT '{}',
  credentials bytea,
  credentials_set text[] NOT NULL DEFAULT '{}',
  identity jsonb,
  last_error jsonb,
  sent bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  uncertain bigint NOT NULL DEFAULT 0,
  generation integer NOT NULL DEFAULT 1,
  paused_until timestamptz(3),
  lease_owner uuid,
  leased_until timestamptz(3),
  created_by uuid NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3)
);
COMMENT ON COLUMN connections.generation IS
  'Raised when credentials, settings or enabled change: the live adapter restarts.';
COMMENT ON COLUMN connections.paused_until IS 'A wait the platform asked of the whole account.';
CREATE INDEX connections_workspace ON connections (workspace_id, created_at DESC, id DESC)
  WHERE deleted_at IS NULL;

-- Inbound counts of a connection, one row per database session. With a single row, an envelope would hold it
-- until its commit, and every other envelope would wait for one more write to disk.
CREATE TABLE connection_inflow (
  connection_id uuid NOT NULL REFERENCES connections,
  slot smallint NOT NULL,
  workspace_id uuid NOT NULL,
  received bigint NOT NULL,
  last_event_at timestamptz(3) NOT NULL,
  PRIMARY KEY (connection_id, slot)
) WITH (fillfactor = 50);

CREATE TABLE connection_state (
  connection_id uuid NOT NULL REFERENCES connections,
  name text NOT NULL,
  value text NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (connection_id, name)
);

CREATE TABLE rate_buckets (
  connection_id uuid NOT NULL,
  key text NOT NULL,
  workspace_id uuid NOT NULL,
  next_at timestamptz,
  taken timestamptz[] NOT NULL DEFAULT '{}',
  held_until timestamptz,
  idle_at timestamptz NOT NULL,
  PRIMARY KEY (connection_id, key)
) WITH (fillfactor = 70);
COMMENT ON TABLE rate_buckets IS 'The used capacity of the rate limits of a connection.';
COMMENT ON COLUMN rate_buckets.next_at IS 'For the account: the start of the next free call slot.';
COMMENT ON COLUMN rate_buckets.taken IS
  'For a chat or method: the times of the last writes, as many as its window allows.';
COMMENT ON COLUMN rate_buckets.held_until IS 'End of a wait that the platform asked for.';
COMMENT ON COLUMN rate_buckets.idle_at IS 'From this time on the row has no effect.';
CREATE INDEX rate_buckets_idle ON rate_buckets (idle_at);

-- A bucket of the n-th write that asks for capacity.
CREATE TYPE wanted_room AS (n int, chat text, patience_ms int, key text, most int, per_ms int, amount int);

-- When there is capacity for the n-th write, and for another one like it.
CREATE TYPE found_room AS (n int, chat text, at timestamptz, next timestamptz);
