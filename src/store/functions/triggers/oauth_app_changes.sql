-- Tells all processes to forget the tokens of an OAuth app whose scopes changed or that is deleted.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION oauth_app_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_oauth_tokens(ARRAY(SELECT id FROM oauth_grants WHERE app_id = OLD.id));
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
