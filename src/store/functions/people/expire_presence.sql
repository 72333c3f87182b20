-- Sets members without a heartbeat in the last minute to offline.
--
-- Locks: users.
-- Events: user.status_changed, user.presence_changed, user.updated.
-- Returns: void
CREATE OR REPLACE FUNCTION expire_presence() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  u users;
  before jsonb;
BEGIN
  FOR u IN SELECT * FROM users WHERE presence <> 'offline' AND NOT presence_set
    AND last_seen_at < now() - interval '60 seconds'
    ORDER BY id LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    before := user_record(u);
    UPDATE users SET presence = 'offline', updated_at = now() WHERE id = u.id RETURNING * INTO u;
    PERFORM announce_user(u, before);
  END LOOP;
END $$;
