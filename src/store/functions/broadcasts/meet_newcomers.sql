-- Contacts for a part of the addresses that a broadcast names. Several parts can be met at the same time, by
-- as many connections, before the audience is frozen, which does what is left.
--
-- Events: user.created.
-- Returns: void
CREATE OR REPLACE FUNCTION meet_newcomers(broadcast uuid, first int, before int) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = broadcast AND status = 'preparing';
  IF FOUND THEN PERFORM named_recipients(b, first, before); END IF;
END $$;
