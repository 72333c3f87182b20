-- Links a platform chat: {"id", "connection_id", "external_id", "external_thread_id", "title", "direction",
-- "attribution", "address", "field": the field in which the client gave the connection}. Refuses a chat that
-- is already linked, with the id of its link.
--
-- Locks: conversations.
-- Returns: LinkRow
CREATE OR REPLACE FUNCTION add_link(c conversations, link jsonb) RETURNS links LANGUAGE plpgsql AS $$
DECLARE
  l links;
  k connections;
BEGIN
  PERFORM 1 FROM conversations WHERE id = c.id FOR NO KEY UPDATE;
  SELECT * INTO k FROM connections WHERE id = (link->>'connection_id')::uuid AND workspace_id = c.workspace_id
    AND deleted_at IS NULL;
  IF NOT FOUND THEN
    PERFORM refuse(json_build_object('problem', 'not_found', 'field',
        coalesce(link->>'field', 'connection_id')));
  END IF;
  IF (SELECT count(*) FROM links WHERE conversation_id = c.id AND removed_at IS NULL) >= 20 THEN
    PERFORM refuse('{"problem":"limit_reached","limit":20}');
  END IF;
  INSERT INTO links (id, workspace_id, conversation_id, connection_id, platform, external_id,
    external_thread_id, title,
    direction, attribution, address)
  VALUES (coalesce((link->>'id')::uuid, uuid7()), c.workspace_id, c.id, k.id, k.platform,
    link->>'external_id',
    link->>'external_thread_id', link->>'title', coalesce(link->>'direction', 'two_way'),
    coalesce(link->>'attribution', 'prefix'), link->>'address')
  ON CONFLICT (connection_id, external_id, coalesce(external_thread_id, ''),
    (CASE WHEN removed_at IS NOT NULL THEN links.id END))
    DO NOTHING
  RETURNING * INTO l;
  IF FOUND THEN RETURN l; END IF;
  SELECT * INTO l FROM links WHERE connection_id = k.id AND external_id = link->>'external_id'
    AND removed_at IS NULL
    AND coalesce(external_thread_id, '') = coalesce(link->>'external_thread_id', '');
  IF NOT shows_conversation(l.conversation_id) THEN
    PERFORM refuse('{"problem":"already_exists"}');
  END IF;
  PERFORM refuse((SELECT json_build_object('problem', 'already_exists', 'id', l.id,
    'holder', format('conversation %s%s', h.number, ' (' || nullif(h.title, '') || ')')) FROM conversations h
        WHERE h.id = l.conversation_id));
END $$;
