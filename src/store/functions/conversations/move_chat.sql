-- A chat has another address from now on: links, waiting deliveries and the id map follow. `renumbered`:
-- messages are counted anew there, so that an id of the old chat would name another one; what was written in
-- that stays behind, out of reach.
--
-- Events: conversation.link_updated.
-- Returns: void

-- What was written by a link to a chat that is out of reach now: its ids there name nothing any more.
CREATE OR REPLACE FUNCTION forget_parts(link uuid, chat text) RETURNS void LANGUAGE sql AS $$
  UPDATE delivery_parts p SET external_id = NULL FROM deliveries d
  WHERE d.link_id = link AND d.external_chat_id = chat AND p.delivery_id = d.id AND p.external_id IS NOT NULL
$$;

-- Messages of a chat are counted anew, and so are its reactions.
CREATE OR REPLACE FUNCTION forget_reaction_ids(link uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE reactions SET external_id = NULL WHERE link_id = link AND external_id IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION move_chat(connection uuid, old_id text, new_id text, renumbered boolean)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l links;
BEGIN
  -- Of an old group its platform may have said that the account is no longer in it.
  FOR l IN UPDATE links SET external_id = new_id, address = NULL,
    status = CASE WHEN pause_reason IS NULL THEN 'active' ELSE status END, updated_at = now()
    WHERE connection_id = connection AND external_id = old_id AND removed_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM links o WHERE o.connection_id = connection AND o.external_id = new_id
        AND coalesce(o.external_thread_id, '') = coalesce(links.external_thread_id, '')
        AND o.removed_at IS NULL)
    RETURNING *
  LOOP
    IF renumbered THEN PERFORM forget_parts(l.id, old_id), forget_reaction_ids(l.id); END IF;
    UPDATE deliveries SET external_chat_id = new_id WHERE link_id = l.id;
    PERFORM announce_link(l);
  END LOOP;
  IF renumbered THEN
    PERFORM forget_parts(id, old_id), forget_reaction_ids(id) FROM links
    WHERE connection_id = connection AND external_id = old_id AND removed_at IS NULL;
  END IF;
  -- A link that can't follow, for another one holds the new chat, keeps its id; what it sends goes there all
  -- the same.
  UPDATE deliveries d SET external_chat_id = new_id FROM links k
  WHERE k.connection_id = connection AND k.external_id = old_id AND k.removed_at IS NULL AND d.lane = k.id
    AND d.external_chat_id <> new_id;
  -- Nobody sees these any more; what was written by them is still there, and known by its chat.
  UPDATE links SET external_id = new_id
  WHERE connection_id = connection AND external_id = old_id AND removed_at IS NOT NULL;
  UPDATE remote_messages SET external_chat_id = new_id
  WHERE NOT renumbered AND connection_id = connection AND external_chat_id = old_id
    AND NOT EXISTS (SELECT 1 FROM remote_messages o WHERE o.connection_id = connection
      AND o.external_chat_id = new_id AND o.external_id = remote_messages.external_id);
  UPDATE early_events SET external_chat_id = new_id,
    event = CASE WHEN event ? 'chat' THEN jsonb_set(event, '{chat,id}', to_jsonb(new_id)) ELSE event END
  WHERE NOT renumbered AND connection_id = connection AND external_chat_id = old_id;
END $$;
