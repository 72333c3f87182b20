-- Sets a new password if the old one, with the hash `proven`, is still current. Ends the sessions of the user
-- except `kept`. Returns whether the password was set.
--
-- Locks: users.
-- Returns: boolean
CREATE OR REPLACE FUNCTION change_password(person uuid, proven text, hash text, kept uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET password_hash = hash, updated_at = now() WHERE id = person AND password_hash = proven;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE user_id = person AND id <> kept));
  RETURN true;
END $$;
