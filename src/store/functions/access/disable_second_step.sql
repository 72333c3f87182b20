-- Disables the second step of a person who has proven both steps: the password, with the hash `proven`, and a
-- code. Returns whether both were valid.
--
-- Arguments: step: number | null; code: Buffer | null
-- Returns: boolean
CREATE OR REPLACE FUNCTION disable_second_step(person uuid, proven text, step bigint, code bytea)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM users WHERE id = person AND password_hash = proven;
  IF NOT FOUND OR NOT accept_second_step(person, step, code) THEN RETURN false; END IF;
  DELETE FROM second_steps WHERE user_id = person;
  RETURN true;
END $$;
