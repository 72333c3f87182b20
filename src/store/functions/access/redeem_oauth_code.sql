-- Redeems an OAuth code once. The first use gets the tokens; any other use ends the grant. Returns whether
-- this use was the first.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION redeem_oauth_code(code bytea, app uuid, access bytea, refresh bytea,
  access_life interval,
  idle_life interval, whole_life interval) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  g oauth_grants;
BEGIN
  UPDATE oauth_grants SET code_used_at = now() WHERE code_hash = code AND app_id = app
    AND code_used_at IS NULL
    AND code_expires_at > now() AND revoked_at IS NULL RETURNING * INTO g;
  IF FOUND THEN
    PERFORM issue_oauth_tokens(g.id, access, g.scopes, access_life, refresh, idle_life, whole_life);
    RETURN true;
  END IF;
  PERFORM revoke_oauth_grant(id) FROM oauth_grants WHERE code_hash = code AND code_used_at IS NOT NULL;
  RETURN false;
END $$;
