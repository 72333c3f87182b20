-- Takes back the attempt that take_sign_in_try counted, after a successful sign-in.
--
-- Arguments: taken: string
-- Returns: void
CREATE OR REPLACE FUNCTION give_back_sign_in_try(who bytea, origin text, taken timestamptz) RETURNS void
  LANGUAGE sql AS $$
  UPDATE sign_in_failures SET failed_at = array_remove(failed_at, taken)
  WHERE account = who AND address = origin
$$;
