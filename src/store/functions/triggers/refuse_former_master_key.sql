-- Refuses rows with values that are sealed under a master key that a rotation has replaced.
--
-- Locks: installation.
-- Returns: trigger
CREATE OR REPLACE FUNCTION refuse_former_master_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'webhooks' THEN
    PERFORM require_live_master_key(ARRAY[NEW.secret, NEW.previous_secret, NEW.headers]);
  ELSIF TG_TABLE_NAME = 'connections' THEN
    PERFORM require_live_master_key(ARRAY[NEW.credentials]);
  ELSIF TG_TABLE_NAME = 'workspace_keys' THEN
    PERFORM require_live_master_key(ARRAY[NEW.wrapped]);
  ELSE
    PERFORM require_live_master_key(ARRAY[NEW.secret]);
  END IF;
  RETURN NEW;
END $$;
