-- Resumes a paused link on the request of an operator. Returns whether it was paused.
--
-- Events: conversation.link_updated.
-- Returns: boolean
CREATE OR REPLACE FUNCTION resume_link(link uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  l links;
BEGIN
  UPDATE links SET status = 'active', pause_reason = NULL, updated_at = now()
  WHERE id = link AND pause_reason IS NOT NULL AND removed_at IS NULL RETURNING * INTO l;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM announce_link(l);
  RETURN true;
END $$;
