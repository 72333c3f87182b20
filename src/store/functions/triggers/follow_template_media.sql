-- Records the use of files by a template.
--
-- Locks: media.
-- Returns: trigger
CREATE OR REPLACE FUNCTION follow_template_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN PERFORM release_media(OLD.id, '{}');
  ELSE PERFORM use_media(NEW.id, NEW.workspace_id, NULL, NEW.attachments); END IF;
  RETURN NULL;
END $$;
