-- Sets a new password on all accounts with an email address and ends their sessions. Returns the number of
-- accounts.
--
-- Returns: string
CREATE OR REPLACE FUNCTION set_passwords(address text, hash text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  people uuid[];
BEGIN
  WITH changed AS (
    UPDATE users SET password_hash = hash, updated_at = now()
    WHERE lower(email) = lower(address) AND kind = 'member'
      AND (password_hash IS NOT NULL OR status = 'active') AND deleted_at IS NULL RETURNING id
  ) SELECT array_agg(id) INTO people FROM changed;
  PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE user_id = ANY (people)));
  RETURN coalesce(cardinality(people), 0);
END $$;
