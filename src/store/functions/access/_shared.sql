-- Helpers for members and OAuth. Permission changes of a workspace are serialized: each locks the row of the
-- workspace first. An OAuth code and a refresh token can each be used once, because each use is a
-- compare-and-set. Only their hashes are stored.

-- Ends all access of a user, in the test workspace as well: revokes the keys and ends the sessions.
CREATE OR REPLACE FUNCTION revoke_credentials(person uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  people uuid[] := ARRAY(SELECT id FROM users WHERE id = person OR live_user_id = person);
BEGIN
  UPDATE api_keys SET revoked_at = now(), updated_at = now()
  WHERE user_id = ANY (people) AND revoked_at IS NULL;
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE user_id = ANY (people)));
  PERFORM pg_notify('credentials', id::text) FROM unnest(people) AS id;
END $$;

-- Returns a member of the workspace, locked. Refuses an unknown member.
CREATE OR REPLACE FUNCTION lock_member(workspace uuid, person uuid) RETURNS users LANGUAGE plpgsql AS $$
DECLARE
  u users;
BEGIN
  PERFORM 1 FROM workspaces WHERE id = workspace FOR NO KEY UPDATE;
  SELECT * INTO u FROM users WHERE id = person AND workspace_id = workspace AND role IS NOT NULL
    AND deleted_at IS NULL
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN u;
END $$;

-- Whether a member is the only owner of the workspace who can sign in.
CREATE OR REPLACE FUNCTION is_last_owner(u users) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT u.kind = 'member' AND u.role = 'owner' AND u.status = 'active' AND NOT EXISTS (SELECT FROM users o
    WHERE o.workspace_id = u.workspace_id AND o.kind = 'member' AND o.role = 'owner' AND o.status = 'active'
      AND o.deleted_at IS NULL AND o.id <> u.id)
$$;

-- A workspace needs an owner who can sign in: only an owner can appoint another owner.
CREATE OR REPLACE FUNCTION refuse_without_owner(u users) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF is_last_owner(u) THEN PERFORM refuse('{"problem":"last_owner"}'); END IF;
END $$;

-- Starts a session of a user, who is locked, and ends the previous session of the browser, if any. Only the
-- newest `max_sessions` sessions of a user are kept.
CREATE OR REPLACE FUNCTION start_member_session(person uuid, token bytea, replaced_token bytea,
  lifetime interval, max_sessions int, origin text, agent text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE token_hash = replaced_token));
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE user_id = person ORDER BY created_at DESC, id DESC
      OFFSET max_sessions - 1));
  INSERT INTO sessions (workspace_id, user_id, token_hash, expires_at, address, user_agent)
  SELECT workspace_id, id, token, now() + lifetime, origin, left(agent, 256) FROM users WHERE id = person;
END $$;

-- Returns an OAuth app of the workspace, locked. Refuses an unknown app.
CREATE OR REPLACE FUNCTION lock_oauth_app(workspace uuid, app uuid) RETURNS oauth_apps LANGUAGE plpgsql AS $$
DECLARE
  a oauth_apps;
BEGIN
  SELECT * INTO a FROM oauth_apps WHERE id = app AND workspace_id = workspace FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN a;
END $$;

-- Notifies every process at commit that the access tokens of these grants have changed.
CREATE OR REPLACE FUNCTION notify_oauth_tokens(grants uuid[]) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('credentials', id::text) FROM oauth_tokens
  WHERE grant_id = ANY (grants) AND kind = 'access' AND expires_at > now()
$$;

-- Issues a pair of tokens for a grant. The refresh token always has all scopes of the grant. An idle limit
-- and an absolute limit end the refresh token.
CREATE OR REPLACE FUNCTION issue_oauth_tokens(one uuid, access bytea, access_scopes text[],
  access_life interval, refresh bytea,
  idle_life interval, whole_life interval) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  g oauth_grants;
BEGIN
  UPDATE oauth_grants SET live_until = least(now() + idle_life, created_at + whole_life), updated_at = now()
  WHERE id = one RETURNING * INTO g;
  INSERT INTO oauth_tokens (workspace_id, grant_id, kind, hash, scopes, expires_at)
  VALUES (g.workspace_id, g.id, 'access', access, access_scopes, now() + access_life),
    (g.workspace_id, g.id, 'refresh', refresh, g.scopes, g.live_until);
END $$;

-- Replaces all recovery codes of a person.
CREATE OR REPLACE FUNCTION replace_recovery_codes(person uuid, codes bytea[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM recovery_codes WHERE user_id = person;
  INSERT INTO recovery_codes (user_id, workspace_id, hash)
  SELECT user_id, workspace_id, unnest(codes) FROM second_steps WHERE user_id = person;
$$;
