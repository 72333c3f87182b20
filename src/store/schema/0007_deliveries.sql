-- Deliveries of messages to links, their parts, attempts, and the ids of messages on platforms.

CREATE TABLE deliveries (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  message_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  link_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  platform text NOT NULL,
  external_chat_id text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  priority smallint NOT NULL DEFAULT 0,
  status text NOT NULL
    CHECK (status IN ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'expired',
    'blocked', 'uncertain', 'canceled')),
  attempt_count integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 0,
  wanted_revision integer NOT NULL DEFAULT 1,
  removal text CHECK (removal IN ('wanted', 'done', 'failed')),
  change_tries smallint NOT NULL DEFAULT 0,
  relay_of_link_id uuid,
  resumed boolean NOT NULL DEFAULT false,
  held boolean NOT NULL DEFAULT false,
  degradations text[] NOT NULL DEFAULT '{}',
  error jsonb,
  resolution text CHECK (resolution IN ('reconciled', 'retried', 'manual', 'timeout')),
  superseded_by uuid,
  next_attempt_at timestamptz(3),
  expires_at timestamptz(3),
  uncertain_at timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  read_at timestamptz(3),
  failed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  duty text GENERATED ALWAYS AS (CASE
    WHEN status IN ('queued', 'sending') THEN CASE WHEN NOT held THEN 'send' END
    WHEN status = 'uncertain' THEN CASE WHEN next_attempt_at IS NULL THEN 'hold' ELSE 'lookup' END
    WHEN removal = 'wanted' THEN 'delete'
    WHEN status IN ('sent', 'delivered', 'read') AND revision < wanted_revision THEN 'edit' END) STORED,
  lane uuid GENERATED ALWAYS AS (CASE WHEN status IN ('queued', 'sending')
      AND NOT held THEN link_id END) STORED,
  ends_at timestamptz(3) GENERATED ALWAYS AS (CASE
      WHEN status IN ('queued', 'sending', 'uncertain') THEN expires_at END) STORED,
  revised_at timestamptz(3) GENERATED ALWAYS AS (
    CASE WHEN updated_at - created_at > interval '10 minutes'
        OR updated_at < created_at THEN updated_at END) STORED,
  rare_status text GENERATED ALWAYS AS (
    CASE WHEN status IN ('failed', 'expired', 'blocked', 'uncertain', 'canceled') THEN status END) STORED
) WITH (fillfactor = 55);
COMMENT ON COLUMN deliveries.lane IS
  'The link, while the delivery has a position in its lane. Each index of work has its own column, so '
  'that no other one seems to match its query, whatever the statistics say: between two broadcasts they '
  'show no work.';
COMMENT ON COLUMN deliveries.ends_at IS 'When an open delivery expires.';
COMMENT ON COLUMN deliveries.duty IS
  'The remaining work, for the indexes of work; it stays the same from queued to sending.';
COMMENT ON COLUMN deliveries.connection_id IS
  'A copy from the link, like platform; workspace_id and conversation_id are copies from the message.';
COMMENT ON COLUMN deliveries.position IS 'Order within the link.';
COMMENT ON COLUMN deliveries.priority IS '0 live traffic, 10 broadcast.';
COMMENT ON COLUMN deliveries.wanted_revision IS
  'Content revision the platform should show; an edit is due while revision is lower.';
COMMENT ON COLUMN deliveries.change_tries IS
  'Failed attempts of the due edit or removal; attempt_count counts sends alone.';
COMMENT ON COLUMN deliveries.resumed IS
  'The delivery was queued again after a failure, or waits between two parts: some parts may be '
  'written.';
COMMENT ON COLUMN deliveries.held IS
  'The delivery waits while its broadcast is paused or in quiet hours. It is out of its lane, so that '
  'others can pass.';
COMMENT ON COLUMN deliveries.relay_of_link_id IS
  'Set if the message was relayed from another link: it is attributed to its sender.';
CREATE INDEX deliveries_message ON deliveries (message_id);
CREATE INDEX deliveries_list ON deliveries (workspace_id, created_at DESC, id DESC);
CREATE INDEX deliveries_lane ON deliveries (connection_id, lane, position) WHERE lane IS NOT NULL;
CREATE INDEX deliveries_held ON deliveries (connection_id, link_id) WHERE held;
CREATE INDEX deliveries_due ON deliveries (connection_id, priority, position) WHERE duty = 'send';
CREATE INDEX deliveries_changes ON deliveries (connection_id, link_id, position)
  WHERE duty IN ('edit', 'delete', 'lookup');
CREATE INDEX deliveries_expiry ON deliveries (ends_at) WHERE ends_at IS NOT NULL;

-- Without this index, each deleted delivery would be searched for in all others.
CREATE INDEX deliveries_superseded ON deliveries (superseded_by) WHERE superseded_by IS NOT NULL;
COMMENT ON COLUMN deliveries.revised_at IS 'See messages.revised_at.';
COMMENT ON COLUMN deliveries.rare_status IS 'The status, if it is one that few deliveries have.';
CREATE INDEX deliveries_revised ON deliveries (workspace_id, revised_at DESC, id DESC)
  WHERE revised_at IS NOT NULL;
CREATE INDEX deliveries_rare_status ON deliveries (workspace_id, rare_status, created_at DESC, id DESC)
  WHERE rare_status IS NOT NULL;
CREATE INDEX deliveries_link ON deliveries (link_id, created_at DESC, id DESC);
CREATE INDEX deliveries_next_attempt ON deliveries (workspace_id, next_attempt_at DESC, id DESC)
  WHERE next_attempt_at IS NOT NULL;
ALTER TABLE deliveries
  ALTER COLUMN external_chat_id SET STATISTICS 0, ALTER COLUMN attempt_count
    SET STATISTICS 0, ALTER COLUMN resumed SET STATISTICS 0,
  ALTER COLUMN change_tries SET STATISTICS 0,
  ALTER COLUMN degradations SET STATISTICS 0, ALTER COLUMN error SET STATISTICS 0, ALTER COLUMN resolution
    SET STATISTICS 0,
  ALTER COLUMN expires_at SET STATISTICS 0, ALTER COLUMN uncertain_at SET STATISTICS 0, ALTER COLUMN sent_at
    SET STATISTICS 0,
  ALTER COLUMN delivered_at SET STATISTICS 0, ALTER COLUMN read_at SET STATISTICS 0, ALTER COLUMN failed_at
    SET STATISTICS 0;

CREATE TABLE delivery_parts (
  delivery_id uuid NOT NULL,
  index smallint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'media', 'location', 'contact')),
  status text NOT NULL CHECK (status IN ('pending', 'sent', 'uncertain', 'failed')),
  external_id text,
  receipt text CHECK (receipt IN ('failed', 'delivered', 'read')),
  sent_at timestamptz(3),
  PRIMARY KEY (delivery_id, index)
);
COMMENT ON COLUMN delivery_parts.receipt IS
  'The most advanced receipt of the part, if the message has several.';
ALTER TABLE delivery_parts
  ALTER COLUMN kind SET STATISTICS 0, ALTER COLUMN external_id SET STATISTICS 0, ALTER COLUMN receipt
    SET STATISTICS 0,
  ALTER COLUMN sent_at SET STATISTICS 0;

CREATE TABLE attempts (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  link_id uuid NOT NULL,
  fence bigint NOT NULL,
  operation text NOT NULL CHECK (operation IN ('send', 'edit', 'delete')),
  revision integer NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz(3),
  outcome text CHECK (outcome IN ('sent', 'retry', 'failed', 'blocked', 'uncertain', 'waiting')),
  error jsonb,
  process text DEFAULT nullif(current_setting('trunkline.process', true), '')
) WITH (fillfactor = 50);
COMMENT ON COLUMN attempts.process IS
  'The process that opened the attempt. The journal on its machine shows whether the write was started.';
COMMENT ON TABLE attempts IS
  'One attempt to write to the platform: recorded before the call, closed after it. The write of an '
  'open attempt of a dead worker may have happened.';
CREATE INDEX attempts_delivery ON attempts (delivery_id);
ALTER TABLE attempts
  ALTER COLUMN fence SET STATISTICS 0, ALTER COLUMN operation SET STATISTICS 0, ALTER COLUMN revision
    SET STATISTICS 0,
  ALTER COLUMN finished_at SET STATISTICS 0, ALTER COLUMN outcome SET STATISTICS 0, ALTER COLUMN error
    SET STATISTICS 0;

CREATE TABLE remote_messages (
  connection_id uuid NOT NULL,
  external_chat_id text NOT NULL,
  external_id text NOT NULL,
  workspace_id uuid NOT NULL,
  message_id uuid NOT NULL,
  delivery_id uuid,
  part_index smallint NOT NULL DEFAULT 0,
  alias boolean NOT NULL DEFAULT false,
  external_thread_id text,
  PRIMARY KEY (connection_id, external_chat_id, external_id)
);
COMMENT ON COLUMN remote_messages.alias IS
  'The platform itself copied the message into this chat: the row refers to the message and is neither '
  'its origin nor one of our copies.';
COMMENT ON COLUMN remote_messages.external_thread_id IS
  'The thread of the chat that contains the message. Replies and edits are made there.';
COMMENT ON TABLE remote_messages IS 'The id map between messages of platforms and ours, in both directions.';
CREATE INDEX remote_messages_message ON remote_messages (message_id);

-- A move of a delivery, applied if it is in one of the states `was`. A null field stays unchanged, except
-- next_attempt_at, and the error if `judged`.
CREATE TYPE delivery_move AS (id uuid, was text[], becomes text, attempt_count int, revision int,
  degradations text[],
  judged boolean, error jsonb, resolution text, next_attempt_at timestamptz, expires_at timestamptz,
    at timestamptz);

-- A delivery that a worker has leased, and its operation.
CREATE TYPE leased_task AS (operation text, delivery_id uuid, attempt_id uuid, fence bigint,
  attempt_count int);
CREATE TYPE known_part AS (delivery_id uuid, index smallint, kind text, status text,
  external_id text, thread text);

-- The result of one task: the move of its delivery, or the change of one that keeps its status.
CREATE TYPE task_result AS (delivery_id uuid, link_id uuid, message_id uuid, attempt_id uuid, fence bigint,
  outcome text, error jsonb, parts known_part[], move delivery_move, change jsonb, keep boolean, chat text);

-- A released lane.
CREATE TYPE freed_lane AS (link_id uuid, connection_id uuid);
