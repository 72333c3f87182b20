-- Marks a link as broken because the platform reports that the chat is gone or closed. Nothing is sent there
-- until a message arrives from it. Until then, the contact of a direct chat can't be reached through it.
--
-- Locks: users.
-- Events: user.status_changed, user.presence_changed, user.updated, conversation.link_updated.
-- Returns: void
CREATE OR REPLACE FUNCTION mark_link_broken(link uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  broken links;
BEGIN
  UPDATE links SET status = 'broken', updated_at = now()
  WHERE id = link AND status = 'active' AND removed_at IS NULL RETURNING * INTO broken;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM set_reachable(p.identity, false) FROM direct_chat_contact(link) p WHERE p.certain;
  PERFORM announce_link(broken);
END $$;
