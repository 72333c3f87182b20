-- Workspaces: each live one has a test workspace, whose users mirror those of the live one.

CREATE FUNCTION create_workspace(workspace uuid, named text) RETURNS workspaces LANGUAGE plpgsql AS $$
DECLARE
  w workspaces;
BEGIN
  INSERT INTO workspaces (id, name) VALUES (workspace, named) RETURNING * INTO w;
  INSERT INTO workspaces (id, name, live_workspace_id) VALUES (uuid7(), named || ' (test)', w.id);
  RETURN w;
END $$;

-- The user of the test workspace who stands for a live one; made when first needed.
CREATE FUNCTION test_user(live_user uuid) RETURNS users LANGUAGE plpgsql AS $$
DECLARE
  u users;
  t users;
  w workspaces;
BEGIN
  SELECT * INTO u FROM users WHERE id = live_user FOR UPDATE;
  SELECT * INTO w FROM workspaces WHERE live_workspace_id = u.workspace_id;
  SELECT * INTO t FROM users WHERE live_user_id = u.id;
  IF NOT FOUND THEN
    INSERT INTO users (id, workspace_id, live_user_id, kind, role, username, display_name, email, locale, timezone)
    SELECT uuid7(), w.id, u.id, u.kind, u.role, free_username(w.id, u.username), u.display_name, u.email, u.locale, u.timezone
    RETURNING * INTO t;
    INSERT INTO connections (id, workspace_id, platform, name, status, health, settings, created_by)
    SELECT uuid7(), w.id, 'sandbox', 'Sandbox', 'connecting',
      jsonb_build_object('code', 'connecting', 'message', 'Connecting.', 'fix', NULL, 'since', wire_time(now())),
      '{"api_base_url":"https://sandbox.invalid","ingress":"poll","uncertain_policy":"reconcile","unlinked_chats":"create","rate_per_second":0}', t.id
    WHERE NOT EXISTS (SELECT 1 FROM connections WHERE workspace_id = w.id);
    PERFORM pg_notify('connections', '');
  END IF;
  RETURN t;
END $$;

-- Short-lived rows that nobody asks for any more, a portion of each kind. Answers how many went of the kind with the most.
CREATE FUNCTION purge_expired(portion int DEFAULT 1000) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  most int;
  went int;
BEGIN
  DELETE FROM idempotency_keys WHERE (credential_id, method, path, key) IN (
    SELECT credential_id, method, path, key FROM idempotency_keys WHERE expires_at < now() LIMIT portion FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS most = ROW_COUNT;
  DELETE FROM rate_windows WHERE (key_id, hour) IN (
    SELECT key_id, hour FROM rate_windows WHERE hour < now() - interval '2 hours' LIMIT portion);
  DELETE FROM rate_counters WHERE id IN (
    SELECT id FROM rate_counters WHERE leased_until < now() - interval '1 hour' LIMIT portion FOR UPDATE SKIP LOCKED);
  DELETE FROM rate_buckets WHERE (connection_id, key) IN (
    SELECT connection_id, key FROM rate_buckets WHERE idle_at < now() - interval '1 minute' LIMIT portion FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  most := greatest(most, went);
  -- A postponed envelope may hold the message that they wait for: an outage lasts as long as it lasts.
  DELETE FROM early_events WHERE id IN (SELECT id FROM early_events x WHERE expires_at < now()
    AND (event->>'type' = 'receipt' OR NOT EXISTS (SELECT FROM envelopes v WHERE v.status = 'pending' AND v.connection_id = x.connection_id))
    LIMIT portion FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  RETURN greatest(most, went);
END $$;
