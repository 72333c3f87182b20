-- Records the use of files by a broadcast and its variants.
--
-- Locks: media.
-- Returns: trigger
CREATE OR REPLACE FUNCTION follow_broadcast_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN PERFORM release_media(OLD.id, '{}'); RETURN NULL; END IF;
  PERFORM use_media(NEW.id, NEW.workspace_id, NULL, NEW.attachments || coalesce((
    SELECT jsonb_agg(e) FROM jsonb_array_elements(NEW.variants) v, jsonb_array_elements(
      CASE jsonb_typeof(v->'attachments') WHEN 'array' THEN v->'attachments' ELSE '[]' END) e), '[]'));
  RETURN NULL;
END $$;
