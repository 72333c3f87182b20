-- Accepts a code once. The code belongs to a time step after the last accepted one, or is an unused recovery
-- code.
--
-- Arguments: step: number | null; code: Buffer | null
-- Returns: boolean
CREATE OR REPLACE FUNCTION accept_second_step(person uuid, step bigint, code bytea) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  used_in uuid;
BEGIN
  UPDATE second_steps SET last_step = step
  WHERE user_id = person AND enabled_at IS NOT NULL AND last_step < step;
  IF FOUND THEN RETURN true; END IF;
  DELETE FROM recovery_codes WHERE user_id = person AND hash = code RETURNING workspace_id INTO used_in;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM write_audit_log(used_in, 'recovery_code.used', 'user', person, person, NULL);
  RETURN true;
END $$;
