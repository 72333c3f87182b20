-- Applies reactions, typing and membership from platforms. Ignores our own actions, chats that accept no
-- inbound messages, blocked people, and reactions of other bots.
--
-- Locks: early_events, messages, users, links, connections, broadcasts, conversations, an advisory lock.
-- Events: user.status_changed, user.presence_changed, user.updated, conversation.link_updated, user.created,
--   delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent, message.delivered,
--   message.read, message.failed, broadcast.canceled, broadcast.completed, user.opted_out, user.opted_in,
--   message.deleted, conversation.participant_added, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.participant_removed.
-- Returns: void

-- Stores a removal that names only the reaction, so that the reaction has no effect if it arrives later.
CREATE OR REPLACE FUNCTION report_withdrawal(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  named jsonb := e || jsonb_build_object('messageId', reaction_key(e->>'reactionId'));
BEGIN
  IF withdraw_reaction(n, e) THEN PERFORM keep_change(n, named);
  ELSIF NOT is_known(n, e->'chat'->>'id', e->>'reactionId') THEN PERFORM await_message(n, named); END IF;
END $$;

-- Breaks the links of a chat or thread if the account was removed from it or the chat is gone. Restores them
-- if the account was added again.
CREATE OR REPLACE FUNCTION take_access(n connections, chat jsonb, change text) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  link uuid;
BEGIN
  FOR link IN SELECT l.id FROM links l WHERE l.connection_id = n.id AND l.external_id = chat->>'id'
    AND l.removed_at IS NULL
    AND (chat->>'threadId' IS NULL OR l.external_thread_id = chat->>'threadId') ORDER BY l.id
  LOOP
    IF change = 'left' THEN PERFORM break_link(link); ELSE PERFORM mend_link(link); END IF;
  END LOOP;
END $$;

-- Stores an applied removal, so that an older addition has no effect when it arrives.
CREATE OR REPLACE FUNCTION keep_change(n connections, e jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT keep_early(n, e->'chat'->>'id', e->>'messageId', e - 'redeliveryS', false, early_for(e))
$$;

-- Applies the report that a moderator removed reactions.
CREATE OR REPLACE FUNCTION report_cleared(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT is_authorized(e, NULL) THEN PERFORM note_inbound('refused'); RETURN; END IF;
  IF NOT is_known(n, e->'chat'->>'id', e->>'messageId') THEN PERFORM await_message(n, e); RETURN; END IF;
  PERFORM clear_reactions(n, e);
  PERFORM keep_change(n, e);
END $$;

CREATE OR REPLACE FUNCTION take_signal(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l links;
  u users;
  who jsonb := coalesce(e->'sender', e->'user');
BEGIN
  IF e->>'type' = 'reactions_cleared' THEN PERFORM report_cleared(n, e); END IF;
  IF e->>'type' = 'membership' AND (e->>'self')::boolean THEN
    PERFORM take_access(n, e->'chat', e->>'change');
  END IF;
  IF e->>'type' NOT IN ('reaction', 'typing', 'membership') OR coalesce((e->>'echo')::boolean, false)
    OR coalesce((e->>'self')::boolean, false)
    OR (e->>'type' <> 'membership' AND stays_in_chat(n, who)) THEN RETURN; END IF;
  IF e->>'type' = 'reaction' THEN
    IF e ? 'messageId' THEN PERFORM report_reaction(n, e); ELSE PERFORM report_withdrawal(n, e); END IF;
    RETURN;
  END IF;
  l := find_link(n.id, e->'chat');
  IF l.id IS NULL OR l.direction = 'outbound' THEN RETURN; END IF;
  u := meet(n, who);
  IF u.status = 'blocked' THEN RETURN; END IF;
  IF e->>'type' = 'membership' THEN PERFORM take_membership(l, u, e->>'change', e->>'order');
  ELSE PERFORM tell_typing(c, u.id, e->>'state', n.platform, l.id) FROM conversations c
    WHERE c.id = l.conversation_id; END IF;
END $$;
