-- Members, contacts and bots, their addresses on platforms, and the erasure of contacts.

-- No foreign key to workspaces: it would lock the row of the workspace for each contact. Contacts can number
-- millions and are created thousands at a time, and workspaces are never deleted.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('member', 'contact', 'bot')),
  status text NOT NULL DEFAULT 'active'
    CHECK (status IN ('active', 'invited', 'blocked', 'suspended', 'deleted')),
  role text CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  operator boolean NOT NULL DEFAULT false,
  username text NOT NULL,
  display_name text NOT NULL,
  email text NOT NULL DEFAULT '',
  password_hash text,
  profile_image text,
  presence text NOT NULL DEFAULT 'offline' CHECK (presence IN ('online', 'away', 'busy', 'offline')),
  last_seen_at timestamptz(3),
  phone text,
  locale text,
  timezone text,
  channel_priority text[] NOT NULL DEFAULT '{}',
  consent jsonb NOT NULL DEFAULT '{"marketing":"unknown","notification":"unknown","tracking":"unknown"}',
  marketed_at timestamptz[] NOT NULL DEFAULT '{}',
  stopped_at timestamptz(3),
  stopped_as text CHECK (stopped_as IN ('opted_out', 'blocked_by_recipient')),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  presence_set boolean NOT NULL DEFAULT false,
  live_user_id uuid REFERENCES users
);
COMMENT ON COLUMN users.marketed_at IS
  'Times of marketing messages to the contact, as far back as the frequency cap needs; empty without a '
  'cap.';
COMMENT ON COLUMN users.stopped_at IS 'A STOP was received; cleared when the contact writes again.';
COMMENT ON COLUMN users.stopped_as IS
  'Delivery error of messages to the contact meanwhile: after STOP, or after a block of the account on '
  'a platform.';
CREATE UNIQUE INDEX users_username ON users (workspace_id, username) WHERE deleted_at IS NULL;
CREATE INDEX users_list ON users (workspace_id, created_at DESC, id DESC);
COMMENT ON COLUMN users.presence_set IS
  'The user chose the presence; heartbeats and their absence no longer change it.';
CREATE INDEX users_present ON users (last_seen_at) WHERE presence <> 'offline' AND NOT presence_set;

-- A user may be a member of several workspaces, with a separate password in each. The member who sends an
-- invitation sees the link, so a shared password would give access to the other workspaces of the same
-- address.
CREATE UNIQUE INDEX users_login ON users (lower(email), workspace_id)
  WHERE password_hash IS NOT NULL AND deleted_at IS NULL;
COMMENT ON COLUMN users.live_user_id IS 'The live user of a user in a test workspace.';
CREATE UNIQUE INDEX users_counterpart ON users (live_user_id) WHERE live_user_id IS NOT NULL;
CREATE INDEX users_updated ON users (workspace_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_name ON users (workspace_id, display_name DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_seen ON users (workspace_id, last_seen_at DESC, id DESC)
  WHERE last_seen_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX users_kind ON users (workspace_id, kind, created_at DESC, id DESC)
  WHERE kind <> 'contact' AND deleted_at IS NULL;
CREATE INDEX users_status ON users (workspace_id, status, created_at DESC, id DESC)
  WHERE status <> 'active' AND deleted_at IS NULL;
CREATE INDEX users_presence ON users (workspace_id, presence, created_at DESC, id DESC)
  WHERE presence <> 'offline' AND deleted_at IS NULL;
CREATE INDEX users_email ON users (workspace_id, email) WHERE email <> '' AND deleted_at IS NULL;
CREATE INDEX users_phone ON users (workspace_id, phone) WHERE phone IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX users_deleted ON users (workspace_id) WHERE deleted_at IS NOT NULL;

CREATE TABLE identities (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  platform text NOT NULL,
  external_id text NOT NULL,
  handle text,
  verified boolean NOT NULL DEFAULT false,
  reachable boolean NOT NULL DEFAULT true,
  opt_out text[] NOT NULL DEFAULT '{}',
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, platform, external_id)
);
CREATE INDEX identities_user ON identities (user_id);
CREATE INDEX identities_address ON identities (external_id);

CREATE TABLE consent_changes (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  category text NOT NULL CHECK (category IN ('marketing', 'notification', 'tracking')),
  previous text NOT NULL,
  state text NOT NULL CHECK (state IN ('unknown', 'granted', 'denied')),
  source text NOT NULL CHECK (source IN ('keyword', 'platform', 'member', 'api', 'import', 'merge')),
  keyword text,
  actor_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE consent_changes IS
  'Each change of a consent, written in the transaction that changes it. The rows of an erased contact go.';
COMMENT ON COLUMN consent_changes.keyword IS 'The word that the contact wrote, such as STOP.';
COMMENT ON COLUMN consent_changes.actor_id IS 'The member, or the user whose key or app made the change.';
CREATE INDEX consent_changes_user ON consent_changes (user_id, created_at DESC, id DESC);

-- Platform data and events of an erased contact are removed later, in batches, because there may be many.
CREATE TABLE erasures (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  terms text[] NOT NULL,
  conversations uuid[] NOT NULL DEFAULT '{}',
  deliveries uuid[] NOT NULL DEFAULT '{}',
  scanned boolean NOT NULL DEFAULT false,
  look_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE erasures IS
  'Contacts whose data in envelopes, events, broadcasts and locations is being removed. The row is '
  'deleted with the last of it.';
COMMENT ON COLUMN erasures.terms IS 'Names and addresses of the contact; personal data as well.';
COMMENT ON COLUMN erasures.conversations IS 'Conversations with this contact alone.';
COMMENT ON COLUMN erasures.deliveries IS
  'Deliveries to the contact that were open at that time: they need the address until they end.';
COMMENT ON COLUMN erasures.scanned IS 'The scan of the workspace includes this contact.';
COMMENT ON COLUMN erasures.look_at IS 'When to check again whether pending work about the contact has ended.';

CREATE TABLE erasure_scans (
  workspace_id uuid PRIMARY KEY,
  until xid8 NOT NULL DEFAULT pg_snapshot_xmax(pg_current_snapshot()),
  stage text NOT NULL DEFAULT 'envelopes'
    CHECK (stage IN ('envelopes', 'broadcasts', 'events', 'locations', 'imports', 'answers',
      'done')),
  connection_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  dedupe_key text NOT NULL DEFAULT '',
  broadcast_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  event_xid xid8 NOT NULL DEFAULT '0',
  event_position bigint NOT NULL DEFAULT 0,
  import_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  import_row integer NOT NULL DEFAULT 0,
  continued_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE erasure_scans IS
  'One pass over all data of a workspace, for every contact whose erasure could start before it. '
  'Workspaces take turns.';
COMMENT ON COLUMN erasure_scans.until IS 'Events of later transactions contain none of these contacts.';
