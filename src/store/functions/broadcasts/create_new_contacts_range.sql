-- Creates contacts for a part of the addresses in a broadcast. Several connections can process parts in
-- parallel before the audience is frozen. Freezing creates the rest.
--
-- Events: user.created.
-- Returns: void
CREATE OR REPLACE FUNCTION create_new_contacts_range(broadcast uuid, first int, before int) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = broadcast AND status = 'preparing';
  IF FOUND THEN PERFORM named_recipients(b, first, before); END IF;
END $$;
