-- Stores a sealed secret that no code has confirmed yet. It replaces an earlier secret that was not
-- confirmed. Returns false if the password has changed since it was compared with the hash `proven`, or if
-- the second step is already enabled.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION start_second_step(person uuid, proven text, sealed bytea) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO second_steps AS s (user_id, workspace_id, secret)
  SELECT id, workspace_id, sealed FROM users WHERE id = person AND password_hash = proven
  ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, begun_at = now() WHERE s.enabled_at IS NULL;
  RETURN FOUND;
END $$;
