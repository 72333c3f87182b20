-- The user of the test workspace that corresponds to a live user, created on first use.
--
-- Locks: users.
-- Returns: UserRow
CREATE OR REPLACE FUNCTION test_user(live_user uuid) RETURNS users LANGUAGE plpgsql AS $$
DECLARE
  u users;
  t users;
  w workspaces;
BEGIN
  SELECT * INTO u FROM users WHERE id = live_user FOR UPDATE;
  SELECT * INTO w FROM workspaces WHERE live_workspace_id = u.workspace_id;
  SELECT * INTO t FROM users WHERE live_user_id = u.id;
  IF NOT FOUND THEN
    INSERT INTO users (id, workspace_id, live_user_id, kind, role, username, display_name, email,
      locale, timezone, own_teams_only)
    SELECT uuid7(), w.id, u.id, u.kind, u.role, available_username(w.id, u.username), u.display_name, u.email,
      u.locale, u.timezone, u.own_teams_only
    RETURNING * INTO t;
    INSERT INTO connections (id, workspace_id, platform, name, status, health, settings, created_by)
    SELECT uuid7(), w.id, 'sandbox', 'Sandbox', 'connecting',
      jsonb_build_object('code', 'connecting', 'message', 'Connecting.', 'fix', NULL,
        'since', wire_time(now())),
      '{"api_base_url":"https://sandbox.invalid","ingress":"poll","uncertain_policy":"reconcile",'
      '"unlinked_chats":"create","rate_per_second":0}', t.id
    WHERE NOT EXISTS (SELECT 1 FROM connections WHERE workspace_id = w.id);
    PERFORM pg_notify('connections', '');
  END IF;
  RETURN t;
END $$;
