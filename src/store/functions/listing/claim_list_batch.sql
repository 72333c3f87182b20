-- Returns the next batch for the search index: one that changed, otherwise the next records. Changes of
-- indexed records wait until this transaction ends. Null if there is nothing to do, another process is
-- indexing the workspace, or a change of a record is in progress.
--
-- Locks: list_progress.
-- Returns: { begins: string | null; ends: string | null }

-- Resets the index and the counts if the clock of the database was set back, because new records would be
-- older than those already indexed and counted. Returns whether a reset was necessary. The caller holds the
-- lock of the row.
CREATE OR REPLACE FUNCTION reset_after_clock_rollback(workspace uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE list_progress SET messages_until = DEFAULT, users_until = DEFAULT, conversations_until = DEFAULT,
    counted_until = DEFAULT, users = 0, deliveries = 0,
    conversations = 0, made_at = now()
  WHERE workspace_id = workspace
    AND greatest(messages_until, users_until, conversations_until, counted_until) > now();
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM list_portions WHERE workspace_id = workspace;
  DELETE FROM message_totals WHERE workspace_id = workspace;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION claim_list_batch(workspace uuid, wanted text, size int, OUT begins timestamptz,
  OUT ends timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  since timestamptz;
BEGIN
  SELECT CASE wanted WHEN 'users' THEN users_until WHEN 'conversations' THEN conversations_until
    ELSE messages_until END
  INTO since FROM list_progress
  WHERE workspace_id = workspace AND made_at < stable_before() FOR UPDATE SKIP LOCKED;
  IF NOT FOUND OR reset_after_clock_rollback(workspace) THEN RETURN; END IF;
  SELECT start, until INTO begins, ends FROM list_portions
  WHERE workspace_id = workspace AND list = wanted AND stale
  ORDER BY start LIMIT 1;
  IF FOUND THEN RETURN; END IF;
  begins := since;
  ends := batch_end(workspace, wanted, since, size);
END $$;
