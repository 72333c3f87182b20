-- Helpers for the search index and the counts of lists. A background job writes them in batches; sending and
-- receiving never do.

-- A timestamp before which no new created_at can appear: every transaction that began before it has ended.
-- created_at is the start of its transaction.
CREATE OR REPLACE FUNCTION settled_until() RETURNS timestamptz LANGUAGE sql AS $$
  SELECT least(now() - interval '1 min', min(xact_start)) - interval '1 s' FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
$$;

-- The timestamp after the next given number of records of a workspace; null if there are fewer.
CREATE OR REPLACE FUNCTION batch_end(workspace uuid, wanted text, since timestamptz, size int)
  RETURNS timestamptz LANGUAGE plpgsql AS $$
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
