-- Enables the second step after a code of the time step `step` has proven that the app has the secret
-- `sealed`. Returns false if the second step is already enabled, or if its setup was restarted with another
-- secret.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION enable_second_step(person uuid, sealed bytea, step bigint, codes bytea[])
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE second_steps SET enabled_at = now(), last_step = step
  WHERE user_id = person AND secret = sealed AND enabled_at IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM replace_recovery_codes(person, codes);
  RETURN true;
END $$;
