-- Changes the address of a chat in its links, queued deliveries and the id map. `renumbered`: the new chat
-- numbers its messages from the start, so an id of the old chat would refer to another message. Messages from
-- before the move then lose their ids.
--
-- Events: conversation.link_updated.
-- Returns: void

-- Removes the ids of messages that were sent through a link to a chat that can no longer be reached.
CREATE OR REPLACE FUNCTION clear_part_ids(link uuid, chat text) RETURNS void LANGUAGE sql AS $$
  UPDATE delivery_parts p SET external_id = NULL FROM deliveries d
  WHERE d.link_id = link AND d.external_chat_id = chat AND p.delivery_id = d.id AND p.external_id IS NOT NULL
$$;

-- Removes the ids of reactions, which are numbered from the start as well.
CREATE OR REPLACE FUNCTION clear_reaction_ids(link uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE reactions SET external_id = NULL WHERE link_id = link AND external_id IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION move_chat(connection uuid, old_id text, new_id text, renumbered boolean)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l links;
BEGIN
  -- The platform may have reported that the account has left the old group.
  FOR l IN UPDATE links SET external_id = new_id, address = NULL,
    status = CASE WHEN pause_reason IS NULL THEN 'active' ELSE status END, updated_at = now()
    WHERE connection_id = connection AND external_id = old_id AND removed_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM links o WHERE o.connection_id = connection AND o.external_id = new_id
        AND coalesce(o.external_thread_id, '') = coalesce(links.external_thread_id, '')
        AND o.removed_at IS NULL)
    RETURNING *
  LOOP
    IF renumbered THEN PERFORM clear_part_ids(l.id, old_id), clear_reaction_ids(l.id); END IF;
    UPDATE deliveries SET external_chat_id = new_id WHERE link_id = l.id;
    PERFORM announce_link(l);
  END LOOP;
  IF renumbered THEN
    PERFORM clear_part_ids(id, old_id), clear_reaction_ids(id) FROM links
    WHERE connection_id = connection AND external_id = old_id AND removed_at IS NULL;
  END IF;
  -- A link that can't move, because another link has the new chat, keeps its id. Its messages go to the new
  -- chat as well.
  UPDATE deliveries d SET external_chat_id = new_id FROM links k
  WHERE k.connection_id = connection AND k.external_id = old_id AND k.removed_at IS NULL AND d.lane = k.id
    AND d.external_chat_id <> new_id;
  -- Removed links are not visible, but their messages still exist and are found by their chat.
  UPDATE links SET external_id = new_id
  WHERE connection_id = connection AND external_id = old_id AND removed_at IS NOT NULL;
  UPDATE remote_messages SET external_chat_id = new_id
  WHERE NOT renumbered AND connection_id = connection AND external_chat_id = old_id
    AND NOT EXISTS (SELECT 1 FROM remote_messages o WHERE o.connection_id = connection
      AND o.external_chat_id = new_id AND o.external_id = remote_messages.external_id);
  UPDATE parked_events SET external_chat_id = new_id,
    event = CASE WHEN event ? 'chat' THEN jsonb_set(event, '{chat,id}', to_jsonb(new_id)) ELSE event END
  WHERE NOT renumbered AND connection_id = connection AND external_chat_id = old_id;
END $$;
