-- Refuses values that are sealed under a master key that a rotation has replaced, or under a workspace key
-- that is not stored. The lock lasts until the end of the transaction, so a rotation waits for writes in
-- progress.
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
  -- Values that begin with byte 3 are sealed under a workspace key.
  IF EXISTS (SELECT FROM unnest(sealed) s WHERE substring(s for 1) = '\x03'
      AND NOT EXISTS (SELECT FROM workspace_keys WHERE key_id = substring(s from 2 for 8))) THEN
    RAISE EXCEPTION 'the value is sealed under a key that is not stored';
  END IF;
END $$;
