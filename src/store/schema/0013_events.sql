-- Events, their subscriptions, and the outbox of jobs.

CREATE TABLE events (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  type text NOT NULL,
  conversation_id uuid,
  data json NOT NULL,
  extra json,
  occurred_at timestamptz(3) NOT NULL DEFAULT now(),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  seen pg_snapshot NOT NULL DEFAULT pg_current_snapshot()
);
COMMENT ON COLUMN events.id IS 'Shown as whk_ + the same 128 bits as ULID.';
COMMENT ON COLUMN events.data IS 'The record after the change, in the 1.0 shape of the interface.';
COMMENT ON COLUMN events.extra IS 'What the event adds beside the record, such as previous or sender.';
COMMENT ON COLUMN events.position IS
  'Also the sequence of its subject: rising, since subjects change under a row lock.';
COMMENT ON COLUMN events.xid IS
  'The transaction that wrote it: whoever remembers a snapshot finds what was committed since.';
COMMENT ON COLUMN events.seen IS
  'What was committed before the event was written: it has a smaller position, so whoever has this event has '
  'that too.';
CREATE INDEX events_stream ON events (workspace_id, xid, position);
ALTER TABLE events ALTER COLUMN data SET STATISTICS 0, ALTER COLUMN extra SET STATISTICS 0;

CREATE TABLE event_interest (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces,
  until timestamptz(3) NOT NULL DEFAULT '-infinity',
  moves_until timestamptz(3) NOT NULL DEFAULT '-infinity'
);
COMMENT ON TABLE event_interest IS
  'Until when somebody may see what happens in a workspace: endless while it has a webhook, and as long as a
stream may be
resumed after its last reader. Events of messages and deliveries, the many ones, are not recorded when nobody
can ever see them.';
COMMENT ON COLUMN event_interest.moves_until IS
  'The same for delivery.updated, which only its own name asks for.';

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  payload jsonb NOT NULL,
  run_at timestamptz(3),
  priority integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE fan_out_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL DEFAULT 0,
  next_position bigint NOT NULL DEFAULT 0,
  sampled_at timestamptz NOT NULL DEFAULT '-infinity',
  next_xid xid8
);
COMMENT ON TABLE fan_out_progress IS
  'Up to where it is certain that events reached the deliveries of webhooks, although a queue may lose its '
  'jobs.';
COMMENT ON COLUMN fan_out_progress.next_position IS
  'May be looked at when every transaction before next_xid has ended: none can add an event below any more.';
INSERT INTO fan_out_progress DEFAULT VALUES;

-- One row per open stream, over all processes. Rows of a dead process expire. After a crash of the server the
-- table is empty, and live processes write their rows again.
CREATE UNLOGGED TABLE open_streams (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  credential_id uuid NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX open_streams_credential ON open_streams (credential_id);
CREATE INDEX open_streams_workspace ON open_streams (workspace_id);

-- The trace of the request that created a record, for its delivery. Written only while traces are exported.
CREATE UNLOGGED TABLE traces (
  resource_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  traceparent text NOT NULL
);
