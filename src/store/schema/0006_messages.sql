-- Messages, read receipts and reactions.

CREATE TABLE messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  conversation_number bigint NOT NULL,
  sender_id uuid NOT NULL,
  text text NOT NULL,
  spans jsonb,
  content_type text NOT NULL DEFAULT 'text' CHECK (content_type IN ('text', 'markdown')),
  attachments jsonb NOT NULL DEFAULT '[]',
  direction text NOT NULL CHECK (direction IN ('inbound', 'outbound', 'internal')),
  status text NOT NULL
    CHECK (status IN ('received', 'read', 'scheduled', 'queued', 'sending', 'sent', 'delivered',
    'failed', 'expired', 'blocked', 'uncertain', 'canceled')),
  platform text,
  category text NOT NULL DEFAULT 'conversational'
    CHECK (category IN ('conversational', 'transactional', 'marketing')),
  reply_to_id uuid,
  thread_id uuid,
  revision integer NOT NULL DEFAULT 1,
  origin jsonb,
  error jsonb,
  broadcast_id uuid,
  note boolean NOT NULL DEFAULT false,
  ttl_seconds integer NOT NULL DEFAULT 86400,
  send_at timestamptz(3),
  expires_at timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  failed_at timestamptz(3),
  edited_at timestamptz(3),
  edit_order text,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  due_at timestamptz(3) GENERATED ALWAYS AS (CASE WHEN status = 'scheduled'
      AND deleted_at IS NULL THEN coalesce(send_at, created_at) END) STORED,
  revised_at timestamptz(3) GENERATED ALWAYS AS (
    CASE WHEN updated_at - created_at > interval '10 minutes'
        OR updated_at < created_at THEN updated_at END) STORED,
  rare_status text GENERATED ALWAYS AS (
    CASE WHEN status IN ('failed', 'expired', 'blocked', 'uncertain', 'canceled') THEN status END) STORED
) WITH (fillfactor = 50);
COMMENT ON TABLE messages IS
  'Half of each page is left free, and no index contains the status: a message that moves from queued '
  'to read is updated within its page, and no index is written again. The same holds for deliveries, '
  'recipients and links.';
COMMENT ON COLUMN messages.workspace_id IS
  'The workspace of the conversation. Messages, deliveries, recipients and their dependent rows are '
  'written by functions that have just read or locked the referenced rows, and referenced rows are only '
  'marked as deleted. So these ids have no foreign keys: a check per row and column, with a lock on a '
  'row that all senders share, would be expensive.';
COMMENT ON COLUMN messages.edit_order IS
  'Position of the last edit that the platform reported; an edit with a smaller one is ignored.';
COMMENT ON COLUMN messages.spans IS
  'Styles of an inbound message as its platform gave them; null: rendered from content_type.';

-- Unread messages are counted from this index alone: with the sender, the workspace for row-level security,
-- and due_at, which shows that a message is still scheduled.
CREATE INDEX messages_conversation ON messages (conversation_id, created_at DESC,
  id DESC) INCLUDE (sender_id, workspace_id, due_at)
  WHERE deleted_at IS NULL;
CREATE INDEX messages_workspace ON messages (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX messages_due ON messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX messages_due_in ON messages (conversation_id, due_at) WHERE due_at IS NOT NULL;

-- For the purge. Its condition matches no other query, so that no other query uses the index.
CREATE INDEX messages_gone ON messages (deleted_at) WHERE (deleted_at IS NULL) IS FALSE;

-- Each of these serves a filter or a sort order of the API in page order, so that a page costs only its rows,
-- however long the list is. Most are partial and cost nothing for rows without the value. None contains a
-- column that a status change writes, so such updates stay within their page (HOT): updated_at enters an
-- index only if it is more than ten minutes late.
COMMENT ON COLUMN messages.revised_at IS
  'updated_at, if it is later than ten minutes after created_at: the others are found by created_at.';
CREATE INDEX messages_revised ON messages (workspace_id, revised_at DESC, id DESC)
  WHERE revised_at IS NOT NULL AND deleted_at IS NULL;
COMMENT ON COLUMN messages.rare_status IS 'The status, if it is one that few messages have.';
CREATE INDEX messages_rare_status ON messages (workspace_id, rare_status, created_at DESC, id DESC)
  WHERE rare_status IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_rare_status_of ON messages (conversation_id, rare_status, created_at DESC, id DESC)
  WHERE rare_status IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_sender ON messages (sender_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX messages_category ON messages (workspace_id, category, created_at DESC, id DESC)
  WHERE category <> 'conversational' AND deleted_at IS NULL;
CREATE INDEX messages_content_type ON messages (workspace_id, content_type, created_at DESC, id DESC)
  WHERE content_type <> 'text' AND deleted_at IS NULL;
CREATE INDEX messages_send_at ON messages (workspace_id, send_at DESC, id DESC)
  WHERE send_at IS NOT NULL AND deleted_at IS NULL;

-- Also queried by ranges of values. The statistics of the column show which of the two indexes is shorter.
CREATE INDEX messages_timed ON messages (workspace_id, created_at DESC, id DESC)
  WHERE send_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_broadcast ON messages (broadcast_id, created_at DESC, id DESC)
  WHERE broadcast_id IS NOT NULL AND deleted_at IS NULL;

-- (… IS NULL) IS FALSE: for queries for not null, and not for queries for a value.
CREATE INDEX messages_of_broadcasts ON messages (workspace_id, created_at DESC, id DESC)
  WHERE (broadcast_id IS NULL) IS FALSE AND deleted_at IS NULL;
CREATE INDEX messages_reply ON messages (reply_to_id) WHERE reply_to_id IS NOT NULL;
CREATE INDEX messages_replies ON messages (workspace_id, created_at DESC, id DESC)
  WHERE (reply_to_id IS NULL) IS FALSE AND deleted_at IS NULL;
CREATE INDEX messages_thread ON messages (thread_id, created_at DESC, id DESC)
  WHERE thread_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_in_threads ON messages (workspace_id, created_at DESC, id DESC)
  WHERE (thread_id IS NULL) IS FALSE AND deleted_at IS NULL;
CREATE INDEX messages_deleted ON messages (workspace_id, created_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX messages_deleted_of ON messages (conversation_id, created_at) WHERE deleted_at IS NOT NULL;

-- No statistics for columns that no query compares: an analysis of the table, which follows each large
-- broadcast, sorts a sample of each column that has them.
ALTER TABLE messages
  ALTER COLUMN text SET STATISTICS 0, ALTER COLUMN spans SET STATISTICS 0, ALTER COLUMN attachments
    SET STATISTICS 0,
  ALTER COLUMN metadata SET STATISTICS 0, ALTER COLUMN origin SET STATISTICS 0, ALTER COLUMN error
    SET STATISTICS 0,
  ALTER COLUMN conversation_number SET STATISTICS 0, ALTER COLUMN revision
    SET STATISTICS 0, ALTER COLUMN ttl_seconds SET STATISTICS 0,
  ALTER COLUMN expires_at SET STATISTICS 0, ALTER COLUMN sent_at SET STATISTICS 0, ALTER COLUMN delivered_at
    SET STATISTICS 0,
  ALTER COLUMN failed_at SET STATISTICS 0, ALTER COLUMN edited_at SET STATISTICS 0;

CREATE TABLE message_versions (
  message_id uuid NOT NULL REFERENCES messages,
  revision integer NOT NULL,
  workspace_id uuid NOT NULL,
  text text NOT NULL,
  content_type text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (message_id, revision)
);
COMMENT ON TABLE message_versions IS
  'What edited messages said before, written in the transaction of the edit; the newest 50 of each message.';
COMMENT ON COLUMN message_versions.created_at IS 'When the message got this text.';

CREATE TABLE read_receipts (
  message_id uuid NOT NULL REFERENCES messages,
  user_id uuid NOT NULL REFERENCES users,
  workspace_id uuid NOT NULL,
  read_at timestamptz(3) NOT NULL DEFAULT now(),
  platform text,
  conversation_id uuid NOT NULL,
  written_at timestamptz(3) NOT NULL,
  counted boolean NOT NULL,
  PRIMARY KEY (message_id, user_id) INCLUDE (workspace_id)
);
COMMENT ON COLUMN read_receipts.written_at IS
  'created_at of the message: the messages that a user has read in a period are counted from this index '
  'alone.';
COMMENT ON COLUMN read_receipts.counted IS
  'The message is not deleted and not the reader''s own: without the receipt it would be unread.';
CREATE INDEX read_receipts_counted ON read_receipts (user_id, conversation_id, written_at,
  message_id) INCLUDE (workspace_id)
  WHERE counted;

CREATE TABLE reactions (
  message_id uuid NOT NULL REFERENCES messages,
  emoji text NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  workspace_id uuid NOT NULL,
  platform text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  change_order text,
  link_id uuid REFERENCES links,
  external_id text,
  PRIMARY KEY (message_id, emoji, user_id)
);
COMMENT ON COLUMN reactions.change_order IS
  'Position of the platform''s event among the changes of the message; null: added by a client.';
COMMENT ON COLUMN reactions.link_id IS 'The chat of the reaction; null: added through the API.';
COMMENT ON COLUMN reactions.external_id IS
  'The platform''s id of the reaction, if it has one: some removals contain nothing else.';
CREATE UNIQUE INDEX reactions_external_id ON reactions (link_id, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE reaction_copies (
  message_id uuid NOT NULL REFERENCES messages,
  link_id uuid NOT NULL REFERENCES links,
  emoji text NOT NULL,
  workspace_id uuid NOT NULL,
  connection_id uuid NOT NULL REFERENCES connections,
  wanted boolean NOT NULL,
  shown boolean NOT NULL DEFAULT false,
  tries smallint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  leased_until timestamptz(3),
  PRIMARY KEY (message_id, link_id, emoji)
);
COMMENT ON COLUMN reaction_copies.wanted IS
  'A user outside of this chat has this reaction, so the chat should show it.';
COMMENT ON COLUMN reaction_copies.next_attempt_at IS 'Null: nothing to do, or given up.';
CREATE INDEX reaction_copies_due ON reaction_copies (connection_id, next_attempt_at)
  WHERE wanted <> shown AND next_attempt_at IS NOT NULL;

CREATE TABLE message_totals (
  conversation_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  amount bigint NOT NULL
) WITH (fillfactor = 70);

-- A message to be accepted, as the caller gives it. direction: only whether it is inbound. stays: it goes to
-- no link.
CREATE TYPE new_message AS (id uuid, workspace_id uuid, conversation_id uuid, conversation_number bigint,
  participant_id uuid,
  sender_id uuid, text text, spans jsonb, content_type text, attachments jsonb, category text,
    reply_to_id uuid,
  thread_id uuid, send_at timestamptz, ttl_seconds int, note boolean, metadata jsonb, direction text,
    platform text,
  from_link_id uuid, origin jsonb, broadcast_id uuid, priority smallint, claim jsonb, stays boolean);

-- The rows that accept_messages stored for a message, and for each delivery of it.
CREATE TYPE accepted_message AS (n bigint, a new_message, c conversations, m messages, record json);
CREATE TYPE accepted_copy AS (message_id uuid, position bigint, status text, record json);
