-- Takes one of the sign-in attempts of an account at an address, or returns when the next one is available.
-- An attempt counts as failed until it is returned, so parallel attempts can't exceed the limit.
--
-- Returns: unknown
CREATE OR REPLACE FUNCTION take_sign_in_try(who bytea, origin text, allowed int, span interval) RETURNS json
  LANGUAGE plpgsql AS $$
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
