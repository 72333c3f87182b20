-- Helpers for the search index and the counts of lists. A background job writes them in batches; sending and
-- receiving never do.

-- A timestamp before which no new created_at can appear: every transaction that began before it has ended.
-- created_at is the start of its transaction.
CREATE OR REPLACE FUNCTION stable_before() RETURNS timestamptz LANGUAGE sql AS $$
  SELECT least(now() - interval '1 min', min(xact_start)) - interval '1 s' FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
$$;

-- The timestamp at which a batch of the next `size` records of a workspace ends. Null if there are fewer.
CREATE OR REPLACE FUNCTION batch_end(workspace uuid, wanted text, since timestamptz, size int)
  RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  settled timestamptz := stable_before();
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

-- Resets the search index and the counts of a workspace, so that they are rebuilt. Called when records with a
-- past created_at are added, because the index and the counts read each period only once. Holds the lock of
-- the row until the transaction ends, so that nothing is indexed in between. Indexing starts a minute after
-- the last of these transactions.
CREATE OR REPLACE FUNCTION restart_list_index(workspace uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  p list_progress;
BEGIN
  SELECT * INTO p FROM list_progress WHERE workspace_id = workspace FOR UPDATE;
  IF NOT FOUND OR (p.made_at > now() - interval '20 s'
    AND greatest(p.messages_until, p.users_until, p.conversations_until, p.counted_until) = '-infinity') THEN
    RETURN;
  END IF;
  UPDATE list_progress SET messages_until = DEFAULT, users_until = DEFAULT, conversations_until = DEFAULT,
    counted_until = DEFAULT, users = 0, deliveries = 0, conversations = 0, made_at = now()
  WHERE workspace_id = workspace;
  DELETE FROM list_portions WHERE workspace_id = workspace;
  DELETE FROM message_totals WHERE workspace_id = workspace;
END $$;
