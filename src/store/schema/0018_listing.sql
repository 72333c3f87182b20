-- The search index and the counts of lists.

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
COMMENT ON COLUMN list_progress.messages_until IS
  'Messages made before are in a portion; the others are looked at one by one. users_until, '
  'conversations_until: the same of users and conversations.';
COMMENT ON COLUMN list_progress.users IS 'How many were made before users_until, the deleted ones too.';
COMMENT ON COLUMN list_progress.counted_until IS
  'Messages, deliveries and conversations made before are counted, the deleted ones too: they are subtracted '
  'by who asks.';
COMMENT ON COLUMN list_progress.made_at IS
  'Who began before does not see the row, and changes messages without a word to it: nothing is told or '
  'counted until they ended.';

CREATE TABLE list_portions (
  workspace_id uuid NOT NULL,
  list text NOT NULL CHECK (list IN ('messages', 'users', 'conversations')),
  start timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  grams integer[],
  stale boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, list, start)
);
COMMENT ON TABLE list_portions IS
  'Some hundred records that were made one after the other, with hashes of what their texts and metadata '
  'hold.';
COMMENT ON COLUMN list_portions.grams IS 'Null: anything may be there.';
COMMENT ON COLUMN list_portions.stale IS 'One of them was edited or purged: to be told anew.';

-- No compression and no statistics for hashes: both cost time without a benefit.
ALTER TABLE list_portions ALTER COLUMN grams SET STORAGE EXTERNAL, ALTER COLUMN grams SET STATISTICS 0;
CREATE INDEX list_portions_grams ON list_portions USING gin (grams) WITH (gin_pending_list_limit = 1024);
CREATE INDEX list_portions_open ON list_portions (workspace_id, list, start) WHERE grams IS NULL;
CREATE INDEX list_portions_stale ON list_portions (workspace_id, list, start) WHERE stale;
