-- Starts a session and ends the previous session of the browser, if any. Starts none if the password has
-- changed since it was compared with the hash `proven`. Only the newest `most` sessions of a user stay.
--
-- Locks: users.
-- Arguments: proven: string | null; replaced: Buffer | null
-- Returns: void
CREATE OR REPLACE FUNCTION open_session(person uuid, proven text, token bytea, replaced bytea,
  lifetime interval, most int, origin text, agent text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM users WHERE id = person AND password_hash = proven FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE token_hash = replaced));
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE user_id = person ORDER BY created_at DESC, id DESC
      OFFSET most - 1));
  INSERT INTO sessions (workspace_id, user_id, token_hash, expires_at, address, user_agent)
  SELECT workspace_id, id, token, now() + lifetime, origin, left(agent, 256) FROM users WHERE id = person;
END $$;
