-- People at the dashboard: sessions, invitations, throttled sign-ins; and what owners and admins look after there: members,
-- API keys, OAuth apps, the workspace.

-- Somebody may be a member of several workspaces, in each with a password of its own: whoever invites an address sees the
-- link, so that a shared password would let them into the other workspaces of that address.
DROP INDEX users_login;
CREATE UNIQUE INDEX users_login ON users (lower(email), workspace_id) WHERE password_hash IS NOT NULL AND deleted_at IS NULL;

ALTER TABLE users ADD COLUMN live_user_id uuid REFERENCES users;
COMMENT ON COLUMN users.live_user_id IS 'Set in a test workspace: the live user this one stands for.';
CREATE UNIQUE INDEX users_counterpart ON users (live_user_id) WHERE live_user_id IS NOT NULL;

-- The name itself, or one like it that nobody has.
CREATE FUNCTION free_username(workspace uuid, wanted text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  named text := wanted;
BEGIN
  WHILE EXISTS (SELECT FROM users WHERE workspace_id = workspace AND username = named AND deleted_at IS NULL) LOOP
    named := left(wanted, 57) || '_' || substr(md5(random()::text), 1, 6);
  END LOOP;
  RETURN named;
END $$;

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL REFERENCES workspaces,
  user_id uuid NOT NULL REFERENCES users,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
COMMENT ON COLUMN sessions.token_hash IS 'SHA-256 of the whole token. A session that was ended has no row.';
CREATE INDEX sessions_user ON sessions (user_id, created_at DESC);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE invitations (
  user_id uuid PRIMARY KEY REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  token_hash bytea NOT NULL UNIQUE,
  created_by uuid NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE invitations IS 'Of members who are invited; gone once one is accepted.';
CREATE INDEX invitations_expiry ON invitations (expires_at);

CREATE TABLE sign_in_failures (
  account bytea NOT NULL,
  address text NOT NULL,
  failed_at timestamptz[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (account, address)
);
COMMENT ON TABLE sign_in_failures IS 'Who signs in is not known yet, so that these rows belong to no workspace.';
COMMENT ON COLUMN sign_in_failures.account IS 'SHA-256 of the e-mail address in lower case, which may be anybody''s.';

CREATE TABLE oauth_apps (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('public', 'confidential')),
  redirect_uris text[] NOT NULL,
  scopes text[] NOT NULL,
  client_id uuid NOT NULL UNIQUE,
  client_secret_hash bytea,
  secret_hint text,
  created_by uuid NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN oauth_apps.client_secret_hash IS 'SHA-256 of the whole secret; null for public apps.';
CREATE INDEX oauth_apps_list ON oauth_apps (workspace_id, created_at DESC, id DESC);

-- Records.

CREATE FUNCTION workspace_record(w workspaces) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', w.id, 'name', w.name, 'plan', w.plan, 'opt_out_keywords', w.opt_out_keywords,
    'test_workspace_id', (SELECT t.id FROM workspaces t WHERE t.live_workspace_id = w.id))
$$;

CREATE FUNCTION member_record(u users) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', u.id, 'user', user_record(u), 'role', u.role,
    'created_at', wire_time(u.created_at), 'updated_at', wire_time(u.updated_at))
$$;

-- Of a test key the live user is shown, as it was asked for.
CREATE FUNCTION api_key_record(k api_keys) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', k.id, 'name', k.name, 'environment', k.environment, 'scopes', k.scopes,
    'rate_limit', k.rate_limit, 'ip_allowlist', k.ip_allowlist,
    'user_id', coalesce((SELECT u.live_user_id FROM users u WHERE u.id = k.user_id), k.user_id), 'hint', k.hint,
    'expires_at', wire_time(k.expires_at), 'last_used_at', wire_time(k.last_used_at),
    'revoked_at', wire_time(k.revoked_at),
    'created_at', wire_time(k.created_at), 'updated_at', wire_time(k.updated_at))
$$;

-- client_secret is filled in by whoever may show it.
CREATE FUNCTION oauth_app_record(a oauth_apps) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', a.id, 'name', a.name, 'type', a.type, 'redirect_uris', a.redirect_uris,
    'scopes', a.scopes, 'client_id', a.client_id, 'client_secret', NULL,
    'created_at', wire_time(a.created_at), 'updated_at', wire_time(a.updated_at))
$$;

CREATE FUNCTION json_texts(list jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT jsonb_array_elements_text(list))
$$;

-- Sessions.

-- Starts a session in place of the one the browser had, if any; not when the password has changed since it was compared,
-- with the hash `proven`. A user has up to `most` sessions, the newest.
CREATE FUNCTION open_session(person uuid, proven text, token bytea, replaced bytea, lifetime interval, most int) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM users WHERE id = person AND password_hash = proven FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE token_hash = replaced));
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE user_id = person ORDER BY created_at DESC, id DESC OFFSET most - 1));
  INSERT INTO sessions (workspace_id, user_id, token_hash, expires_at)
  SELECT workspace_id, id, token, now() + lifetime FROM users WHERE id = person;
END $$;

-- The notification is sent with the commit, for what was opened with the session.
CREATE FUNCTION end_sessions(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  WITH ended AS (DELETE FROM sessions WHERE id = ANY (ids) RETURNING id)
  SELECT pg_notify('credentials', id::text) FROM ended
$$;

-- Ends everything that acts for a user, also in the test workspace: keys are revoked, sessions ended.
CREATE FUNCTION revoke_credentials(person uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  people uuid[] := ARRAY(SELECT id FROM users WHERE id = person OR live_user_id = person);
BEGIN
  UPDATE api_keys SET revoked_at = now(), updated_at = now() WHERE user_id = ANY (people) AND revoked_at IS NULL;
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE user_id = ANY (people)));
  PERFORM pg_notify('credentials', id::text) FROM unnest(people) AS id;
END $$;

-- A new password ends the sessions that the old one opened. Answers how many accounts have the address.
CREATE FUNCTION set_passwords(address text, hash text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  people uuid[];
BEGIN
  WITH changed AS (
    UPDATE users SET password_hash = hash, updated_at = now()
    WHERE lower(email) = lower(address) AND kind = 'member' AND password_hash IS NOT NULL AND deleted_at IS NULL RETURNING id
  ) SELECT array_agg(id) INTO people FROM changed;
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE user_id = ANY (people)));
  RETURN coalesce(cardinality(people), 0);
END $$;

-- Takes one of the tries that an account has at an address, or says when the next one comes free. A try counts as failed
-- until it is given back; so parallel ones can't be more than allowed.
CREATE FUNCTION take_sign_in_try(who bytea, origin text, allowed int, span interval) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  recent timestamptz[];
  taken timestamptz;
BEGIN
  INSERT INTO sign_in_failures AS f (account, address) VALUES (who, origin)
  ON CONFLICT (account, address) DO UPDATE
    SET failed_at = ARRAY(SELECT t FROM unnest(f.failed_at) AS t WHERE t > now() - span ORDER BY t)
  RETURNING failed_at INTO recent;
  IF cardinality(recent) >= allowed THEN
    RETURN json_build_object('free_at', extract(epoch FROM recent[cardinality(recent) - allowed + 1] + span));
  END IF;
  taken := clock_timestamp();
  UPDATE sign_in_failures SET failed_at = recent || taken WHERE account = who AND address = origin;
  RETURN json_build_object('taken', taken::text);
END $$;

CREATE FUNCTION give_back_sign_in_try(who bytea, origin text, taken timestamptz) RETURNS void LANGUAGE sql AS $$
  UPDATE sign_in_failures SET failed_at = array_remove(failed_at, taken) WHERE account = who AND address = origin
$$;

-- Rows of sessions, invitations and failures whose time is over. In portions, so that no run takes long.
CREATE FUNCTION purge_sign_ins(idle interval, span interval) RETURNS void LANGUAGE sql AS $$
  DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at < now() OR last_seen_at < now() - idle LIMIT 1000);
  DELETE FROM invitations WHERE user_id IN (SELECT user_id FROM invitations WHERE expires_at < now() LIMIT 1000);
  DELETE FROM sign_in_failures WHERE (account, address) IN (
    SELECT account, address FROM sign_in_failures WHERE NOT EXISTS (SELECT FROM unnest(failed_at) AS t WHERE t > now() - span)
    LIMIT 1000);
$$;

-- Members. Changes of who may do what in a workspace happen one at a time: they lock its row first.

CREATE FUNCTION find_member(workspace uuid, person uuid) RETURNS users LANGUAGE plpgsql AS $$
DECLARE
  u users;
BEGIN
  PERFORM 1 FROM workspaces WHERE id = workspace FOR NO KEY UPDATE;
  SELECT * INTO u FROM users WHERE id = person AND workspace_id = workspace AND role IS NOT NULL AND deleted_at IS NULL
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN u;
END $$;

-- Without an owner who can sign in, nobody could make another one.
CREATE FUNCTION refuse_without_owner(u users) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF u.kind = 'member' AND u.role = 'owner' AND u.status = 'active' AND NOT EXISTS (SELECT FROM users o
    WHERE o.workspace_id = u.workspace_id AND o.kind = 'member' AND o.role = 'owner' AND o.status = 'active'
      AND o.deleted_at IS NULL AND o.id <> u.id)
  THEN PERFORM refuse('{"problem":"last_owner"}'); END IF;
END $$;

-- {"workspace_id", "id", "kind", "role", "email", "username" (or null: made of "suggested"), "suggested", "display_name",
-- "created_by", "token_hash" and "days" of the invitation}
CREATE FUNCTION create_member(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid := (input->>'workspace_id')::uuid;
  known uuid;
  u users;
BEGIN
  PERFORM 1 FROM workspaces WHERE id = workspace FOR NO KEY UPDATE;
  SELECT id INTO known FROM users WHERE workspace_id = workspace AND kind = 'member' AND input->>'kind' = 'member'
    AND lower(email) = lower(input->>'email') AND deleted_at IS NULL;
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'already_exists', 'id', known)); END IF;
  LOOP
    INSERT INTO users (id, workspace_id, kind, status, role, username, display_name, email)
    VALUES ((input->>'id')::uuid, workspace, input->>'kind', CASE input->>'kind' WHEN 'bot' THEN 'active' ELSE 'invited' END,
      input->>'role', coalesce(input->>'username', free_username(workspace, input->>'suggested')), input->>'display_name',
      input->>'email')
    ON CONFLICT (workspace_id, username) WHERE deleted_at IS NULL DO NOTHING RETURNING * INTO u;
    EXIT WHEN FOUND;
    IF input->>'username' IS NOT NULL THEN PERFORM refuse_username(workspace, input->>'username'); END IF;
  END LOOP;
  IF u.kind = 'member' THEN
    INSERT INTO invitations (user_id, workspace_id, token_hash, created_by, expires_at)
    VALUES (u.id, workspace, decode(input->>'token_hash', 'base64'), (input->>'created_by')::uuid,
      now() + make_interval(days => (input->>'days')::int));
  END IF;
  INSERT INTO events (workspace_id, type, data) VALUES (workspace, 'user.created', user_record(u));
  RETURN json_build_object('record', member_record(u));
END $$;

-- {"workspace_id", "id", "role" or absent, "status" or absent}. Who stands for them in the test workspace follows.
CREATE FUNCTION change_member(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users := find_member((input->>'workspace_id')::uuid, (input->>'id')::uuid);
  before jsonb := user_record(u);
  was text := u.role;
  t users;
  as_role text := coalesce(input->>'role', u.role);
  as_status text := coalesce(input->>'status', u.status);
BEGIN
  IF input ? 'status' AND u.status NOT IN ('active', 'suspended') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', u.status));
  END IF;
  IF as_role <> 'owner' OR as_status <> 'active' THEN PERFORM refuse_without_owner(u); END IF;
  IF (as_role, as_status) IS DISTINCT FROM (u.role, u.status) THEN
    UPDATE users SET role = as_role, status = as_status, updated_at = now() WHERE id = u.id RETURNING * INTO u;
    PERFORM announce_user(u, before);
    -- The role stands in no user's record, but the time of its change does.
    IF as_role <> was THEN
      INSERT INTO events (workspace_id, type, data, extra) VALUES (u.workspace_id, 'user.updated', user_record(u), '{"previous":{}}');
    END IF;
    FOR t IN SELECT * FROM users WHERE live_user_id = u.id AND deleted_at IS NULL FOR NO KEY UPDATE LOOP
      before := user_record(t);
      UPDATE users SET role = as_role, status = as_status, updated_at = now() WHERE id = t.id RETURNING * INTO t;
      PERFORM announce_user(t, before);
    END LOOP;
    IF u.status = 'suspended' THEN PERFORM revoke_credentials(u.id); END IF;
  END IF;
  RETURN json_build_object('record', member_record(u));
END $$;

-- Takes a user out of every conversation, also as its assignee. Locks: the conversations by id, then their live calls.
CREATE FUNCTION leave_conversations(person uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  n conversations;
BEGIN
  FOR c IN SELECT * FROM conversations WHERE deleted_at IS NULL AND id IN (
      SELECT conversation_id FROM participants WHERE user_id = person AND left_at IS NULL
      UNION SELECT a.id FROM users u JOIN conversations a ON a.workspace_id = u.workspace_id AND a.assignee_id = u.id
        AND a.deleted_at IS NULL WHERE u.id = person)
    ORDER BY id FOR NO KEY UPDATE
  LOOP
    n := c;
    IF c.assignee_id = person THEN
      n.assignee_id := NULL;
      n := store_conversation(c, n);
    END IF;
    UPDATE participants SET left_at = now() WHERE conversation_id = c.id AND user_id = person AND left_at IS NULL;
    IF FOUND THEN
      PERFORM announce_member(n, 'conversation.participant_removed', json_build_object('user_id', person));
    END IF;
  END LOOP;
END $$;

-- Erases a member: what they wrote stays, under an id that says nothing any more.
CREATE FUNCTION remove_member(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users := find_member((input->>'workspace_id')::uuid, (input->>'id')::uuid);
BEGIN
  PERFORM refuse_without_owner(u);
  PERFORM revoke_credentials(u.id);
  DELETE FROM invitations WHERE user_id = u.id;
  PERFORM leave_conversations(p.id) FROM (SELECT id FROM users WHERE (id = u.id OR live_user_id = u.id) AND deleted_at IS NULL
    ORDER BY id FOR NO KEY UPDATE) p;
  PERFORM begin_erasure(p, '{}') FROM users p WHERE (p.id = u.id OR p.live_user_id = u.id) AND p.deleted_at IS NULL;
  DELETE FROM identities WHERE user_id IN (SELECT id FROM users WHERE id = u.id OR live_user_id = u.id);
  WITH erased AS (
    UPDATE users SET status = 'deleted', role = NULL, operator = false, username = 'deleted_' || replace(id::text, '-', ''),
      display_name = 'Deleted user', email = '', password_hash = NULL, profile_image = NULL, presence = 'offline',
      last_seen_at = NULL, phone = NULL, locale = NULL, timezone = NULL, channel_priority = '{}', metadata = '{}',
      consent = '{"marketing":"unknown","notification":"unknown","tracking":"unknown"}', updated_at = now(), deleted_at = now()
    WHERE (id = u.id OR live_user_id = u.id) AND deleted_at IS NULL RETURNING id, workspace_id, deleted_at
  )
  INSERT INTO events (workspace_id, type, data)
  SELECT workspace_id, 'user.deleted', json_build_object('id', id, 'deleted_at', wire_time(deleted_at)) FROM erased;
  RETURN json_build_object('record', NULL);
END $$;

-- {"token_hash", "password_hash", "username", "display_name"}; answers the id of who is a member now.
CREATE FUNCTION accept_invitation(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  token bytea := decode(input->>'token_hash', 'base64');
  before jsonb;
  u users;
BEGIN
  SELECT p.* INTO u FROM users p WHERE p.id = (SELECT user_id FROM invitations WHERE token_hash = token) FOR NO KEY UPDATE;
  DELETE FROM invitations WHERE token_hash = token AND expires_at > now() AND u.status = 'invited';
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  before := user_record(u);
  BEGIN
    UPDATE users SET status = 'active', password_hash = input->>'password_hash', username = input->>'username',
      display_name = input->>'display_name', updated_at = now() WHERE id = u.id RETURNING * INTO u;
  EXCEPTION WHEN unique_violation THEN
    PERFORM refuse_username(u.workspace_id, input->>'username');
  END;
  PERFORM announce_user(u, before);
  RETURN json_build_object('record', json_build_object('id', u.id));
END $$;

-- API keys.

-- {"workspace_id" and "user_id" of live, "id", "name", "environment", "scopes", "rate_limit", "ip_allowlist", "hash", "hint",
-- "expires_at", "most": keys that a workspace may have}
CREATE FUNCTION create_api_key(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  live uuid := (input->>'workspace_id')::uuid;
  u users;
  k api_keys;
BEGIN
  PERFORM 1 FROM workspaces WHERE id = live FOR NO KEY UPDATE;
  SELECT * INTO u FROM users WHERE id = (input->>'user_id')::uuid AND workspace_id = live AND kind <> 'contact'
    AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"user_id"}'); END IF;
  IF u.status <> 'active' THEN PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', u.status)); END IF;
  IF (SELECT count(*) FROM api_keys WHERE revoked_at IS NULL AND workspace_id IN (SELECT with_test_workspace(live)))
    >= (input->>'most')::int
  THEN PERFORM refuse(json_build_object('problem', 'limit_reached', 'limit', (input->>'most')::int)); END IF;
  IF input->>'environment' = 'test' THEN u := test_user(u.id); END IF;
  INSERT INTO api_keys (id, workspace_id, user_id, name, environment, scopes, rate_limit, ip_allowlist, hash, hint, expires_at)
  VALUES ((input->>'id')::uuid, u.workspace_id, u.id, input->>'name', input->>'environment', json_texts(input->'scopes'),
    (input->>'rate_limit')::int, json_texts(input->'ip_allowlist'), decode(input->>'hash', 'base64'), input->>'hint',
    (input->>'expires_at')::timestamptz)
  RETURNING * INTO k;
  RETURN json_build_object('record', api_key_record(k));
END $$;

CREATE FUNCTION with_test_workspace(live uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT live UNION ALL SELECT id FROM workspaces WHERE live_workspace_id = live
$$;

-- {"workspace_id", "id", "patch": {"name", "ip_allowlist"}}
CREATE FUNCTION change_api_key(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  k api_keys;
  named text := input->'patch'->>'name';
  addresses text[] := CASE WHEN input->'patch' ? 'ip_allowlist' THEN json_texts(input->'patch'->'ip_allowlist') END;
BEGIN
  SELECT * INTO k FROM api_keys WHERE id = (input->>'id')::uuid
    AND workspace_id IN (SELECT with_test_workspace((input->>'workspace_id')::uuid)) FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF k.revoked_at IS NOT NULL THEN PERFORM refuse('{"problem":"invalid_state","current":"revoked"}'); END IF;
  IF (coalesce(named, k.name), coalesce(addresses, k.ip_allowlist)) IS DISTINCT FROM (k.name, k.ip_allowlist) THEN
    UPDATE api_keys SET name = coalesce(named, name), ip_allowlist = coalesce(addresses, ip_allowlist), updated_at = now()
    WHERE id = k.id RETURNING * INTO k;
    PERFORM pg_notify('credentials', k.id::text);
  END IF;
  RETURN json_build_object('record', api_key_record(k));
END $$;

-- OAuth apps.

-- {"workspace_id", "id", "created_by", "name", "type", "redirect_uris", "scopes", "client_id", "secret_hash" and
-- "secret_hint" or null, "most": apps that a workspace may have}
CREATE FUNCTION create_oauth_app(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid := (input->>'workspace_id')::uuid;
  a oauth_apps;
BEGIN
  PERFORM 1 FROM workspaces WHERE id = workspace FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM oauth_apps WHERE workspace_id = workspace) >= (input->>'most')::int
  THEN PERFORM refuse(json_build_object('problem', 'limit_reached', 'limit', (input->>'most')::int)); END IF;
  INSERT INTO oauth_apps (id, workspace_id, name, type, redirect_uris, scopes, client_id, client_secret_hash, secret_hint, created_by)
  VALUES ((input->>'id')::uuid, workspace, input->>'name', input->>'type', json_texts(input->'redirect_uris'),
    json_texts(input->'scopes'), (input->>'client_id')::uuid, decode(input->>'secret_hash', 'base64'), input->>'secret_hint',
    (input->>'created_by')::uuid)
  RETURNING * INTO a;
  RETURN json_build_object('record', oauth_app_record(a));
END $$;

CREATE FUNCTION find_oauth_app(workspace uuid, app uuid) RETURNS oauth_apps LANGUAGE plpgsql AS $$
DECLARE
  a oauth_apps;
BEGIN
  SELECT * INTO a FROM oauth_apps WHERE id = app AND workspace_id = workspace FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN a;
END $$;

-- {"workspace_id", "id", "patch": {"name", "redirect_uris", "scopes"}}
CREATE FUNCTION change_oauth_app(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  a oauth_apps := find_oauth_app((input->>'workspace_id')::uuid, (input->>'id')::uuid);
  patch jsonb := input->'patch';
BEGIN
  IF NOT oauth_app_record(a)::jsonb @> (patch - 'redirect_uris' - 'scopes')
    OR json_texts(patch->'redirect_uris') <> a.redirect_uris AND patch ? 'redirect_uris'
    OR json_texts(patch->'scopes') <> a.scopes AND patch ? 'scopes'
  THEN
    UPDATE oauth_apps SET name = coalesce(patch->>'name', name), updated_at = now(),
      redirect_uris = CASE WHEN patch ? 'redirect_uris' THEN json_texts(patch->'redirect_uris') ELSE redirect_uris END,
      scopes = CASE WHEN patch ? 'scopes' THEN json_texts(patch->'scopes') ELSE scopes END
    WHERE id = a.id RETURNING * INTO a;
  END IF;
  RETURN json_build_object('record', oauth_app_record(a));
END $$;

-- {"workspace_id", "id", "secret_hash", "secret_hint"}
CREATE FUNCTION rotate_oauth_secret(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  a oauth_apps := find_oauth_app((input->>'workspace_id')::uuid, (input->>'id')::uuid);
BEGIN
  IF a.type = 'public' THEN PERFORM refuse('{"problem":"invalid_state","current":"public"}'); END IF;
  UPDATE oauth_apps SET client_secret_hash = decode(input->>'secret_hash', 'base64'), secret_hint = input->>'secret_hint',
    updated_at = now() WHERE id = a.id RETURNING * INTO a;
  RETURN json_build_object('record', oauth_app_record(a));
END $$;

-- {"workspace_id", "id", "patch": {"name", "opt_out_keywords", "plan"}}. The test workspace obeys the same keywords.
CREATE FUNCTION change_workspace(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  w workspaces;
  patch jsonb := input->'patch';
BEGIN
  SELECT * INTO w FROM workspaces WHERE id = (input->>'workspace_id')::uuid FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF NOT workspace_record(w)::jsonb @> (patch - 'opt_out_keywords')
    OR json_texts(patch->'opt_out_keywords') <> w.opt_out_keywords AND patch ? 'opt_out_keywords'
  THEN
    UPDATE workspaces SET name = coalesce(patch->>'name', name), plan = coalesce(patch->>'plan', plan), updated_at = now(),
      opt_out_keywords = CASE WHEN patch ? 'opt_out_keywords' THEN json_texts(patch->'opt_out_keywords') ELSE opt_out_keywords END
    WHERE id = w.id RETURNING * INTO w;
    UPDATE workspaces SET opt_out_keywords = w.opt_out_keywords, updated_at = now()
    WHERE live_workspace_id = w.id AND opt_out_keywords <> w.opt_out_keywords;
  END IF;
  RETURN json_build_object('record', workspace_record(w));
END $$;
