-- Ends a grant with all its tokens. Returns false if it was already revoked.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION revoke_oauth_grant(one uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE oauth_grants SET revoked_at = now(), updated_at = now() WHERE id = one AND revoked_at IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM notify_oauth_tokens(ARRAY[one]);
  RETURN true;
END $$;
