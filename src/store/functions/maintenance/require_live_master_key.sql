-- Refuses values that are sealed under a master key that a rotation has replaced, or under the key of a
-- workspace that is not stored. The lock lasts until the end of the transaction: a rotation waits for what is
-- being written.
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
  -- What begins with 3 is sealed under the key of a workspace.
  IF EXISTS (SELECT FROM unnest(sealed) s WHERE substring(s for 1) = '\x03'
      AND NOT EXISTS (SELECT FROM workspace_keys WHERE key_id = substring(s from 2 for 8))) THEN
    RAISE EXCEPTION 'the value is sealed under a key that is not stored';
  END IF;
END $$;
