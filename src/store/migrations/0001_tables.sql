-- The tables of the bridge. Every row carries its workspace; unique keys, not caches, make things happen once.
-- Ids are UUIDv7 and come from the application or from uuid7().

DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 180000 THEN
    CREATE FUNCTION uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT uuidv7()';
  ELSE
    -- RFC 9562, method 3: 48 bits of Unix milliseconds, the version, 12 bits of their fraction, so that rows of one
    -- transaction keep their order, and the rest of a version 4 value. As PostgreSQL 18 does it.
    CREATE FUNCTION uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS
      'SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 4096000)::bigint), 15, ''0'') PLACING ''7'' FROM 13 FOR 0)
        || substr(gen_random_uuid()::text, 20))::uuid';
  END IF;
END $$;

CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  master_key_check bytea,
  public_url text NOT NULL DEFAULT '',
  phone_platforms text[] NOT NULL DEFAULT '{}',
  place jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN installation.phone_platforms IS 'Installed platforms whose addresses are phone numbers.';
COMMENT ON COLUMN installation.place IS 'Where this database was when the service ran on it last; a copy is somewhere else. See recognise_installation.';
INSERT INTO installation DEFAULT VALUES;

-- Where this database is. A dump that is restored has another table at least, a copy of the database another database, and both
-- on another server another system. Copies of all files of a server, such as a promoted replica, are not told apart.
CREATE FUNCTION database_place() RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  system text;
BEGIN
  BEGIN
    SELECT system_identifier::text INTO system FROM pg_control_system();
  EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN
    -- Some hosted servers do not show it.
    system := NULL;
  END;
  RETURN jsonb_strip_nulls(jsonb_build_object('system', system,
    'database', (SELECT oid::text FROM pg_database WHERE datname = current_database()),
    'table', 'public.installation'::regclass::oid::text));
END $$;

-- What differs between where the installation knows its database to be and where this one is, {} when it is that one. `here` is
-- what the process knows of the place. The first place that is asked about becomes the known one, and with `adopt` this one.
-- Locks the row of installation.
CREATE FUNCTION recognise_installation(here jsonb, adopt boolean) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  seen jsonb := database_place() || here;
  known jsonb;
  differences text[];
BEGIN
  SELECT place INTO known FROM installation FOR NO KEY UPDATE;
  IF NOT adopt AND known IS NOT NULL THEN
    -- A reading of which one of the two knows nothing says nothing.
    differences := ARRAY(SELECT k.key FROM jsonb_each_text(known) k JOIN jsonb_each_text(seen) s USING (key)
      WHERE k.value <> s.value ORDER BY 1);
    IF differences <> '{}' THEN RETURN differences; END IF;
    seen := seen || known;
  END IF;
  UPDATE installation SET place = seen WHERE place IS DISTINCT FROM seen;
  IF adopt THEN PERFORM pg_notify('installation', 'adopted'); END IF;
  RETURN '{}';
END $$;

CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL DEFAULT 'unlimited' CHECK (plan IN ('default', 'team', 'business', 'unlimited')),
  live_workspace_id uuid UNIQUE REFERENCES workspaces,
  opt_out_keywords text[] NOT NULL DEFAULT '{STOP,STOPALL,UNSUBSCRIBE,CANCEL,END,QUIT,REVOKE,OPTOUT,OPT OUT}',
  conversation_count bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN workspaces.live_workspace_id IS 'Set on a test workspace: the live one it belongs to.';

-- Of contacts there may be millions, made thousands at a time, and no workspace is ever deleted: a foreign key to it would lock
-- its row for each of them.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('member', 'contact', 'bot')),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'invited', 'blocked', 'suspended', 'deleted')),
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
  deleted_at timestamptz(3)
);
COMMENT ON COLUMN users.marketed_at IS 'When marketing was put on its way to them, as far back as the frequency cap looks; empty without a cap.';
COMMENT ON COLUMN users.stopped_at IS 'A STOP was received; cleared when the contact writes again.';
COMMENT ON COLUMN users.stopped_as IS 'Delivery error of what is written to them meanwhile: they said STOP, or have blocked the account on a platform.';
CREATE UNIQUE INDEX users_username ON users (workspace_id, username) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX users_login ON users (lower(email)) WHERE password_hash IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX users_list ON users (workspace_id, created_at DESC, id DESC);

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

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  user_id uuid NOT NULL REFERENCES users,
  name text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  scopes text[] NOT NULL DEFAULT '{}',
  rate_limit integer NOT NULL DEFAULT 100 CHECK (rate_limit >= 0),
  ip_allowlist text[] NOT NULL DEFAULT '{}',
  hash bytea NOT NULL UNIQUE,
  hint text NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  keeps_webhooks boolean NOT NULL DEFAULT false,
  expiry_handled boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN api_keys.workspace_id IS 'Where the key acts: for a test key the test workspace.';
COMMENT ON COLUMN api_keys.keeps_webhooks IS 'Its revocation leaves the webhooks that it registered as they are.';
COMMENT ON COLUMN api_keys.expiry_handled IS 'What its expiry means for webhooks was done; they may be enabled again afterwards.';
COMMENT ON COLUMN api_keys.hash IS 'SHA-256 of the whole key.';
CREATE INDEX api_keys_workspace ON api_keys (workspace_id);
CREATE INDEX api_keys_user ON api_keys (user_id);
CREATE INDEX api_keys_expiry ON api_keys (expires_at) WHERE expires_at IS NOT NULL AND NOT expiry_handled;

CREATE TABLE rate_windows (
  key_id uuid NOT NULL,
  hour timestamptz(3) NOT NULL,
  used integer NOT NULL DEFAULT 0,
  holder uuid,
  shared boolean NOT NULL DEFAULT false,
  PRIMARY KEY (key_id, hour)
);
COMMENT ON COLUMN rate_windows.holder IS 'The counter that counts on its own and reports; none, or one that is gone: vacant.';
COMMENT ON COLUMN rate_windows.shared IS 'A second counter asked: once vacant, each request is counted here.';
CREATE INDEX rate_windows_asked ON rate_windows (holder) WHERE shared AND holder IS NOT NULL;

CREATE TABLE rate_counters (
  id uuid PRIMARY KEY,
  leased_until timestamptz(3) NOT NULL
);
COMMENT ON TABLE rate_counters IS 'Processes that count requests. One whose lease ran out holds nothing from the moment another takes its row away.';

-- Gives the counter a lease, or extends one that did not run out; false: it holds nothing any more.
CREATE FUNCTION extend_rate_lease(p_counter uuid, p_first boolean, p_lease interval) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF p_first THEN
    INSERT INTO rate_counters (id, leased_until) VALUES (p_counter, clock_timestamp() + p_lease)
    ON CONFLICT (id) DO NOTHING;
    RETURN FOUND;
  END IF;
  UPDATE rate_counters SET leased_until = clock_timestamp() + p_lease
  WHERE id = p_counter AND leased_until > clock_timestamp();
  RETURN FOUND;
END $$;

-- Whether the counter is alive. The row of a dead one goes, so that it can't extend its lease later; a row that is
-- locked is being extended.
CREATE FUNCTION is_rate_counter_alive(p_counter uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM rate_counters WHERE id IN (
    SELECT id FROM rate_counters WHERE id = p_counter AND leased_until <= clock_timestamp() FOR UPDATE SKIP LOCKED);
  RETURN EXISTS (SELECT FROM rate_counters WHERE id = p_counter);
END $$;

-- One window for a counter that has requests to count: it is `held` from now on, or somebody else's who is asked to
-- give it back (`busy`), or the requests are counted here (`counted`), the last of them as number `used`.
CREATE FUNCTION ask_rate_window(p_counter uuid, p_key uuid, p_hour timestamptz, p_limit integer, p_wanted integer,
  OUT outcome text, OUT used integer, OUT granted integer) LANGUAGE plpgsql AS $$
DECLARE
  w rate_windows;
BEGIN
  INSERT INTO rate_windows (key_id, hour) VALUES (p_key, p_hour) ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT w FROM rate_windows WHERE key_id = p_key AND hour = p_hour FOR UPDATE;
  used := w.used;
  granted := 0;
  IF w.holder <> p_counter AND is_rate_counter_alive(w.holder) THEN
    UPDATE rate_windows SET shared = true WHERE key_id = p_key AND hour = p_hour AND NOT shared;
    PERFORM pg_notify('rate_windows_asked',
      concat_ws(' ', w.holder, p_key, (extract(epoch FROM p_hour) * 1000)::bigint));
    outcome := 'busy';
  ELSIF w.shared AND w.holder IS NULL THEN
    granted := greatest(least(p_wanted, p_limit - w.used), 0);
    used := w.used + granted;
    outcome := 'counted';
    IF granted > 0 THEN
      UPDATE rate_windows r SET used = w.used + ask_rate_window.granted WHERE key_id = p_key AND hour = p_hour;
    END IF;
  ELSE
    UPDATE rate_windows SET holder = p_counter, shared = false WHERE key_id = p_key AND hour = p_hour;
    outcome := 'held';
  END IF;
END $$;

-- Writes down what a counter counted in windows it holds, and gives back those it wants to; `alive` is whether it may
-- go on counting, and `asked` lists the windows that others wait for.
CREATE FUNCTION report_rate_windows(p_counter uuid, p_lease interval, p_keys uuid[], p_hours timestamptz[],
  p_used integer[], p_returned boolean[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_alive boolean := extend_rate_lease(p_counter, false, p_lease);
BEGIN
  FOR i IN 1 .. cardinality(p_keys) LOOP
    UPDATE rate_windows SET used = greatest(used, p_used[i]),
      holder = CASE WHEN p_returned[i] OR NOT v_alive THEN NULL ELSE holder END
    WHERE key_id = p_keys[i] AND hour = p_hours[i] AND holder = p_counter;
    IF FOUND AND p_returned[i] THEN
      PERFORM pg_notify('rate_windows_returned',
        concat_ws(' ', p_keys[i], (extract(epoch FROM p_hours[i]) * 1000)::bigint));
    END IF;
  END LOOP;
  IF NOT v_alive THEN DELETE FROM rate_counters WHERE id = p_counter; END IF;
  RETURN jsonb_build_object('alive', v_alive, 'asked', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('key', a.key_id, 'hour', (extract(epoch FROM a.hour) * 1000)::bigint)), '[]')
    FROM (SELECT key_id, hour FROM rate_windows WHERE holder = p_counter AND shared AND holder IS NOT NULL LIMIT 1000) a));
END $$;

CREATE TABLE idempotency_keys (
  credential_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  resource_id uuid NOT NULL,
  status integer,
  body json,
  claimed_until timestamptz(3) NOT NULL,
  holder integer,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (credential_id, method, path, key)
);
COMMENT ON COLUMN idempotency_keys.resource_id IS 'Id given to the record at the first try, so that a try after a crash finds it.';
COMMENT ON COLUMN idempotency_keys.status IS 'Null while the first request runs.';
COMMENT ON COLUMN idempotency_keys.holder IS 'The life sign of the process that runs it; null when it gave none.';
-- Held by a process on a connection that lasts as long as itself.
CREATE FUNCTION give_life_sign(process int) RETURNS void LANGUAGE sql AS $$ SELECT pg_advisory_lock_shared(1818846821, process) $$;
-- Whether a process that gave a life sign has ended, or has lost its connection. Unknown is not ended.
CREATE FUNCTION has_ended(process int) RETURNS boolean LANGUAGE sql AS $$
  SELECT process IS NOT NULL AND pg_try_advisory_xact_lock(1818846821, process)
$$;
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

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
COMMENT ON COLUMN connections.generation IS 'Raised when credentials, settings or enabled change: the live adapter restarts.';
COMMENT ON COLUMN connections.paused_until IS 'A wait the platform asked of the whole account.';
CREATE INDEX connections_workspace ON connections (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- What came in by a connection, counted by each session of the database in a row of its own: one row for all would be held
-- by one envelope until its commit, and every other one would wait for the disk once more.
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
COMMENT ON TABLE rate_buckets IS 'What a connection has used up of the limits of its platform.';
COMMENT ON COLUMN rate_buckets.next_at IS 'Of the account: when the next turn that nobody has reserved begins.';
COMMENT ON COLUMN rate_buckets.taken IS 'Of a chat or method: the times of the last writes, as many as its window holds.';
COMMENT ON COLUMN rate_buckets.held_until IS 'A wait the platform asked for.';
COMMENT ON COLUMN rate_buckets.idle_at IS 'From then on the row says nothing any more.';
CREATE INDEX rate_buckets_idle ON rate_buckets (idle_at);

CREATE TABLE conversations (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  number bigint NOT NULL,
  type text NOT NULL CHECK (type IN ('direct', 'group', 'channel')),
  title text,
  team text,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'pending', 'snoozed', 'resolved', 'archived')),
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
  UNIQUE (workspace_id, number)
);
CREATE INDEX conversations_list ON conversations (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX conversations_activity ON conversations (workspace_id, last_message_at DESC, id DESC) WHERE deleted_at IS NULL;

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
COMMENT ON COLUMN participants.change_order IS 'Place of the last coming or going that a platform reported; an older one is out of date.';
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
COMMENT ON COLUMN links.address IS 'Set while the chat of a direct address was not opened yet; external_id then equals it.';
COMMENT ON COLUMN links.title_order IS 'Place of the last renaming that the platform reported; an older one is out of date.';
COMMENT ON COLUMN links.pause_reason IS 'Why the bridge has paused the link, whose status is then broken: nothing is relayed to or from it until an operator resumes it.';
COMMENT ON COLUMN links.fence IS 'A link is its own lane: raised at each lease, checked at each write of the holder.';
-- Neither of these is of the links alone that were not removed: while the statistics know of no rows, an index with a condition
-- that a query asks for as well is as good as the one by its columns, and may be read from end to end.
CREATE UNIQUE INDEX links_chat ON links (connection_id, external_id, coalesce(external_thread_id, ''),
  (CASE WHEN removed_at IS NOT NULL THEN id END)) NULLS NOT DISTINCT;
CREATE INDEX links_held ON links (connection_id, held_until) WHERE held_until IS NOT NULL;
CREATE INDEX links_conversation ON links (conversation_id);
-- For the sweeper. A condition of its own, so that no other query takes it for one of its own.
CREATE INDEX links_gone ON links (connection_id, removed_at) WHERE (removed_at IS NULL) IS FALSE;

CREATE TABLE broadcasts (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  category text NOT NULL DEFAULT 'marketing' CHECK (category IN ('marketing', 'transactional')),
  status text NOT NULL CHECK (status IN ('draft', 'scheduled', 'preparing', 'sending', 'paused', 'on_hold', 'canceling',
    'completed', 'expired', 'failed', 'canceled')),
  text text,
  template_id uuid,
  content_type text NOT NULL DEFAULT 'text',
  attachments jsonb NOT NULL DEFAULT '[]',
  variables jsonb NOT NULL DEFAULT '{}',
  variants jsonb NOT NULL DEFAULT '[]',
  platforms text[] NOT NULL DEFAULT '{}',
  audience jsonb NOT NULL,
  fallback jsonb,
  throttle jsonb,
  schedule jsonb,
  counts jsonb NOT NULL DEFAULT '{"total":0,"pending":0,"sent":0,"delivered":0,"read":0,"failed":0,"uncertain":0,"skipped":0,"canceled":0,"expired":0}',
  waiting bigint NOT NULL DEFAULT 0,
  reached_at timestamptz(3),
  reached_id uuid,
  local boolean NOT NULL DEFAULT false,
  starts_at timestamptz(3),
  cap jsonb,
  skip_reasons jsonb NOT NULL DEFAULT '{}',
  eta timestamptz(3),
  error jsonb,
  created_by uuid NOT NULL REFERENCES users,
  scheduled_at timestamptz(3),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  canceled_at timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN broadcasts.waiting IS 'How many recipients are pending and not yet put on their way.';
CREATE INDEX broadcasts_list ON broadcasts (workspace_id, created_at DESC, id DESC);
CREATE INDEX broadcasts_live ON broadcasts (status) WHERE status NOT IN ('draft', 'completed', 'expired', 'failed', 'canceled');

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
  status text NOT NULL CHECK (status IN ('received', 'read', 'scheduled', 'queued', 'sending', 'sent', 'delivered',
    'failed', 'expired', 'blocked', 'uncertain', 'canceled')),
  platform text,
  category text NOT NULL DEFAULT 'conversational' CHECK (category IN ('conversational', 'transactional', 'marketing')),
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
  due_at timestamptz(3) GENERATED ALWAYS AS (CASE WHEN status = 'scheduled' AND deleted_at IS NULL THEN coalesce(send_at, created_at) END) STORED
) WITH (fillfactor = 50);
COMMENT ON TABLE messages IS 'Half of each page is left free, and no index speaks of status: a message that moves from queued to read
is updated within its page and no index is written again. The same holds for deliveries, recipients and links.';
COMMENT ON COLUMN messages.workspace_id IS 'That of the conversation. Messages, deliveries, recipients and what hangs on them are written by functions that have just
read or locked the rows they name, and nothing named is ever removed but marked as deleted. So these ids carry no foreign key: a check
per row and column, with a lock on a row that all senders share, adds up.';
COMMENT ON COLUMN messages.edit_order IS 'Place of the last edit that the platform reported; an edit with a smaller one is out of date.';
COMMENT ON COLUMN messages.spans IS 'Styles of an inbound message as its platform gave them; null: rendered from content_type.';
-- Unread messages are counted from this index alone: with the sender, the workspace for row-level security, and due_at, which
-- tells those that are still scheduled.
CREATE INDEX messages_conversation ON messages (conversation_id, created_at DESC, id DESC) INCLUDE (sender_id, workspace_id, due_at)
  WHERE deleted_at IS NULL;
CREATE INDEX messages_workspace ON messages (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX messages_thread ON messages (thread_id) WHERE thread_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_due ON messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX messages_due_in ON messages (conversation_id, due_at) WHERE due_at IS NOT NULL;

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
COMMENT ON COLUMN read_receipts.written_at IS 'created_at of the message, beside its conversation: what somebody has read of a stretch of it is counted here alone.';
COMMENT ON COLUMN read_receipts.counted IS 'The message is somebody else''s and not deleted: without the receipt it were unread.';
CREATE INDEX read_receipts_counted ON read_receipts (user_id, conversation_id, written_at, message_id) INCLUDE (workspace_id)
  WHERE counted;

CREATE TABLE reactions (
  message_id uuid NOT NULL REFERENCES messages,
  emoji text NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  workspace_id uuid NOT NULL,
  platform text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  change_order text,
  PRIMARY KEY (message_id, emoji, user_id)
);
COMMENT ON COLUMN reactions.change_order IS 'Place of the platform''s event among the changes of the message; null: made by a client.';

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
  status text NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'expired',
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
  lane uuid GENERATED ALWAYS AS (CASE WHEN status IN ('queued', 'sending') AND NOT held THEN link_id END) STORED,
  ends_at timestamptz(3) GENERATED ALWAYS AS (CASE WHEN status IN ('queued', 'sending', 'uncertain') THEN expires_at END) STORED
) WITH (fillfactor = 55);
COMMENT ON COLUMN deliveries.lane IS 'The link, while the delivery keeps its place in it. Each index of work has a column of its own, so that no other
looks fit for its query, whatever the statistics say: between two broadcasts they say that there is no work.';
COMMENT ON COLUMN deliveries.ends_at IS 'When an open delivery is given up.';
COMMENT ON COLUMN deliveries.duty IS 'What is still to be done, for the indexes of work; it stays the same from queued to sending.';
COMMENT ON COLUMN deliveries.connection_id IS 'A copy from the link, as platform; workspace_id and conversation_id are copies from the message.';
COMMENT ON COLUMN deliveries.position IS 'Order within the link.';
COMMENT ON COLUMN deliveries.priority IS '0 live traffic, 10 broadcast.';
COMMENT ON COLUMN deliveries.wanted_revision IS 'Content revision the platform should show; an edit is due while revision is lower.';
COMMENT ON COLUMN deliveries.change_tries IS 'Tries in vain of the edit or removal that is due; attempt_count is of sends alone.';
COMMENT ON COLUMN deliveries.resumed IS 'It had ended in vain and was put on its way again, or waits between two parts: some may be written.';
COMMENT ON COLUMN deliveries.held IS 'It waits with its broadcast, which is paused or rests: out of its lane, so that others may pass.';
COMMENT ON COLUMN deliveries.relay_of_link_id IS 'Set when the message is bridged from another link: it is attributed to its sender.';
CREATE INDEX deliveries_message ON deliveries (message_id);
CREATE INDEX deliveries_list ON deliveries (workspace_id, created_at DESC, id DESC);
CREATE INDEX deliveries_lane ON deliveries (connection_id, lane, position) WHERE lane IS NOT NULL;
CREATE INDEX deliveries_held ON deliveries (connection_id, link_id) WHERE held;
CREATE INDEX deliveries_due ON deliveries (connection_id, priority, position) WHERE duty = 'send';
CREATE INDEX deliveries_changes ON deliveries (connection_id, link_id, position) WHERE duty IN ('edit', 'delete', 'lookup');
CREATE INDEX deliveries_expiry ON deliveries (ends_at) WHERE ends_at IS NOT NULL;

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
COMMENT ON COLUMN delivery_parts.receipt IS 'The furthest that the platform has reported of it, where it is one of several.';

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
COMMENT ON COLUMN attempts.process IS 'The process that opened it, whose journal on its machine tells whether the write was begun.';
COMMENT ON TABLE attempts IS 'One try at the platform: written before the call, closed after it. An open one of a dead worker may have happened.';
CREATE INDEX attempts_delivery ON attempts (delivery_id);

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
COMMENT ON COLUMN remote_messages.alias IS 'The platform itself put a copy of the message into this chat: the row leads to the message and is neither its origin nor one of our copies.';
COMMENT ON COLUMN remote_messages.external_thread_id IS 'The thread of the chat that holds the message. Answers go there, and changes are made there.';
COMMENT ON TABLE remote_messages IS 'The id map: which of our messages a platform message is, in both directions.';
CREATE INDEX remote_messages_message ON remote_messages (message_id);

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
COMMENT ON TABLE early_events IS 'Events about a platform message that is not known yet: an inbound one that is not stored, or one of ours whose id is not
recorded. They are applied when the message becomes known.';
COMMENT ON COLUMN early_events.waits IS 'False once the event was applied. A removal is kept until it expires, so that an older addition that arrives later has no effect.';
CREATE INDEX early_events_id ON early_events (connection_id, external_id);
CREATE INDEX early_events_chat ON early_events (connection_id, external_chat_id, (event->>'type' = 'reply'), waits, id) WHERE event->>'type' <> 'receipt';
CREATE INDEX early_events_waiting ON early_events (id) WHERE waits;
CREATE INDEX early_events_expiry ON early_events (expires_at);
CREATE INDEX early_events_copies ON early_events (received_at) WHERE event->>'type' = 'copy';

CREATE TABLE broadcast_recipients (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  broadcast_id uuid NOT NULL,
  user_id uuid NOT NULL,
  message_id uuid,
  platform text,
  address text,
  variant text,
  variables jsonb NOT NULL DEFAULT '{}',
  status text NOT NULL CHECK (status IN ('pending', 'queued', 'sending', 'sent', 'delivered', 'read', 'failed',
    'uncertain', 'skipped', 'canceled', 'expired')),
  attempts integer NOT NULL DEFAULT 0,
  skip_reason text,
  error jsonb,
  queued_at timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  read_at timestamptz(3),
  due_at timestamptz(3),
  fallback_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  throttled_at timestamptz(3),
  UNIQUE (broadcast_id, user_id)
) WITH (fillfactor = 55);
CREATE INDEX broadcast_recipients_due ON broadcast_recipients (broadcast_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX broadcast_recipients_fallback ON broadcast_recipients (broadcast_id, fallback_at) WHERE fallback_at IS NOT NULL;
COMMENT ON COLUMN broadcasts.reached_id IS 'The recipient up to whom, in the order of created_at and id, all had their turn. A claim that was rolled back may have
left some: as long as `waiting` counts them, they are looked for from the beginning once the end is reached.';
COMMENT ON COLUMN broadcasts.local IS 'Each recipient gets it at the wall clock time of the schedule in their own time zone: broadcast_recipients.due_at.';
COMMENT ON COLUMN broadcasts.starts_at IS 'When to look whether the first recipient is due: scheduled_at, or earlier with local times.';
COMMENT ON COLUMN broadcasts.cap IS 'The frequency cap it was prepared with: {"count", "seconds"}.';
COMMENT ON TABLE broadcast_recipients IS 'The message to a recipient has the id of the recipient. No index speaks of what is written when somebody has
their turn, and when the message is sent: who waits is found by broadcasts.reached_id.';
COMMENT ON COLUMN broadcast_recipients.message_id IS 'Its own id, while there is a message.';
COMMENT ON COLUMN broadcast_recipients.due_at IS 'With local times: when it is their turn, until they had it.';
COMMENT ON COLUMN broadcast_recipients.throttled_at IS 'queued_at, of a broadcast with a throttle.';
COMMENT ON COLUMN broadcast_recipients.fallback_at IS 'When the next platform is tried unless this one has reached them; null: not any more, or never.';
CREATE INDEX broadcast_recipients_list ON broadcast_recipients (broadcast_id, created_at DESC, id DESC);

CREATE TABLE events (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  type text NOT NULL,
  conversation_id uuid,
  data json NOT NULL,
  extra json,
  occurred_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN events.id IS 'Shown as whk_ + the same 128 bits as ULID.';
COMMENT ON COLUMN events.data IS 'The record after the change, in the 1.0 shape of the interface.';
COMMENT ON COLUMN events.extra IS 'What the event adds beside the record, such as previous or sender.';
COMMENT ON COLUMN events.position IS 'Also the sequence of its subject: rising, since subjects change under a row lock.';
CREATE INDEX events_workspace ON events (workspace_id, position);

CREATE TABLE event_interest (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces,
  until timestamptz(3) NOT NULL DEFAULT '-infinity',
  moves_until timestamptz(3) NOT NULL DEFAULT '-infinity'
);
COMMENT ON TABLE event_interest IS 'Until when somebody may see what happens in a workspace: endless while it has a webhook, and as long as a stream may be
resumed after its last reader. Events of messages and deliveries, the many ones, are not recorded when nobody can ever see them.';
COMMENT ON COLUMN event_interest.moves_until IS 'The same for delivery.updated, which only its own name asks for.';

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  payload jsonb NOT NULL,
  run_at timestamptz(3),
  priority integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  url text NOT NULL,
  events text[] NOT NULL,
  scopes text[] NOT NULL,
  secret bytea NOT NULL,
  secret_hint text NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  rotation_id uuid,
  api_version text NOT NULL,
  status text NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled', 'auto_disabled')),
  headers bytea,
  header_names text[] NOT NULL DEFAULT '{}',
  description text,
  rate_limit integer,
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  created_by uuid NOT NULL REFERENCES users,
  created_by_key uuid REFERENCES api_keys,
  disabled_reason text CHECK (disabled_reason IN ('requested', 'failing', 'gone', 'key_revoked', 'key_expired')),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  CHECK ((status = 'enabled') = (disabled_reason IS NULL))
);
CREATE INDEX webhooks_created_by_key ON webhooks (created_by_key) WHERE deleted_at IS NULL;
COMMENT ON COLUMN webhooks.secret IS 'Encrypted.';
CREATE INDEX webhooks_workspace ON webhooks (workspace_id) WHERE deleted_at IS NULL;

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL REFERENCES workspaces,
  webhook_id uuid NOT NULL REFERENCES webhooks,
  event_position bigint NOT NULL,
  event_id uuid NOT NULL,
  event text NOT NULL,
  subject text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'dead', 'canceled')),
  attempts jsonb NOT NULL DEFAULT '[]',
  tries integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (webhook_id, event_id)
);
COMMENT ON COLUMN webhook_deliveries.leased_until IS 'A worker is trying until then; a dead worker frees it by time.';
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, created_at DESC, id DESC);
