-- Removes a reaction by its platform id. Returns false if no reaction has that id yet.
--
-- Locks: messages.
-- Returns: boolean
CREATE OR REPLACE FUNCTION remove_reaction_by_id(n connections, e jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  r reactions := reaction_by_id(n, e);
  m messages;
  author text;
BEGIN
  IF r.message_id IS NULL THEN RETURN false; END IF;
  SELECT * INTO m FROM messages WHERE id = r.message_id AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN true; END IF;
  r := reaction_by_id(n, e);
  IF r.message_id IS DISTINCT FROM m.id
    OR EXISTS (SELECT FROM users u WHERE u.id = r.user_id AND u.status = 'blocked')
    OR EXISTS (SELECT FROM links l WHERE l.id = r.link_id AND l.direction = 'outbound')
      THEN RETURN true; END IF;
  SELECT i.external_id INTO author FROM identities i WHERE i.user_id = r.user_id AND i.platform = n.platform
    AND i.external_id = coalesce(e->'actor'->>'id', e->'sender'->>'id');
  IF is_authorized(e, coalesce(author, '')) THEN PERFORM remove_reaction(m, r.user_id, r.emoji, n.platform);
  ELSE PERFORM increment_inbound_counter('refused'); END IF;
  RETURN true;
END $$;
