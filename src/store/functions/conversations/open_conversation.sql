-- Finds or creates the conversation of POST conversations: {"workspace_id", "id", "creator_id", "type",
-- "title", "team", "labels", "priority", "metadata", "participant_ids", "platform", "recipient",
-- "recipient_field": its name in the request, or absent, "links", "message", "claim"}. Returns {"record",
-- "created"}.
--
-- Locks: users, conversations, messages.
-- Events: user.created, user.status_changed, user.presence_changed, user.updated, conversation.link_updated,
--   conversation.participant_added, conversation.created, message.updated, message.failed, delivery.updated,
--   delivery.failed, message.created.
-- Arguments: input: NewConversation
-- Returns: { record: ConversationRecord; created: boolean } | Refusal

-- The direct conversation of two users. Without a platform, it is the conversation of the two users that has
-- no link. With a platform, it is the conversation that is linked to the contact's chat there, regardless of
-- the user who opened it, because a chat has one conversation. Each lookup by key is a subquery, because a
-- join might read all conversations of a user who has many.
CREATE OR REPLACE FUNCTION find_direct_conversation(workspace uuid, one uuid, other uuid, on_platform text,
  on_connection uuid)
RETURNS SETOF conversations LANGUAGE sql STABLE AS $$
  SELECT c.* FROM participants p
  CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = p.conversation_id OFFSET 0) c
  LEFT JOIN LATERAL (
    SELECT q.user_id FROM participants q WHERE q.conversation_id = c.id AND q.user_id = one
      AND q.left_at IS NULL OFFSET 0) q ON true
  WHERE p.user_id = other AND p.left_at IS NULL AND p.workspace_id = workspace AND c.type = 'direct'
    AND c.deleted_at IS NULL AND CASE WHEN on_platform IS NULL
      THEN q.user_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM links l WHERE l.conversation_id = c.id AND l.removed_at IS NULL)
      ELSE EXISTS (SELECT 1 FROM links l WHERE l.conversation_id = c.id AND l.removed_at IS NULL
        AND l.platform = on_platform AND (on_connection IS NULL OR l.connection_id = on_connection)) END
  ORDER BY q.user_id IS NOT NULL DESC, c.last_message_at DESC NULLS LAST, c.id LIMIT 1
$$;

-- A request with an address tries the chat again even if it was broken: the platform may not report that a
-- contact has returned.
CREATE OR REPLACE FUNCTION restore_broken_links(c conversations, on_platform text) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  gone uuid;
BEGIN
  FOR gone IN SELECT l.id FROM links l WHERE l.conversation_id = c.id AND l.platform = on_platform
    AND l.status = 'broken'
    AND l.removed_at IS NULL ORDER BY l.id
  LOOP
    PERFORM restore_link(gone);
    PERFORM set_reachable(p.identity, true) FROM direct_chat_contact(gone) p WHERE p.certain;
  END LOOP;
END $$;

-- The user who opens a conversation takes part in it, even if another user or the contact had started it.
CREATE OR REPLACE FUNCTION ensure_participant(c conversations, member uuid) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  joined boolean;
BEGIN
  INSERT INTO participants (conversation_id, user_id, workspace_id, role)
  SELECT c.id, u.id, c.workspace_id, default_role(u.kind) FROM users u WHERE u.id = member
    AND (SELECT count(*) FROM participants p WHERE p.conversation_id = c.id AND p.left_at IS NULL) < 250
  ON CONFLICT (conversation_id, user_id) DO UPDATE SET joined_at = now(), left_at = NULL
  WHERE participants.left_at IS NOT NULL
  RETURNING true INTO joined;
  IF joined THEN
    PERFORM announce_conversation_change(c, 'conversation.participant_added',
      json_build_object('user_id', member));
  END IF;
END $$;

-- Finds or creates a direct conversation. If several callers open the conversation of one pair at once, only
-- one of them creates it. `connection` and `address` are null if nothing is to be linked. With
-- `any_connection`, a chat on another connection of the platform is accepted as well.
CREATE OR REPLACE FUNCTION direct_conversation(workspace uuid, creator uuid, other users, platform text,
  connection uuid,
  address text, any_connection boolean, input jsonb, OUT c conversations, OUT created boolean)
    LANGUAGE plpgsql
SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM users WHERE id = other.id OR (id = creator AND other.kind <> 'contact') ORDER BY id
  FOR NO KEY UPDATE;
  SELECT * INTO c FROM find_direct_conversation(workspace, creator, other.id, platform,
    CASE WHEN NOT any_connection THEN connection END);
  created := NOT FOUND;
  IF NOT created THEN
    IF NOT shows_conversation(c.id) THEN
      PERFORM refuse(json_build_object('problem', 'not_found', 'field', hidden_recipient_field(input)));
    END IF;
    IF address IS NOT NULL THEN PERFORM restore_broken_links(c, platform); END IF;
    -- A caller with access to their own conversations can't enter another user's conversation this way.
    IF input->>'participant_id' IS NULL THEN PERFORM ensure_participant(c, creator); END IF;
    RETURN;
  END IF;
  c := create_conversation(workspace, (input->>'id')::uuid, 'direct', input->>'title', creator,
    ARRAY[other.id], input);
  IF connection IS NOT NULL THEN
    PERFORM add_link(c, jsonb_build_object('connection_id', connection, 'external_id', address,
        'address', address,
      'title', CASE WHEN other.kind = 'contact' THEN other.display_name END));
  END IF;
END $$;

-- The connection for a recipient: the requested one, otherwise the oldest enabled one.
CREATE OR REPLACE FUNCTION recipient_connection(workspace uuid, recipient jsonb, field text) RETURNS uuid
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  k connections;
BEGIN
  SELECT * INTO k FROM connections WHERE workspace_id = workspace AND deleted_at IS NULL
    AND CASE WHEN recipient->>'connection_id' IS NULL THEN platform = recipient->>'platform' AND enabled
      ELSE id = (recipient->>'connection_id')::uuid END
  ORDER BY created_at, id LIMIT 1;
  IF NOT FOUND AND recipient->>'connection_id' IS NOT NULL THEN
    PERFORM refuse(json_build_object('problem', 'not_found', 'field', field || '.connection_id'));
  ELSIF NOT FOUND OR NOT k.enabled THEN
    PERFORM refuse(json_build_object('problem', 'no_connection', 'platform', recipient->>'platform'));
  ELSIF k.platform <> recipient->>'platform' THEN
    PERFORM refuse(json_build_object('problem', 'invalid', 'field', field || '.connection_id'));
  END IF;
  RETURN k.id;
END $$;

CREATE OR REPLACE FUNCTION open_conversation(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  other users;
  route record;
  opened record;
  connection uuid;
  answer json;
  created boolean := true;
  workspace uuid := (input->>'workspace_id')::uuid;
  creator uuid := (input->>'creator_id')::uuid;
  recipient jsonb := nullif(input->'recipient', 'null');
  ids uuid[] := array_remove(ARRAY(SELECT DISTINCT x::uuid
      FROM jsonb_array_elements_text(input->'participant_ids') x), creator);
  kind text := coalesce(input->>'type',
    CASE WHEN recipient IS NOT NULL OR cardinality(ids) = 1 THEN 'direct' ELSE 'group' END);
BEGIN
  -- Reads the row by the id alone. While the statistics show no rows, the planner may choose any index that
  -- begins with the workspace.
  SELECT x.* INTO c FROM (SELECT * FROM conversations WHERE id = (input->>'id')::uuid OFFSET 0) x
  WHERE x.workspace_id = workspace;
  IF FOUND THEN RETURN json_build_object('record', conversation_record(c, creator), 'created', true); END IF;
  IF recipient IS NOT NULL THEN
    connection := recipient_connection(workspace, recipient,
      coalesce(input->>'recipient_field', 'recipient'));
    other := find_or_create_contact(workspace, recipient->>'platform', recipient->>'address',
      NULL, NULL, NULL);
    SELECT * INTO opened FROM direct_conversation(workspace, creator, other, recipient->>'platform',
      connection, recipient->>'address', recipient->>'connection_id' IS NULL, input);
  ELSIF kind = 'direct' AND cardinality(ids) = 1 AND input->'links' IS NULL THEN
    SELECT * INTO other FROM users WHERE id = ids[1] AND workspace_id = workspace AND deleted_at IS NULL;
    IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"participant_ids"}'); END IF;
    SELECT r.* INTO route FROM contact_routes(other.id, CASE WHEN input->>'platform' IS NULL THEN '{}'
      ELSE ARRAY[input->>'platform'] END) r WHERE other.kind = 'contact' ORDER BY r.rank LIMIT 1;
    IF NOT FOUND AND other.kind = 'contact' AND input->>'platform' IS NOT NULL THEN
      PERFORM refuse(json_build_object('problem', 'no_connection', 'platform', input->>'platform'));
    END IF;
    SELECT * INTO opened FROM direct_conversation(workspace, creator, other, route.platform,
      route.connection_id, route.address, true, input);
  ELSE
    c := create_conversation(workspace, (input->>'id')::uuid, kind, input->>'title', creator, ids, input);
    PERFORM add_link(c, l || jsonb_build_object('field', format('links.%s.connection_id', n - 1)))
    FROM jsonb_array_elements(input->'links') WITH ORDINALITY AS x (l, n);
  END IF;
  IF opened IS NOT NULL THEN
    c := opened.c;
    created := opened.created;
  END IF;
  IF created THEN PERFORM announce_conversation(c); END IF;
  IF jsonb_typeof(input->'message') = 'object' THEN
    answer := accept_message(input->'message' || jsonb_build_object('workspace_id', workspace,
        'conversation_id', c.id,
      'sender_id', creator));
    IF answer->>'problem' IS NOT NULL THEN
      PERFORM refuse((answer::jsonb || jsonb_build_object('field', 'message.' || (answer->>'field')))::json);
    END IF;
    SELECT * INTO c FROM conversations WHERE id = c.id;
  END IF;
  answer := conversation_record(c, creator);
  PERFORM complete_claim(input->'claim', CASE WHEN created THEN 201 ELSE 200 END, answer);
  RETURN json_build_object('record', answer, 'created', created);
END $$;
