-- Takes one of the sign-in attempts of an account at an address, or returns when the next one is available.
-- An attempt counts as failed until it is returned, so parallel attempts can't exceed the limit.
--
-- Returns: unknown
CREATE OR REPLACE FUNCTION reserve_sign_in_attempt(account_hash bytea, ip_address text, max_attempts int,
  period interval)
  RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  recent timestamptz[];
  taken timestamptz;
BEGIN
  INSERT INTO sign_in_failures AS f (account, address) VALUES (account_hash, ip_address)
  ON CONFLICT (account, address) DO UPDATE
    SET failed_at = ARRAY(SELECT t FROM unnest(f.failed_at) AS t WHERE t > now() - period ORDER BY t)
  RETURNING failed_at INTO recent;
  IF cardinality(recent) >= max_attempts THEN
    RETURN json_build_object('free_at',
      extract(epoch FROM recent[cardinality(recent) - max_attempts + 1] + period));
  END IF;
  taken := clock_timestamp();
  UPDATE sign_in_failures SET failed_at = recent || taken
  WHERE account = account_hash AND address = ip_address;
  RETURN json_build_object('taken', taken::text);
END $$;
