-- Notifies all processes to drop cached credentials after a change of a user. Revokes the OAuth grants of a
-- user who is no longer active.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION user_credentials_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'active' OR NEW.deleted_at IS NOT NULL THEN
    PERFORM revoke_oauth_grant(id) FROM oauth_grants WHERE user_id = NEW.id AND revoked_at IS NULL;
  END IF;
  PERFORM pg_notify('credentials', NEW.id::text);
  RETURN NULL;
END $$;
