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
  'Messages created before are in a batch; later ones are searched one by one. users_until, '
  'conversations_until: the same for users and conversations.';
COMMENT ON COLUMN list_progress.users IS
  'Number of users created before users_until, including deleted ones.';
COMMENT ON COLUMN list_progress.counted_until IS
  'Messages, deliveries and conversations created before are counted, including deleted ones, which the '
  'query subtracts.';
COMMENT ON COLUMN list_progress.made_at IS
  'Transactions that began before this row do not see it and change messages without marking them. '
  'Nothing is indexed or counted until they have ended.';

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
  'Batches of some hundred consecutive records, with hashes of their texts and metadata.';
COMMENT ON COLUMN list_portions.grams IS 'Null: unknown, so the batch has to be searched.';
COMMENT ON COLUMN list_portions.stale IS 'A record was edited or purged: the batch has to be indexed again.';

-- No compression and no statistics for hashes: both cost time without a benefit.
ALTER TABLE list_portions ALTER COLUMN grams SET STORAGE EXTERNAL, ALTER COLUMN grams SET STATISTICS 0;
CREATE INDEX list_portions_grams ON list_portions USING gin (grams) WITH (gin_pending_list_limit = 1024);
CREATE INDEX list_portions_open ON list_portions (workspace_id, list, start) WHERE grams IS NULL;
CREATE INDEX list_portions_stale ON list_portions (workspace_id, list, start) WHERE stale;
