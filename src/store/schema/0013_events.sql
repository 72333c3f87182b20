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
COMMENT ON COLUMN events.data IS 'The record after the change, in the 1.0 format of the API.';
COMMENT ON COLUMN events.extra IS 'The additional fields of the event, such as previous or sender.';
COMMENT ON COLUMN events.position IS
  'Also the sequence of its subject: increasing, since subjects change under a row lock.';
COMMENT ON COLUMN events.xid IS
  'The transaction that wrote the event. A reader with a snapshot finds the events that were committed '
  'since.';
COMMENT ON COLUMN events.seen IS
  'The snapshot of the transaction. Committed events before it have a smaller position, so a reader '
  'that has this event has those too.';
CREATE INDEX events_stream ON events (workspace_id, xid, position);

-- For the trace of a message: the events of its conversation, in the order of their time.
CREATE INDEX events_conversation ON events (conversation_id, id) WHERE conversation_id IS NOT NULL;
ALTER TABLE events ALTER COLUMN data SET STATISTICS 0, ALTER COLUMN extra SET STATISTICS 0;

CREATE TABLE event_interest (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces,
  until timestamptz(3) NOT NULL DEFAULT '-infinity',
  moves_until timestamptz(3) NOT NULL DEFAULT '-infinity'
);
COMMENT ON TABLE event_interest IS
  'Until when events of a workspace have a possible receiver: without an end while it has a webhook, '
  'and as long as a stream can be resumed after its last reader. The many events of messages and '
  'deliveries are not recorded when nothing can receive them.';
COMMENT ON COLUMN event_interest.moves_until IS
  'The same for delivery.updated, which must be requested by its name.';

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
  'The position up to which all events are known to have webhook deliveries, although a queue may lose '
  'its jobs.';
COMMENT ON COLUMN fan_out_progress.next_position IS
  'Can be checked when every transaction before next_xid has ended: none can add an event with a '
  'smaller position any more.';
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
