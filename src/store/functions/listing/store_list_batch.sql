-- Stores the hashes of a batch. Deleted messages are left out, because they can't change any more.
--
-- Arguments: begins: string; ends: string; hashes: number[] | null
-- Returns: void
CREATE OR REPLACE FUNCTION store_list_batch(workspace uuid, wanted text, begins timestamptz, ends timestamptz,
  hashes integer[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF wanted = 'messages' AND NOT EXISTS (SELECT FROM messages
    WHERE workspace_id = workspace AND created_at >= begins
    AND created_at < ends AND deleted_at IS NULL) THEN
    DELETE FROM list_portions WHERE workspace_id = workspace AND list = wanted AND start = begins;
  ELSE
    INSERT INTO list_portions (workspace_id, list, start, until, grams)
    VALUES (workspace, wanted, begins, ends, hashes)
    ON CONFLICT (workspace_id, list, start) DO UPDATE SET grams = excluded.grams, stale = false;
  END IF;
  IF wanted = 'messages' THEN
    UPDATE list_progress SET messages_until = ends WHERE workspace_id = workspace AND messages_until < ends;
  ELSIF wanted = 'conversations' THEN
    UPDATE list_progress SET conversations_until = ends
    WHERE workspace_id = workspace AND conversations_until < ends;
  ELSE
    UPDATE list_progress SET users_until = ends, users = users + (SELECT count(*) FROM users u
      WHERE u.workspace_id = workspace AND u.created_at >= begins AND u.created_at < ends)
    WHERE workspace_id = workspace AND users_until < ends;
  END IF;
END $$;
