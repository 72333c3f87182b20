-- Takes one of the tries that an account has at an address, or says when the next one comes free. A try
-- counts as failed until it is given back; so parallel ones can't be more than allowed.
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
