-- Marks the indexed batch of a changed record as stale. The argument of the trigger is the name of the list.
--
-- Locks: list_progress.
-- Returns: trigger
CREATE OR REPLACE FUNCTION note_edited_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM list_progress WHERE workspace_id = NEW.workspace_id FOR SHARE;
  UPDATE list_portions SET grams = NULL, stale = true
  WHERE workspace_id = NEW.workspace_id AND list = TG_ARGV[0] AND until > NEW.created_at
    AND NOT stale AND start = (
    SELECT start FROM list_portions WHERE workspace_id = NEW.workspace_id AND list = TG_ARGV[0]
      AND start <= NEW.created_at
    ORDER BY start DESC LIMIT 1);
  RETURN NULL;
END $$;
