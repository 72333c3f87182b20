-- Pauses the link of a chat in a message loop. Returns {"link_id", "conversation_id"}, or null.
--
-- Events: conversation.link_updated.
-- Arguments: chat: RemoteChat
-- Returns: PausedLink | null

-- The number of hops of a text through a conversation within two minutes. A message is one hop after an
-- earlier one if its text ends the earlier one's words, with the name that the bridge puts in front of
-- copies. In a loop the same account returns in the same chat each time. People who quote each other add
-- their own words after the quote.
CREATE OR REPLACE FUNCTION max_hops(conversation uuid) RETURNS int LANGUAGE plpgsql STABLE AS $$
DECLARE
  texts text[];
  copies text[];
  ways text[];
  hops int[] := '{}';
  highest int := 0;
BEGIN
  SELECT array_agg(rtrim(m.text) ORDER BY m.created_at, m.id),
    array_agg(m.sender_id || ' ' || (m.origin->>'link_id') ORDER BY m.created_at, m.id),
    array_agg(CASE WHEN m.was_sent THEN u.display_name || ': ' || rtrim(m.text) END
    ORDER BY m.created_at, m.id)
  INTO texts, ways, copies
    FROM (SELECT x.*, EXISTS (SELECT FROM deliveries d
      WHERE d.message_id = x.id AND d.status IN ('sent', 'delivered', 'read')) AS was_sent
    FROM messages x WHERE x.conversation_id = conversation AND x.created_at > now() - interval '2 minutes'
      AND x.direction = 'inbound'
      AND x.text <> '' AND x.deleted_at IS NULL ORDER BY x.created_at DESC, x.id DESC LIMIT 128) m
        JOIN users u ON u.id = m.sender_id;
  FOR later IN 1 .. coalesce(cardinality(texts), 0) LOOP
    hops[later] := 0;
    FOR earlier IN 1 .. later - 1 LOOP
      IF right(texts[later], length(copies[earlier])) = copies[earlier]
        AND (hops[earlier] = 0 OR ways[earlier] = ways[later]) THEN
        hops[later] := greatest(hops[later], hops[earlier] + 1);
      END IF;
    END LOOP;
    highest := greatest(highest, hops[later]);
  END LOOP;
  RETURN highest;
END $$;

-- How often one account has sent the same text through a link within ten minutes. Without name prefixes there
-- is no other sign of a loop, so the limit is a number that no person reaches.
CREATE OR REPLACE FUNCTION max_repeats(l links) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(max(r.times), 0) FROM (SELECT count(*) AS times FROM (
      SELECT x.sender_id, x.text FROM messages x WHERE x.conversation_id = l.conversation_id
        AND x.created_at > now() - interval '10 minutes'
        AND x.direction = 'inbound' AND x.text <> '' AND x.deleted_at IS NULL
        AND (x.origin->>'link_id')::uuid = l.id
      ORDER BY x.created_at DESC, x.id DESC LIMIT 1000) m GROUP BY m.sender_id, m.text) r
  WHERE EXISTS (SELECT FROM links k WHERE k.conversation_id = l.conversation_id AND k.id <> l.id
    AND can_send_to_link(k) AND k.attribution <> 'prefix')
$$;

CREATE OR REPLACE FUNCTION pause_loop(connection uuid, chat jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  l links := find_link(connection, chat);
BEGIN
  IF l.id IS NULL OR l.status <> 'active' OR (max_hops(l.conversation_id) < 5 AND max_repeats(l) < 100) THEN
    RETURN NULL;
  END IF;
  UPDATE links SET status = 'broken', pause_reason = 'loop', updated_at = now()
  WHERE id = l.id AND status = 'active' AND removed_at IS NULL
  RETURNING * INTO l;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM announce_link(l, 'loop');
  RETURN json_build_object('link_id', l.id, 'conversation_id', l.conversation_id);
END $$;
