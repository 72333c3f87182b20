-- Keeps conversation_labels equal to the labels of conversations.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION note_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM conversation_labels WHERE workspace_id = OLD.workspace_id AND conversation_id = OLD.id
      AND label = ANY (OLD.labels) AND NOT label = ANY (NEW.labels);
  END IF;
  INSERT INTO conversation_labels (workspace_id, label, conversation_id)
  SELECT DISTINCT NEW.workspace_id, label, NEW.id FROM unnest(NEW.labels) AS label ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
