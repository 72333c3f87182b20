-- Starts a session and ends the previous session of the browser, if any. Starts none if the password has
-- changed since it was compared with the hash `proven`. Only the newest `max_sessions` sessions of a user
-- stay.
--
-- Locks: users.
-- Arguments: proven: string | null; replaced: Buffer | null
-- Returns: void
CREATE OR REPLACE FUNCTION open_session(person uuid, proven text, token bytea, replaced bytea,
  lifetime interval, max_sessions int, origin text, agent text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM users WHERE id = person AND password_hash = proven FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM start_member_session(person, token, replaced, lifetime, max_sessions, origin, agent);
END $$;
