-- Records heartbeats of members. Sets a member to online who is offline, unless the member chose to be
-- offline.
--
-- Locks: users.
-- Events: user.status_changed, user.presence_changed, user.updated.
-- Returns: void
CREATE OR REPLACE FUNCTION record_presence_heartbeat(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  u users;
  before jsonb;
BEGIN
  -- An UPDATE locks rows in the order of its scan. Two processes could wait for each other.
  PERFORM 1 FROM users WHERE id = ANY (ids) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE;
  UPDATE users SET last_seen_at = now() WHERE id = ANY (ids) AND deleted_at IS NULL
    AND (presence <> 'offline' OR presence_set);
  FOR u IN SELECT * FROM users WHERE id = ANY (ids) AND deleted_at IS NULL AND presence = 'offline'
    AND NOT presence_set
    ORDER BY id FOR NO KEY UPDATE
  LOOP
    before := user_record(u);
    UPDATE users SET presence = 'online', last_seen_at = now(), updated_at = now() WHERE id = u.id
    RETURNING * INTO u;
    PERFORM announce_user(u, before);
  END LOOP;
END $$;
