-- Envelopes from platforms, and events that arrived before their message.

CREATE TABLE envelopes (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  dedupe_key text NOT NULL,
  lane text NOT NULL,
  payload jsonb NOT NULL,
  context jsonb NOT NULL DEFAULT '{}',
  status text NOT NULL CHECK (status IN ('processed', 'unsupported', 'pending', 'dead')),
  tries smallint NOT NULL DEFAULT 1,
  error text,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (connection_id, dedupe_key)
);
CREATE INDEX envelopes_pending ON envelopes (received_at) WHERE status = 'pending';

CREATE TABLE early_events (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  connection_id uuid NOT NULL REFERENCES connections,
  external_chat_id text NOT NULL,
  external_id text NOT NULL,
  workspace_id uuid NOT NULL,
  event jsonb NOT NULL,
  waits boolean NOT NULL DEFAULT true,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE early_events IS
  'Events about an unknown platform message: an inbound one that is not stored, or a sent one whose id '
  'is not recorded. They are applied when the message becomes known.';
COMMENT ON COLUMN early_events.waits IS
  'False after the event was applied. A removal is kept until it expires, so that an older addition '
  'that arrives later has no effect.';
CREATE INDEX early_events_id ON early_events (connection_id, external_id);
CREATE INDEX early_events_chat ON early_events (connection_id, external_chat_id, (event->>'type' = 'reply'),
  waits, id) WHERE event->>'type' <> 'receipt';
CREATE INDEX early_events_waiting ON early_events (id) WHERE waits;
CREATE INDEX early_events_expiry ON early_events (expires_at);
CREATE INDEX early_events_copies ON early_events (received_at) WHERE event->>'type' = 'copy';

-- A plain message, which changes nothing beyond its conversation: its chat is known and the conversation
-- open, its author is a participant already, has the same name as before, and sends no keyword. `input` is
-- the input of accept_messages.
CREATE TYPE plain_message AS (n bigint, connection_id uuid, workspace_id uuid, link_id uuid,
  identity_id uuid, chat text,
  thread text, title text, external_id text, unknown_reply jsonb, input jsonb);
