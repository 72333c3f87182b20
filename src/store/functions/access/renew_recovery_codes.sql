-- Replaces the recovery codes of a person who has proven both steps: the password, with the hash `proven`,
-- and a code, which is consumed. Returns whether both were valid.
--
-- Arguments: step: number | null; code: Buffer | null
-- Returns: boolean
CREATE OR REPLACE FUNCTION renew_recovery_codes(person uuid, proven text, step bigint, code bytea,
  codes bytea[]) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM users WHERE id = person AND password_hash = proven;
  IF NOT FOUND OR NOT accept_second_step(person, step, code) THEN RETURN false; END IF;
  PERFORM replace_recovery_codes(person, codes);
  PERFORM write_audit_log(workspace_id, 'recovery_codes.renewed', 'user', id, id, NULL)
  FROM users WHERE id = person;
  RETURN true;
END $$;
