-- Notifies all processes to drop the cached tokens of an OAuth app after it is deleted or its scopes change.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION oauth_app_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_oauth_tokens(ARRAY(SELECT id FROM oauth_grants WHERE app_id = OLD.id));
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
