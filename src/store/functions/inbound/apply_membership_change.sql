-- Applies that a person has joined or left a linked group chat. `event_order`: the position of this event
-- among the person's joins and leaves.
--
-- Locks: conversations.
-- Events: conversation.participant_added, conversation.participant_removed.
-- Returns: void
CREATE OR REPLACE FUNCTION apply_membership_change(l links, u users, change text, event_order text)
  RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
BEGIN
  SELECT * INTO c FROM conversations WHERE id = l.conversation_id FOR NO KEY UPDATE;
  IF c.type = 'direct' OR EXISTS (SELECT FROM participants p
    WHERE p.conversation_id = c.id AND p.user_id = u.id AND p.change_order > event_order) THEN
    RETURN;
  END IF;
  UPDATE participants SET change_order = event_order WHERE conversation_id = c.id AND user_id = u.id;
  IF change = 'joined' THEN
    INSERT INTO participants (conversation_id, user_id, workspace_id, role, change_order)
    VALUES (c.id, u.id, c.workspace_id, default_role(u.kind), event_order)
    ON CONFLICT (conversation_id, user_id) DO UPDATE SET joined_at = now(), left_at = NULL
    WHERE participants.left_at IS NOT NULL;
  ELSE
    UPDATE participants SET left_at = now() WHERE conversation_id = c.id AND user_id = u.id
      AND left_at IS NULL;
  END IF;
  IF FOUND THEN
    PERFORM announce_conversation_change(c, CASE change WHEN 'joined' THEN 'conversation.participant_added'
      ELSE 'conversation.participant_removed' END, json_build_object('user_id', u.id));
  END IF;
END $$;
