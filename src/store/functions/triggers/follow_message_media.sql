-- Records the use of files by a message, until the message is deleted. Its deliveries wait until all files
-- are fetched or have failed.
--
-- Locks: media.
-- Returns: trigger
CREATE OR REPLACE FUNCTION follow_message_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM release_media(OLD.id, '{}');
  ELSIF NEW.deleted_at IS NOT NULL THEN
    PERFORM release_media(NEW.id, '{}');
  ELSIF use_media(NEW.id, NEW.workspace_id, (NEW.origin->>'connection_id')::uuid, NEW.attachments) THEN
    UPDATE deliveries SET next_attempt_at = now() + interval '10 minutes'
    WHERE message_id = NEW.id AND status = 'queued' AND next_attempt_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
