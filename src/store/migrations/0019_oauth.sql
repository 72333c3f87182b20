-- OAuth 2.0. A grant is one approval of an app by a user, together with the code that this approval was answered with;
-- its tokens hang on it. A code is used once and a refresh token is rotated at each use, each by one compare-and-set; the
-- second use of either revokes the grant, and with it every token. Only hashes of codes and tokens are stored.

CREATE TABLE oauth_grants (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  app_id uuid NOT NULL REFERENCES oauth_apps ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users,
  scopes text[] NOT NULL,
  code_hash bytea NOT NULL UNIQUE,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  code_expires_at timestamptz(3) NOT NULL,
  code_used_at timestamptz(3),
  live_until timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN oauth_grants.live_until IS 'When its code, and once that was used its last refresh token, ends by time.';
CREATE INDEX oauth_grants_app ON oauth_grants (app_id);
CREATE INDEX oauth_grants_user ON oauth_grants (workspace_id, user_id, created_at DESC, id DESC);
CREATE INDEX oauth_grants_end ON oauth_grants (live_until);

CREATE TABLE oauth_tokens (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL REFERENCES workspaces,
  grant_id uuid NOT NULL REFERENCES oauth_grants ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
  hash bytea NOT NULL UNIQUE,
  scopes text[] NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN oauth_tokens.used_at IS 'When a refresh token was rotated. It is kept, so that a second use is noticed.';
CREATE INDEX oauth_tokens_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_end ON oauth_tokens (expires_at) WHERE kind = 'access';

CREATE FUNCTION oauth_grant_record(g oauth_grants) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', g.id, 'app', json_build_object('id', a.id, 'name', a.name, 'client_id', a.client_id),
    'scopes', to_json(g.scopes), 'expires_at', wire_time(g.live_until),
    'created_at', wire_time(g.created_at), 'updated_at', wire_time(g.updated_at))
  FROM oauth_apps a WHERE a.id = g.app_id
$$;

-- Tells every process, with the commit, that the access tokens of these grants are not what they were.
CREATE FUNCTION notify_oauth_tokens(grants uuid[]) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('credentials', id::text) FROM oauth_tokens
  WHERE grant_id = ANY (grants) AND kind = 'access' AND expires_at > now()
$$;

-- Ends a grant with all its tokens; false when it was revoked before.
CREATE FUNCTION revoke_oauth_grant(one uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE oauth_grants SET revoked_at = now(), updated_at = now() WHERE id = one AND revoked_at IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM notify_oauth_tokens(ARRAY[one]);
  RETURN true;
END $$;

-- A pair of tokens for a grant; the refresh token always has all its scopes. Idle and absolute life end the refresh token.
CREATE FUNCTION issue_oauth_tokens(one uuid, access bytea, access_scopes text[], access_life interval, refresh bytea,
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

-- Of any number of uses of a code one gets the tokens; any other ends the grant. Answers whether this one did.
CREATE FUNCTION redeem_oauth_code(code bytea, app uuid, access bytea, refresh bytea, access_life interval,
  idle_life interval, whole_life interval) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  g oauth_grants;
BEGIN
  UPDATE oauth_grants SET code_used_at = now() WHERE code_hash = code AND app_id = app AND code_used_at IS NULL
    AND code_expires_at > now() AND revoked_at IS NULL RETURNING * INTO g;
  IF FOUND THEN
    PERFORM issue_oauth_tokens(g.id, access, g.scopes, access_life, refresh, idle_life, whole_life);
    RETURN true;
  END IF;
  PERFORM revoke_oauth_grant(id) FROM oauth_grants WHERE code_hash = code AND code_used_at IS NOT NULL;
  RETURN false;
END $$;

-- The same for a refresh token.
CREATE FUNCTION rotate_oauth_token(old bytea, app uuid, access bytea, access_scopes text[], refresh bytea,
  access_life interval, idle_life interval, whole_life interval) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  used oauth_tokens;
BEGIN
  UPDATE oauth_tokens t SET used_at = now() FROM oauth_grants g WHERE t.hash = old AND t.kind = 'refresh'
    AND t.used_at IS NULL AND t.expires_at > now() AND g.id = t.grant_id AND g.app_id = app AND g.revoked_at IS NULL
  RETURNING t.* INTO used;
  IF FOUND THEN
    PERFORM issue_oauth_tokens(used.grant_id, access, access_scopes, access_life, refresh, idle_life, whole_life);
    RETURN true;
  END IF;
  PERFORM revoke_oauth_grant(grant_id) FROM oauth_tokens WHERE hash = old AND kind = 'refresh' AND used_at IS NOT NULL;
  RETURN false;
END $$;

-- What an app gives back: an access token alone, or with a refresh token the whole grant. Foreign tokens stay.
CREATE FUNCTION revoke_oauth_token(token bytea, app uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t oauth_tokens;
BEGIN
  SELECT o.* INTO t FROM oauth_tokens o JOIN oauth_grants g ON g.id = o.grant_id WHERE o.hash = token AND g.app_id = app;
  IF t.kind = 'refresh' THEN
    PERFORM revoke_oauth_grant(t.grant_id);
  ELSIF t.kind = 'access' THEN
    DELETE FROM oauth_tokens WHERE id = t.id;
    PERFORM pg_notify('credentials', t.id::text);
  END IF;
END $$;

-- Whoever changes a user or an app: no process may go on with what it remembers of them.
CREATE FUNCTION user_credentials_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'active' OR NEW.deleted_at IS NOT NULL THEN
    PERFORM revoke_oauth_grant(id) FROM oauth_grants WHERE user_id = NEW.id AND revoked_at IS NULL;
  END IF;
  PERFORM pg_notify('credentials', NEW.id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER users_credentials AFTER UPDATE OF status, role, deleted_at ON users FOR EACH ROW
  WHEN (NEW.kind <> 'contact' AND (OLD.status, OLD.role, OLD.deleted_at) IS DISTINCT FROM (NEW.status, NEW.role, NEW.deleted_at))
  EXECUTE FUNCTION user_credentials_changed();

CREATE FUNCTION oauth_app_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_oauth_tokens(ARRAY(SELECT id FROM oauth_grants WHERE app_id = OLD.id));
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER oauth_apps_credentials BEFORE UPDATE OF scopes OR DELETE ON oauth_apps FOR EACH ROW
  EXECUTE FUNCTION oauth_app_changes();

-- Access tokens go soon after their end; used codes and rotated tokens stay as long as their grant could be alive.
CREATE FUNCTION purge_oauth() RETURNS void LANGUAGE sql AS $$
  DELETE FROM oauth_tokens WHERE id IN (
    SELECT id FROM oauth_tokens WHERE kind = 'access' AND expires_at < now() - interval '1 hour' LIMIT 1000);
  DELETE FROM oauth_grants WHERE id IN (
    SELECT id FROM oauth_grants WHERE live_until < now() - interval '1 day' LIMIT 100);
$$;
