-- Conversations, their participants, and links to chats on platforms.

CREATE TABLE conversations (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  number bigint NOT NULL,
  type text NOT NULL CHECK (type IN ('direct', 'group', 'channel')),
  title text,
  team text,
  status text NOT NULL DEFAULT 'open'
    CHECK (status IN ('open', 'pending', 'snoozed', 'resolved', 'archived')),
  assignee_id uuid REFERENCES users,
  snoozed_until timestamptz(3),
  labels text[] NOT NULL DEFAULT '{}',
  priority text NOT NULL DEFAULT 'none' CHECK (priority IN ('none', 'low', 'medium', 'high', 'urgent')),
  last_link_id uuid,
  last_message_id uuid,
  last_message_at timestamptz(3),
  closed_at timestamptz(3),
  created_by uuid NOT NULL REFERENCES users,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  purged_at timestamptz(3),
  -- By the time of the last change, as for messages. Most conversations do not change later than ten minutes
  -- after their start, and a message is not a change.
  revised_at timestamptz(3) GENERATED ALWAYS AS (
    CASE WHEN updated_at - created_at > interval '10 minutes'
        OR updated_at < created_at THEN updated_at END) STORED,
  UNIQUE (workspace_id, number)
);
CREATE INDEX conversations_list ON conversations (workspace_id, created_at DESC, id DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX conversations_activity ON conversations (workspace_id, last_message_at DESC, id DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX conversations_snoozed ON conversations (snoozed_until)
  WHERE status = 'snoozed' AND deleted_at IS NULL;
COMMENT ON COLUMN conversations.purged_at IS 'The conversation was deleted, and only its id is left.';
CREATE INDEX conversations_unpurged ON conversations (deleted_at)
  WHERE deleted_at IS NOT NULL AND purged_at IS NULL;
CREATE INDEX conversations_deleted ON conversations (workspace_id, created_at) WHERE deleted_at IS NOT NULL;

-- Fields that few conversations have, in a separate table: the others, which get most of the messages, write
-- nothing here.
CREATE INDEX conversations_status ON conversations (workspace_id, status, created_at DESC, id DESC)
  WHERE status <> 'open' AND deleted_at IS NULL;
CREATE INDEX conversations_priority ON conversations (workspace_id, priority, created_at DESC, id DESC)
  WHERE priority <> 'none' AND deleted_at IS NULL;
CREATE INDEX conversations_type ON conversations (workspace_id, type, created_at DESC, id DESC)
  WHERE type <> 'direct' AND deleted_at IS NULL;
CREATE INDEX conversations_assignee ON conversations (workspace_id, assignee_id, created_at DESC, id DESC)
  WHERE assignee_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX conversations_title ON conversations (workspace_id, title, created_at DESC, id DESC)
  WHERE title IS NOT NULL AND deleted_at IS NULL;
COMMENT ON COLUMN conversations.revised_at IS 'See messages.revised_at.';
CREATE INDEX conversations_revised ON conversations (workspace_id, revised_at DESC, id DESC)
  WHERE revised_at IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE participants (
  conversation_id uuid NOT NULL REFERENCES conversations,
  user_id uuid NOT NULL REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  role text NOT NULL CHECK (role IN ('owner', 'agent', 'customer', 'bot')),
  joined_at timestamptz(3) NOT NULL DEFAULT now(),
  left_at timestamptz(3),
  last_read_at timestamptz(3),
  change_order text,
  PRIMARY KEY (conversation_id, user_id)
);
COMMENT ON COLUMN participants.change_order IS
  'Position of the last join or leave that a platform reported; an older one is ignored.';
CREATE INDEX participants_user ON participants (user_id);

CREATE TABLE links (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  conversation_id uuid NOT NULL REFERENCES conversations,
  connection_id uuid NOT NULL REFERENCES connections,
  platform text NOT NULL,
  external_id text NOT NULL,
  external_thread_id text,
  title text,
  title_order text,
  direction text NOT NULL DEFAULT 'two_way' CHECK (direction IN ('two_way', 'inbound', 'outbound')),
  attribution text NOT NULL DEFAULT 'prefix' CHECK (attribution IN ('prefix', 'persona', 'none')),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'broken')),
  address text,
  last_inbound_at timestamptz(3),
  last_outbound_at timestamptz(3),
  leased_until timestamptz(3),
  fence bigint NOT NULL DEFAULT 0,
  held_until timestamptz,
  pause_reason text CHECK (pause_reason IN ('loop')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  removed_at timestamptz(3)
) WITH (fillfactor = 70);
COMMENT ON COLUMN links.address IS
  'Set until the chat of a direct address is opened; external_id equals it until then.';
COMMENT ON COLUMN links.title_order IS
  'Position of the last title that the platform reported; an older one is ignored.';
COMMENT ON COLUMN links.pause_reason IS
  'Why the bridge has paused the link, whose status is then broken: nothing is relayed to or from it until '
  'an operator resumes it.';
COMMENT ON COLUMN links.fence IS
  'The fence of the lane: raised at each lease, checked at each write of the holder.';

-- Not partial on removed_at: while the statistics show no rows, a partial index whose condition matches a
-- query seems as good as the index by the columns, and may be read from end to end.
CREATE UNIQUE INDEX links_chat ON links (connection_id, external_id, coalesce(external_thread_id, ''),
  (CASE WHEN removed_at IS NOT NULL THEN id END)) NULLS NOT DISTINCT;
CREATE INDEX links_held ON links (connection_id, held_until) WHERE held_until IS NOT NULL;
CREATE INDEX links_conversation ON links (conversation_id);

-- For the sweeper. Its condition matches no other query, so that no other query uses the index.
CREATE INDEX links_gone ON links (connection_id, removed_at) WHERE (removed_at IS NULL) IS FALSE;

-- Labels in a separate table, because the read role can't use an array index before row-level security is
-- checked.
CREATE TABLE conversation_labels (
  workspace_id uuid NOT NULL,
  label text NOT NULL,
  conversation_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, label, conversation_id)
);

-- Who has a conversation open. Without WAL: a crash of the server empties it, and pages say it again.
CREATE UNLOGGED TABLE conversation_viewers (
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  user_id uuid NOT NULL,
  seen_until timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id, user_id)
);

-- What members are writing and have not sent. A browser that does not know the stored version overwrites
-- only what it wrote itself.
CREATE TABLE message_drafts (
  user_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  text text NOT NULL,
  is_note boolean NOT NULL,
  reply_to_id uuid,
  device uuid NOT NULL,
  version uuid NOT NULL,
  written_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, conversation_id)
);
CREATE INDEX message_drafts_conversation ON message_drafts (conversation_id);
CREATE INDEX message_drafts_age ON message_drafts (written_at);
