-- A message's media live as long as it does; what is to be sent waits until all of them are there or given
-- up.
--
-- Locks: media.
-- Returns: trigger
CREATE OR REPLACE FUNCTION follow_message_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM drop_media(OLD.id, '{}');
  ELSIF NEW.deleted_at IS NOT NULL THEN
    PERFORM drop_media(NEW.id, '{}');
  ELSIF use_media(NEW.id, NEW.workspace_id, (NEW.origin->>'connection_id')::uuid, NEW.attachments) THEN
    UPDATE deliveries SET next_attempt_at = now() + interval '10 minutes'
    WHERE message_id = NEW.id AND status = 'queued' AND next_attempt_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
