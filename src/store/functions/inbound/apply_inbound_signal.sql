-- Applies reactions, typing and membership from platforms. Ignores our own actions, chats that accept no
-- inbound messages, blocked people, and reactions of other bots.
--
-- Locks: parked_events, messages, users, links, connections, broadcasts, conversations, an advisory lock.
-- Events: user.status_changed, user.presence_changed, user.updated, conversation.link_updated, user.created,
--   delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent, message.delivered,
--   message.read, message.failed, broadcast.canceled, broadcast.completed, user.opted_out, user.opted_in,
--   message.deleted, conversation.participant_added, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.participant_removed.
-- Returns: void

-- Stores a removal that names only the reaction, so that the reaction has no effect if it arrives later.
CREATE OR REPLACE FUNCTION apply_reaction_removal(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  named jsonb := e || jsonb_build_object('messageId', reaction_key(e->>'reactionId'));
BEGIN
  IF remove_reaction_by_id(n, e) THEN PERFORM record_applied_removal(n, named);
  ELSIF NOT is_known_message(n, e->'chat'->>'id', e->>'reactionId') THEN
    PERFORM park_message_change(n, named);
  END IF;
END $$;

-- Breaks the links of a chat or thread if the account was removed from it or the chat is gone. Restores them
-- if the account was added again.
CREATE OR REPLACE FUNCTION apply_access_change(n connections, chat jsonb, change text) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  link uuid;
BEGIN
  FOR link IN SELECT l.id FROM links l WHERE l.connection_id = n.id AND l.external_id = chat->>'id'
    AND l.removed_at IS NULL
    AND (chat->>'threadId' IS NULL OR l.external_thread_id = chat->>'threadId') ORDER BY l.id
  LOOP
    IF change = 'left' THEN PERFORM mark_link_broken(link); ELSE PERFORM restore_link(link); END IF;
  END LOOP;
END $$;

-- Stores an applied removal, so that an older addition has no effect when it arrives.
CREATE OR REPLACE FUNCTION record_applied_removal(n connections, e jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT park_event(n, e->'chat'->>'id', e->>'messageId', e - 'redeliveryS', false, parked_event_lifetime(e))
$$;

-- Applies the report that a moderator removed reactions.
CREATE OR REPLACE FUNCTION apply_cleared_reactions(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT is_authorized(e, NULL) THEN PERFORM increment_inbound_counter('refused'); RETURN; END IF;
  IF NOT is_known_message(n, e->'chat'->>'id', e->>'messageId') THEN
    PERFORM park_message_change(n, e);
    RETURN;
  END IF;
  PERFORM clear_reactions(n, e);
  PERFORM record_applied_removal(n, e);
END $$;

CREATE OR REPLACE FUNCTION apply_inbound_signal(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l links;
  u users;
  who jsonb := coalesce(e->'sender', e->'user');
BEGIN
  IF e->>'type' = 'reactions_cleared' THEN PERFORM apply_cleared_reactions(n, e); END IF;
  IF e->>'type' = 'membership' AND (e->>'self')::boolean THEN
    PERFORM apply_access_change(n, e->'chat', e->>'change');
  END IF;
  IF e->>'type' NOT IN ('reaction', 'typing', 'membership') OR coalesce((e->>'echo')::boolean, false)
    OR coalesce((e->>'self')::boolean, false)
    OR (e->>'type' <> 'membership' AND is_unrelayed_bot(n, who)) THEN RETURN; END IF;
  IF e->>'type' = 'reaction' THEN
    IF e ? 'messageId' THEN PERFORM apply_inbound_reaction(n, e);
    ELSE PERFORM apply_reaction_removal(n, e); END IF;
    RETURN;
  END IF;
  l := find_link(n.id, e->'chat');
  IF l.id IS NULL OR l.direction = 'outbound' THEN RETURN; END IF;
  u := find_or_create_sender(n, who);
  IF u.status = 'blocked' THEN RETURN; END IF;
  IF e->>'type' = 'membership' THEN PERFORM apply_membership_change(l, u, e->>'change', e->>'order');
  ELSE PERFORM relay_typing(c, u.id, e->>'state', n.platform, l.id) FROM conversations c
    WHERE c.id = l.conversation_id; END IF;
END $$;
