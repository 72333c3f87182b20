-- Turns the second step on, after a code of this time step proved that the app has the secret, which is still
-- the sealed one. Answers false when it is on already or was begun again.
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
