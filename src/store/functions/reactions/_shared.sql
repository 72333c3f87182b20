-- Helpers for reactions. The table reaction_copies has the wanted and the shown state of each reaction per
-- chat, and workers update platforms from it.

-- Writes an event about a reaction to a message.
CREATE OR REPLACE FUNCTION announce_reaction(m messages, what text, reactor uuid, emoji text, platform text)
  RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data)
  SELECT m.workspace_id, 'reaction.' || what, m.conversation_id, json_build_object('message_id', m.id,
    'conversation_id', m.conversation_id, 'user_id', reactor, 'emoji', emoji, 'platform', platform)
  WHERE has_subscribers(m.workspace_id)
$$;

-- Removes a user's reaction from a locked message, unless it was made after `removed`. Returns whether a
-- reaction was removed.
CREATE OR REPLACE FUNCTION remove_reaction(m messages, reactor uuid, emoji text, platform text,
  removed text DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  form text;
BEGIN
  DELETE FROM reactions r WHERE r.message_id = m.id AND r.user_id = reactor
    AND replace(r.emoji, chr(65039), '') = replace(remove_reaction.emoji, chr(65039), '')
    AND (r.change_order > removed) IS NOT TRUE RETURNING r.emoji INTO form;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM announce_reaction(m, 'removed', reactor, form, remove_reaction.platform);
  PERFORM sync_reaction_copies(m, form);
  RETURN true;
END $$;

-- The id of a message in a chat: the original in its source chat, the first part of its copy in other chats.
CREATE OR REPLACE FUNCTION remote_copy(m messages, link uuid)
  RETURNS TABLE (external_chat_id text, external_id text, external_thread_id text)
LANGUAGE sql STABLE AS $$
  SELECT r.external_chat_id, platform_id(r.external_id), r.external_thread_id
  FROM remote_messages r LEFT JOIN deliveries d ON d.id = r.delivery_id
  WHERE r.message_id = m.id AND NOT r.alias
    AND CASE WHEN r.delivery_id IS NULL THEN (m.origin->>'link_id')::uuid ELSE d.link_id END = link
  ORDER BY r.part_index LIMIT 1
$$;

-- The link of the chat in which a platform event about a message occurred. Platforms name the chat but not
-- always the thread, so a known message determines the link. For an unknown message, returns the link of its
-- chat.
CREATE OR REPLACE FUNCTION find_original_link(n connections, e jsonb) RETURNS links
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  l links;
BEGIN
  SELECT k.* INTO l FROM remote_messages x JOIN messages m ON m.id = x.message_id
    LEFT JOIN deliveries d ON d.id = x.delivery_id
  JOIN links k ON k.id = CASE WHEN x.delivery_id IS NULL THEN (m.origin->>'link_id')::uuid ELSE d.link_id END
    AND k.removed_at IS NULL
  WHERE x.connection_id = n.id AND x.external_chat_id = e->'chat'->>'id' AND x.external_id = e->>'messageId'
    AND NOT x.alias;
  IF NOT FOUND THEN l := find_link(n.id, e->'chat'); END IF;
  RETURN l;
END $$;

-- A placeholder for the message id in parked_events, for a removal that contains no message id.
CREATE OR REPLACE FUNCTION reaction_key(reaction_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT E'reaction\u001f' || reaction_id
$$;

-- The stored reaction with this platform id.
CREATE OR REPLACE FUNCTION reaction_by_id(n connections, e jsonb) RETURNS reactions LANGUAGE sql STABLE AS $$
  SELECT r FROM links l JOIN reactions r ON r.link_id = l.id AND r.external_id = e->>'reactionId'
  WHERE l.connection_id = n.id AND l.external_id = e->'chat'->>'id' AND l.removed_at IS NULL LIMIT 1
$$;

-- Whether a later removal of this reaction, by its author or a moderator, has arrived before the reaction.
CREATE OR REPLACE FUNCTION has_later_removal(n connections, e jsonb) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM parked_events x WHERE x.connection_id = n.id AND x.external_id = e->>'messageId'
    AND x.external_chat_id = e->'chat'->>'id' AND x.event->>'order' > e->>'order'
    AND coalesce(replace(x.event->>'emoji', chr(65039), '') = replace(e->>'emoji', chr(65039), ''), true)
    AND (x.event->>'type' = 'reactions_cleared'
      OR (x.event->>'change' = 'removed' AND x.event->'sender'->>'id' = e->'sender'->>'id')))
    OR (e ? 'reactionId' AND EXISTS (SELECT FROM parked_events x
        WHERE x.connection_id = n.id AND x.external_chat_id = e->'chat'->>'id'
      AND x.external_id = reaction_key(e->>'reactionId') AND is_authorized(x.event, e->'sender'->>'id')))
$$;

-- Applies a reaction of a platform to a message, unless a later removal has already arrived.
CREATE OR REPLACE FUNCTION apply_reaction(n connections, l links, reactor uuid, e jsonb, original uuid)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  m messages;
BEGIN
  SELECT * INTO m FROM messages WHERE id = original AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF e->>'change' = 'removed' THEN PERFORM remove_reaction(m, reactor, e->>'emoji', n.platform, e->>'order');
  ELSIF NOT has_later_removal(n, e) THEN
    PERFORM add_reaction(m, reactor, e->>'emoji', n.platform, l.id, e->>'order', e->>'reactionId'); END IF;
END $$;
