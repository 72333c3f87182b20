-- Revokes a token that an app returns: an access token alone, or the whole grant of a refresh token. Ignores
-- tokens of other apps.
--
-- Returns: void
CREATE OR REPLACE FUNCTION revoke_oauth_token(token bytea, app uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t oauth_tokens;
BEGIN
  SELECT o.* INTO t FROM oauth_tokens o JOIN oauth_grants g ON g.id = o.grant_id
  WHERE o.hash = token AND g.app_id = app;
  IF t.kind = 'refresh' THEN
    PERFORM revoke_oauth_grant(t.grant_id);
  ELSIF t.kind = 'access' THEN
    DELETE FROM oauth_tokens WHERE id = t.id;
    PERFORM pg_notify('credentials', t.id::text);
  END IF;
END $$;
