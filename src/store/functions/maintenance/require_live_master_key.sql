-- Refuses values that are sealed under a master key that a rotation has replaced. The lock lasts until the
-- end of the transaction: a rotation waits for what is being written.
--
-- Locks: installation.
-- Returns: void
CREATE OR REPLACE FUNCTION require_live_master_key(sealed bytea[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  used bytea[] := ARRAY(SELECT substring(s from 2 for 8) FROM unnest(sealed) s WHERE s IS NOT NULL);
BEGIN
  IF used = '{}' THEN RETURN; END IF;
  PERFORM FROM installation FOR SHARE;
  IF EXISTS (SELECT FROM installation WHERE retired_master_keys && used) THEN
    RAISE EXCEPTION 'the value is sealed under a former master key';
  END IF;
END $$;
