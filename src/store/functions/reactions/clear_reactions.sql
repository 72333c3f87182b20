-- Applies the removal of reactions by a moderator on a platform: all reactions of a message, or those with
-- one emoji. Removes the reactions that were made in this chat. Copies of other reactions count as removed
-- in this chat and are not added again.
--
-- Locks: messages.
-- Returns: void
CREATE OR REPLACE FUNCTION clear_reactions(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l links := find_original_link(n, e);
  bare text := replace(e->>'emoji', chr(65039), '');
  m messages;
  gone record;
BEGIN
  IF l.id IS NULL OR l.direction = 'outbound' THEN RETURN; END IF;
  SELECT * INTO m FROM messages WHERE deleted_at IS NULL AND id = (SELECT x.message_id FROM remote_messages x
    WHERE x.connection_id = n.id AND x.external_chat_id = e->'chat'->>'id'
      AND x.external_id = e->>'messageId') FOR NO KEY UPDATE;
  -- The message was deleted. Its remote id is still stored.
  IF NOT FOUND THEN RETURN; END IF;
  FOR gone IN SELECT r.user_id, r.emoji FROM reactions r WHERE r.message_id = m.id AND r.link_id = l.id
    AND (r.change_order > e->>'order') IS NOT TRUE
    AND (bare IS NULL OR replace(r.emoji, chr(65039), '') = bare) ORDER BY r.created_at
  LOOP
    PERFORM remove_reaction(m, gone.user_id, gone.emoji, n.platform);
  END LOOP;
  -- After the loop, in which the removal of a reaction may want the copy of another one with the same emoji.
  UPDATE reaction_copies SET wanted = false, shown = false, next_attempt_at = NULL
  WHERE message_id = m.id AND link_id = l.id
    AND (bare IS NULL OR replace(emoji, chr(65039), '') = bare);
END $$;
