-- Takes back the attempt that reserve_sign_in_attempt counted, after a successful sign-in.
--
-- Arguments: taken: string
-- Returns: void
CREATE OR REPLACE FUNCTION release_sign_in_attempt(account_hash bytea, ip_address text, taken timestamptz)
  RETURNS void
  LANGUAGE sql AS $$
  UPDATE sign_in_failures SET failed_at = array_remove(failed_at, taken)
  WHERE account = account_hash AND address = ip_address
$$;
