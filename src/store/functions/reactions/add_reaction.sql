-- Adds a reaction to a locked message. Returns added, present or full. Variation selectors are ignored, and
-- an emoji that is present keeps its first form. `made` is the position of the platform's event among the
-- changes of the message. `named` is the platform's id of the reaction.
--
-- Returns: string
CREATE OR REPLACE FUNCTION add_reaction(m messages, reactor uuid, emoji text, platform text, link uuid,
  made text DEFAULT NULL, named text DEFAULT NULL) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  form text;
BEGIN
  SELECT r.emoji INTO form FROM reactions r WHERE r.message_id = m.id
    AND replace(r.emoji, chr(65039), '') = replace(add_reaction.emoji, chr(65039), '') LIMIT 1;
  IF NOT FOUND AND (SELECT count(DISTINCT r.emoji) FROM reactions r WHERE r.message_id = m.id) >= 20 THEN
    RETURN 'full';
  END IF;
  form := coalesce(form, add_reaction.emoji);
  INSERT INTO reactions (message_id, emoji, user_id, workspace_id, platform, link_id, created_at,
    change_order, external_id)
  VALUES (m.id, form, reactor, m.workspace_id, add_reaction.platform, link, clock_timestamp(), made, named)
    ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    -- The reaction was added again. A late removal of the previous one must not remove this one.
    UPDATE reactions r SET change_order = made, external_id = CASE WHEN r.link_id = link AND NOT EXISTS (
      SELECT FROM reactions o WHERE o.link_id = link AND o.external_id = named)
        THEN coalesce(named, r.external_id) ELSE r.external_id END
    WHERE r.message_id = m.id AND r.emoji = form AND r.user_id = reactor AND r.change_order < made;
    RETURN 'present';
  END IF;
  PERFORM announce_reaction(m, 'added', reactor, form, add_reaction.platform);
  PERFORM sync_reaction_copies(m, form);
  RETURN 'added';
END $$;
