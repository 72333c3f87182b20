-- Continues a call after the platform accepted the invitation to a contact.
--
-- Locks: calls.
-- Events: call.ringing.
-- Returns: trigger
CREATE OR REPLACE FUNCTION invitation_accepted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE invitation_id = NEW.id FOR NO KEY UPDATE;
  IF FOUND AND is_live_call(c) THEN PERFORM ring_call(c, ARRAY['contact']); END IF;
  RETURN NULL;
END $$;
