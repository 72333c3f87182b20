-- What lists know of messages, users and conversations beside the records themselves: where a text may be, and how many there are.
-- Written later, a portion at a time, and never by what sends or receives.

CREATE TABLE list_progress (
  workspace_id uuid PRIMARY KEY,
  messages_until timestamptz(3) NOT NULL DEFAULT '-infinity',
  users_until timestamptz(3) NOT NULL DEFAULT '-infinity',
  conversations_until timestamptz(3) NOT NULL DEFAULT '-infinity',
  users bigint NOT NULL DEFAULT 0,
  counted_until timestamptz(3) NOT NULL DEFAULT '-infinity',
  deliveries bigint NOT NULL DEFAULT 0,
  conversations bigint NOT NULL DEFAULT 0,
  made_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN list_progress.messages_until IS 'Messages made before are in a portion; the others are looked at one by one. users_until, conversations_until: the same of users and conversations.';
COMMENT ON COLUMN list_progress.users IS 'How many were made before users_until, the deleted ones too.';
COMMENT ON COLUMN list_progress.counted_until IS 'Messages, deliveries and conversations made before are counted, the deleted ones too: they are subtracted by who asks.';
COMMENT ON COLUMN list_progress.made_at IS 'Who began before does not see the row, and changes messages without a word to it: nothing is told or counted until they ended.';

CREATE TABLE list_portions (
  workspace_id uuid NOT NULL,
  list text NOT NULL CHECK (list IN ('messages', 'users', 'conversations')),
  start timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  grams integer[],
  stale boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, list, start)
);
COMMENT ON TABLE list_portions IS 'Some hundred records that were made one after the other, with hashes of what their texts and metadata hold.';
COMMENT ON COLUMN list_portions.grams IS 'Null: anything may be there.';
COMMENT ON COLUMN list_portions.stale IS 'One of them was edited or purged: to be told anew.';
-- Compressing hashes and taking statistics of them is work for nothing.
ALTER TABLE list_portions ALTER COLUMN grams SET STORAGE EXTERNAL, ALTER COLUMN grams SET STATISTICS 0;
CREATE INDEX list_portions_grams ON list_portions USING gin (grams) WITH (gin_pending_list_limit = 1024);
CREATE INDEX list_portions_open ON list_portions (workspace_id, list, start) WHERE grams IS NULL;
CREATE INDEX list_portions_stale ON list_portions (workspace_id, list, start) WHERE stale;

CREATE TABLE message_totals (
  conversation_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  amount bigint NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX users_deleted ON users (workspace_id) WHERE deleted_at IS NOT NULL;
CREATE INDEX conversations_deleted ON conversations (workspace_id, created_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX messages_deleted_of ON messages (conversation_id, created_at) WHERE deleted_at IS NOT NULL;

-- Nothing more is written with an earlier created_at, which is the start of its transaction: each that began before has ended.
CREATE FUNCTION settled_until() RETURNS timestamptz LANGUAGE sql AS $$
  SELECT least(now() - interval '1 min', min(xact_start)) - interval '1 s' FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
$$;

-- The moment after the next so many records of a workspace; null while there are not as many.
CREATE FUNCTION portion_end(workspace uuid, wanted text, since timestamptz, size int) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  settled timestamptz := settled_until();
BEGIN
  IF wanted = 'users' THEN
    RETURN (SELECT created_at + interval '1 ms' FROM users
      WHERE workspace_id = workspace AND created_at >= since AND created_at < settled
      ORDER BY created_at, id OFFSET size - 1 LIMIT 1);
  ELSIF wanted = 'conversations' THEN
    RETURN (SELECT created_at + interval '1 ms' FROM conversations
      WHERE workspace_id = workspace AND deleted_at IS NULL AND created_at >= since AND created_at < settled
      ORDER BY created_at, id OFFSET size - 1 LIMIT 1);
  END IF;
  RETURN (SELECT created_at + interval '1 ms' FROM messages
    WHERE workspace_id = workspace AND deleted_at IS NULL AND created_at >= since AND created_at < settled
    ORDER BY created_at, id OFFSET size - 1 LIMIT 1);
END $$;

-- After the clock of the database was set back, what is written now is older than what was told and counted: forgets it all.
-- Answers whether it had to; the caller holds the row.
CREATE FUNCTION forget_the_future(workspace uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE list_progress SET messages_until = DEFAULT, users_until = DEFAULT, conversations_until = DEFAULT,
    counted_until = DEFAULT, users = 0, deliveries = 0,
    conversations = 0, made_at = now()
  WHERE workspace_id = workspace AND greatest(messages_until, users_until, conversations_until, counted_until) > now();
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM list_portions WHERE workspace_id = workspace;
  DELETE FROM message_totals WHERE workspace_id = workspace;
  RETURN true;
END $$;

-- The next portion to be told: one that changed, else the next records. Whoever would change what is told waits until the
-- transaction ends, or is waited for. Null when there is nothing to do, or another process does it.
CREATE FUNCTION take_portion(workspace uuid, wanted text, size int, OUT begins timestamptz, OUT ends timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  since timestamptz;
BEGIN
  SELECT CASE wanted WHEN 'users' THEN users_until WHEN 'conversations' THEN conversations_until ELSE messages_until END
  INTO since FROM list_progress
  WHERE workspace_id = workspace AND made_at < settled_until() FOR UPDATE SKIP LOCKED;
  IF NOT FOUND OR forget_the_future(workspace) THEN RETURN; END IF;
  SELECT start, until INTO begins, ends FROM list_portions WHERE workspace_id = workspace AND list = wanted AND stale
  ORDER BY start LIMIT 1;
  IF FOUND THEN RETURN; END IF;
  begins := since;
  ends := portion_end(workspace, wanted, since, size);
END $$;

-- What a portion holds; nothing is kept of messages that are gone, for none is ever written or edited there.
CREATE FUNCTION keep_portion(workspace uuid, wanted text, begins timestamptz, ends timestamptz, hashes integer[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF wanted = 'messages' AND NOT EXISTS (SELECT FROM messages WHERE workspace_id = workspace AND created_at >= begins
    AND created_at < ends AND deleted_at IS NULL) THEN
    DELETE FROM list_portions WHERE workspace_id = workspace AND list = wanted AND start = begins;
  ELSE
    INSERT INTO list_portions (workspace_id, list, start, until, grams) VALUES (workspace, wanted, begins, ends, hashes)
    ON CONFLICT (workspace_id, list, start) DO UPDATE SET grams = excluded.grams, stale = false;
  END IF;
  IF wanted = 'messages' THEN
    UPDATE list_progress SET messages_until = ends WHERE workspace_id = workspace AND messages_until < ends;
  ELSIF wanted = 'conversations' THEN
    UPDATE list_progress SET conversations_until = ends WHERE workspace_id = workspace AND conversations_until < ends;
  ELSE
    UPDATE list_progress SET users_until = ends, users = users + (SELECT count(*) FROM users u
      WHERE u.workspace_id = workspace AND u.created_at >= begins AND u.created_at < ends)
    WHERE workspace_id = workspace AND users_until < ends;
  END IF;
END $$;

-- Portions with all of these hashes. The planner takes a look at each array for as cheap as one at a number.
CREATE FUNCTION portions_with(workspace uuid, wanted text, hashes integer[]) RETURNS SETOF list_portions LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_indexscan = off AS $$
  SELECT p.* FROM (SELECT f.* FROM list_portions f WHERE f.grams @> hashes OFFSET 0) p
  WHERE p.workspace_id = workspace AND p.list = wanted
$$;

-- Counts the next messages of a workspace by their conversation, and the deliveries and conversations made meanwhile. Answers whether it did.
CREATE FUNCTION count_portion(workspace uuid, size int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  since timestamptz;
  ends timestamptz;
BEGIN
  SELECT counted_until INTO since FROM list_progress WHERE workspace_id = workspace AND made_at < settled_until()
  FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  ends := portion_end(workspace, 'messages', since, size);
  IF ends IS NULL THEN RETURN false; END IF;
  INSERT INTO message_totals AS t (conversation_id, workspace_id, amount)
  SELECT m.conversation_id, workspace, count(*) FROM (
    SELECT conversation_id FROM messages WHERE workspace_id = workspace AND created_at >= since AND created_at < ends
      AND deleted_at IS NULL
    UNION ALL SELECT conversation_id FROM messages WHERE workspace_id = workspace AND created_at >= since AND created_at < ends
      AND deleted_at IS NOT NULL) m
  GROUP BY 1 ON CONFLICT (conversation_id) DO UPDATE SET amount = t.amount + excluded.amount;
  UPDATE list_progress SET counted_until = ends,
    deliveries = deliveries + (SELECT count(*) FROM deliveries
      WHERE workspace_id = workspace AND created_at >= since AND created_at < ends),
    conversations = conversations + (SELECT count(*) FROM conversations
      WHERE workspace_id = workspace AND created_at >= since AND created_at < ends AND deleted_at IS NULL)
      + (SELECT count(*) FROM conversations
      WHERE workspace_id = workspace AND created_at >= since AND created_at < ends AND deleted_at IS NOT NULL)
  WHERE workspace_id = workspace;
  RETURN true;
END $$;

-- The name of the list is the trigger's argument.
CREATE FUNCTION note_edited_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM list_progress WHERE workspace_id = NEW.workspace_id FOR SHARE;
  UPDATE list_portions SET grams = NULL, stale = true
  WHERE workspace_id = NEW.workspace_id AND list = TG_ARGV[0] AND until > NEW.created_at AND NOT stale AND start = (
    SELECT start FROM list_portions WHERE workspace_id = NEW.workspace_id AND list = TG_ARGV[0] AND start <= NEW.created_at
    ORDER BY start DESC LIMIT 1);
  RETURN NULL;
END $$;

CREATE TRIGGER messages_edit_noted AFTER UPDATE OF text, metadata ON messages FOR EACH ROW
  WHEN (OLD.text <> NEW.text OR OLD.metadata <> NEW.metadata) EXECUTE FUNCTION note_edited_record('messages');
CREATE TRIGGER users_edit_noted AFTER UPDATE OF username, display_name, email, phone, metadata ON users FOR EACH ROW
  WHEN ((OLD.username, OLD.display_name, OLD.email, OLD.phone, OLD.metadata)
    IS DISTINCT FROM (NEW.username, NEW.display_name, NEW.email, NEW.phone, NEW.metadata))
  EXECUTE FUNCTION note_edited_record('users');

CREATE TRIGGER conversations_edit_noted AFTER UPDATE OF title, metadata ON conversations FOR EACH ROW
  WHEN (OLD.title IS DISTINCT FROM NEW.title OR OLD.metadata <> NEW.metadata)
  EXECUTE FUNCTION note_edited_record('conversations');

-- What is purged is told no longer, and not counted.
CREATE FUNCTION forget_purged_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM list_progress WHERE workspace_id IN (SELECT workspace_id FROM purged) ORDER BY workspace_id FOR UPDATE;
  UPDATE list_portions p SET grams = NULL, stale = true
  FROM (SELECT DISTINCT x.workspace_id, x.start FROM purged g CROSS JOIN LATERAL (
    SELECT workspace_id, start, until FROM list_portions WHERE workspace_id = g.workspace_id AND list = 'messages'
      AND start <= g.created_at ORDER BY start DESC LIMIT 1) x WHERE x.until > g.created_at) o
  WHERE p.workspace_id = o.workspace_id AND p.list = 'messages' AND p.start = o.start AND NOT p.stale;
  UPDATE message_totals t SET amount = t.amount - g.amount
  FROM (SELECT m.conversation_id, count(*) AS amount FROM purged m JOIN list_progress l USING (workspace_id)
    WHERE m.created_at < l.counted_until GROUP BY 1) g
  WHERE t.conversation_id = g.conversation_id;
  DELETE FROM message_totals WHERE amount = 0 AND conversation_id IN (SELECT conversation_id FROM purged);
  RETURN NULL;
END $$;

CREATE FUNCTION forget_purged_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM list_progress WHERE workspace_id IN (SELECT workspace_id FROM purged) ORDER BY workspace_id FOR UPDATE;
  UPDATE list_progress l SET deliveries = l.deliveries - (
    SELECT count(*) FROM purged d WHERE d.workspace_id = l.workspace_id AND d.created_at < l.counted_until)
  WHERE l.workspace_id IN (SELECT workspace_id FROM purged);
  RETURN NULL;
END $$;

CREATE TRIGGER messages_purge_forgotten AFTER DELETE ON messages
  REFERENCING OLD TABLE AS purged FOR EACH STATEMENT EXECUTE FUNCTION forget_purged_messages();
CREATE TRIGGER deliveries_purge_forgotten AFTER DELETE ON deliveries
  REFERENCING OLD TABLE AS purged FOR EACH STATEMENT EXECUTE FUNCTION forget_purged_deliveries();

-- What few conversations have: the others, which get most of the messages, write nothing here.
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

-- Labels beside their conversations, since the role that reads may not ask an index of arrays before the second wall is passed.
CREATE TABLE conversation_labels (
  workspace_id uuid NOT NULL,
  label text NOT NULL,
  conversation_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, label, conversation_id)
);

CREATE FUNCTION note_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM conversation_labels WHERE workspace_id = OLD.workspace_id AND conversation_id = OLD.id
      AND label = ANY (OLD.labels) AND NOT label = ANY (NEW.labels);
  END IF;
  INSERT INTO conversation_labels (workspace_id, label, conversation_id)
  SELECT DISTINCT NEW.workspace_id, label, NEW.id FROM unnest(NEW.labels) AS label ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER conversations_labelled AFTER INSERT ON conversations FOR EACH ROW
  WHEN (NEW.labels <> '{}') EXECUTE FUNCTION note_labels();
CREATE TRIGGER conversations_relabelled AFTER UPDATE OF labels ON conversations FOR EACH ROW
  WHEN (OLD.labels <> NEW.labels) EXECUTE FUNCTION note_labels();

-- By the time of their last change, as messages are. Most conversations are not changed later than ten minutes after they began,
-- and messages in them are no change.
ALTER TABLE conversations ADD COLUMN revised_at timestamptz(3) GENERATED ALWAYS AS (
  CASE WHEN updated_at - created_at > interval '10 minutes' OR updated_at < created_at THEN updated_at END) STORED;
COMMENT ON COLUMN conversations.revised_at IS 'As of messages.';
CREATE INDEX conversations_revised ON conversations (workspace_id, revised_at DESC, id DESC)
  WHERE revised_at IS NOT NULL AND deleted_at IS NULL;

-- What few recipients of a broadcast come to, as of deliveries.
ALTER TABLE broadcast_recipients ADD COLUMN mishap text GENERATED ALWAYS AS (
  CASE WHEN status IN ('failed', 'uncertain', 'canceled', 'expired') THEN status END) STORED;
COMMENT ON COLUMN broadcast_recipients.mishap IS 'The status, where it is one that few recipients come to.';
CREATE INDEX broadcast_recipients_mishap ON broadcast_recipients (broadcast_id, mishap, created_at DESC, id DESC) WHERE mishap IS NOT NULL;
CREATE INDEX broadcast_recipients_skipped ON broadcast_recipients (broadcast_id, skip_reason, created_at DESC, id DESC)
  WHERE skip_reason IS NOT NULL;
CREATE INDEX broadcast_recipients_variant ON broadcast_recipients (broadcast_id, variant, created_at DESC, id DESC)
  WHERE variant IS NOT NULL;
CREATE INDEX broadcast_recipients_platform ON broadcast_recipients (broadcast_id, platform, created_at DESC, id DESC);

-- What no query compares is not told apart by statistics: a new look at a table, taken after each large broadcast, sorts a sample of
-- each column that has them.
ALTER TABLE messages
  ALTER COLUMN text SET STATISTICS 0, ALTER COLUMN spans SET STATISTICS 0, ALTER COLUMN attachments SET STATISTICS 0,
  ALTER COLUMN metadata SET STATISTICS 0, ALTER COLUMN origin SET STATISTICS 0, ALTER COLUMN error SET STATISTICS 0,
  ALTER COLUMN conversation_number SET STATISTICS 0, ALTER COLUMN revision SET STATISTICS 0, ALTER COLUMN ttl_seconds SET STATISTICS 0,
  ALTER COLUMN expires_at SET STATISTICS 0, ALTER COLUMN sent_at SET STATISTICS 0, ALTER COLUMN delivered_at SET STATISTICS 0,
  ALTER COLUMN failed_at SET STATISTICS 0, ALTER COLUMN edited_at SET STATISTICS 0;
ALTER TABLE deliveries
  ALTER COLUMN external_chat_id SET STATISTICS 0, ALTER COLUMN attempt_count SET STATISTICS 0, ALTER COLUMN resumed SET STATISTICS 0,
  ALTER COLUMN change_tries SET STATISTICS 0,
  ALTER COLUMN degradations SET STATISTICS 0, ALTER COLUMN error SET STATISTICS 0, ALTER COLUMN resolution SET STATISTICS 0,
  ALTER COLUMN expires_at SET STATISTICS 0, ALTER COLUMN uncertain_at SET STATISTICS 0, ALTER COLUMN sent_at SET STATISTICS 0,
  ALTER COLUMN delivered_at SET STATISTICS 0, ALTER COLUMN read_at SET STATISTICS 0, ALTER COLUMN failed_at SET STATISTICS 0;
ALTER TABLE broadcast_recipients
  ALTER COLUMN address SET STATISTICS 0, ALTER COLUMN variables SET STATISTICS 0, ALTER COLUMN attempts SET STATISTICS 0,
  ALTER COLUMN error SET STATISTICS 0, ALTER COLUMN sent_at SET STATISTICS 0, ALTER COLUMN delivered_at SET STATISTICS 0,
  ALTER COLUMN read_at SET STATISTICS 0;
ALTER TABLE attempts
  ALTER COLUMN fence SET STATISTICS 0, ALTER COLUMN operation SET STATISTICS 0, ALTER COLUMN revision SET STATISTICS 0,
  ALTER COLUMN finished_at SET STATISTICS 0, ALTER COLUMN outcome SET STATISTICS 0, ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE delivery_parts
  ALTER COLUMN kind SET STATISTICS 0, ALTER COLUMN external_id SET STATISTICS 0, ALTER COLUMN receipt SET STATISTICS 0,
  ALTER COLUMN sent_at SET STATISTICS 0;
ALTER TABLE events ALTER COLUMN data SET STATISTICS 0, ALTER COLUMN extra SET STATISTICS 0;

SELECT protect_workspaces();
