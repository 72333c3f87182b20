-- Helpers for what lists know beside the records. It is written later, a portion at a time, and never by what
-- sends or receives.

-- Nothing more is written with an earlier created_at, which is the start of its transaction: each that began
-- before has ended.
CREATE OR REPLACE FUNCTION settled_until() RETURNS timestamptz LANGUAGE sql AS $$
  SELECT least(now() - interval '1 min', min(xact_start)) - interval '1 s' FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
$$;

-- The moment after the next so many records of a workspace; null while there are not as many.
CREATE OR REPLACE FUNCTION portion_end(workspace uuid, wanted text, since timestamptz, size int)
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
