-- Exchanges a refresh token for a new pair of tokens, once. A second use of the same token revokes the grant,
-- and with it every token.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION rotate_oauth_token(old bytea, app uuid, access bytea, access_scopes text[],
  refresh bytea,
  access_life interval, idle_life interval, whole_life interval) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  used oauth_tokens;
BEGIN
  UPDATE oauth_tokens t SET used_at = now() FROM oauth_grants g WHERE t.hash = old AND t.kind = 'refresh'
    AND t.used_at IS NULL AND t.expires_at > now() AND g.id = t.grant_id AND g.app_id = app
    AND g.revoked_at IS NULL
  RETURNING t.* INTO used;
  IF FOUND THEN
    PERFORM issue_oauth_tokens(used.grant_id, access, access_scopes, access_life, refresh,
      idle_life, whole_life);
    RETURN true;
  END IF;
  PERFORM revoke_oauth_grant(grant_id) FROM oauth_tokens
  WHERE hash = old AND kind = 'refresh' AND used_at IS NOT NULL;
  RETURN false;
END $$;
