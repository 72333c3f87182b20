-- Starts a call: {"workspace_id", "id", "initiator_id", "type", "ring_timeout", "max_duration", "metadata",
-- "claim", "participant_id": the user who must see the conversation, or absent, and one of "conversation" (id
-- or number), "participant_ids", "to"}. Returns the record as created. Members ring in the same transaction.
--
-- Locks: conversations, users, messages, an advisory lock.
-- Events: call.created, user.created, user.status_changed, user.presence_changed, user.updated,
--   conversation.link_updated, conversation.participant_added, conversation.created, message.updated,
--   message.failed, delivery.updated, delivery.failed, message.created, call.ringing.
-- Arguments: input: NewCall
-- Returns: { record: CallRecord } | Refusal

-- Invites the contacts of a call through the links of its conversation. Without a link, sends nothing.
CREATE OR REPLACE FUNCTION invite_contacts(c calls) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  contacts uuid[] := ARRAY(SELECT p.user_id FROM call_participants p JOIN users u ON u.id = p.user_id
    WHERE p.call_id = c.id AND p.user_id <> c.initiator_id AND u.kind = 'contact');
  token text := c.join_token;
  invitation uuid := uuid7();
BEGIN
  IF cardinality(contacts) = 0 OR NOT EXISTS (SELECT 1 FROM links l
    WHERE l.conversation_id = c.conversation_id
    AND can_send_to_link(l)) THEN RETURN; END IF;
  IF cardinality(contacts) = 1 AND (SELECT type FROM conversations
    WHERE id = c.conversation_id) = 'direct' THEN
    SELECT join_token INTO token FROM call_participants WHERE call_id = c.id AND user_id = contacts[1];
  END IF;
  UPDATE calls SET invitation_id = invitation WHERE id = c.id;
  PERFORM accept_message(jsonb_build_object('id', invitation, 'workspace_id', c.workspace_id,
    'conversation_id', c.conversation_id, 'sender_id', c.initiator_id, 'ttl_seconds', c.ring_timeout,
    'metadata', jsonb_build_object('call_id', c.id), 'text', format('%s is calling you (%s). Join: %s',
      (SELECT display_name FROM users WHERE id = c.initiator_id), c.type,
            public_url() || '/join/' || token)));
END $$;

-- The group conversation with exactly these users. If there are several, the most recently used one.
CREATE OR REPLACE FUNCTION find_group_conversation(workspace uuid, members uuid[]) RETURNS uuid
  LANGUAGE sql STABLE AS $$
  SELECT c.id FROM conversations c JOIN participants p ON p.conversation_id = c.id AND p.user_id = members[1]
    AND p.left_at IS NULL
  JOIN participants q ON q.conversation_id = c.id AND q.user_id = members[cardinality(members)]
    AND q.left_at IS NULL
  WHERE c.workspace_id = workspace AND c.type = 'group' AND c.deleted_at IS NULL
    AND ARRAY(SELECT o.user_id FROM participants o
      WHERE o.conversation_id = c.id AND o.left_at IS NULL ORDER BY o.user_id) = members
  ORDER BY c.last_message_at DESC NULLS LAST, c.id DESC LIMIT 1
$$;

-- The conversation of a group chat that is linked under this address: {"platform", "address"}.
CREATE OR REPLACE FUNCTION find_group_chat_conversation(workspace uuid, place jsonb) RETURNS uuid
  LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT c.id FROM connections k
  CROSS JOIN LATERAL (SELECT * FROM links x WHERE x.connection_id = k.id AND x.external_id = place->>'address'
    AND x.external_thread_id IS NULL AND x.removed_at IS NULL OFFSET 0) l
  JOIN conversations c ON c.id = l.conversation_id AND c.type <> 'direct' AND c.deleted_at IS NULL
  WHERE k.workspace_id = workspace AND k.platform = place->>'platform' AND k.enabled AND k.deleted_at IS NULL
  ORDER BY k.created_at, k.id LIMIT 1
$$;

-- Finds or creates the conversation of a new call, see create_call.
CREATE OR REPLACE FUNCTION find_or_create_call_conversation(input jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid := (input->>'workspace_id')::uuid;
  creator uuid := (input->>'initiator_id')::uuid;
  asked jsonb := jsonb_build_object('workspace_id', workspace, 'creator_id', creator, 'id', uuid7(),
    'participant_id', input->'participant_id');
  ids uuid[] := ARRAY(SELECT DISTINCT x::uuid FROM jsonb_array_elements_text(input->'participant_ids') x
    WHERE x::uuid <> creator ORDER BY 1);
  members uuid[] := ARRAY(SELECT unnest(ids || creator) ORDER BY 1);
  chosen uuid;
BEGIN
  IF input ? 'conversation' THEN
    SELECT id INTO chosen FROM conversations c WHERE c.workspace_id = workspace AND c.deleted_at IS NULL
      AND CASE WHEN jsonb_typeof(input->'conversation') = 'number'
        THEN c.number = (input->>'conversation')::bigint
        ELSE c.id = (input->>'conversation')::uuid END
      AND (input->>'participant_id' IS NULL OR EXISTS (SELECT 1 FROM participants p
          WHERE p.conversation_id = c.id
        AND p.user_id = (input->>'participant_id')::uuid AND p.left_at IS NULL))
      AND shows_conversation(id)
    FOR NO KEY UPDATE;
    IF chosen IS NULL THEN PERFORM refuse('{"problem":"not_found","field":"conversation_id"}'); END IF;
    RETURN chosen;
  END IF;
  -- Checked before anything is created, since creating a contact would reveal whether the address is known.
  IF input->>'participant_id' IS NOT NULL THEN PERFORM refuse_foreign_call(input, ids, NULL); END IF;
  IF input ? 'to' THEN
    chosen := find_group_chat_conversation(workspace, input->'to');
  END IF;
  IF input ? 'to' AND chosen IS NULL THEN
    chosen := open_conversation(asked || jsonb_build_object('recipient', input->'to'))->'record'->>'id';
  ELSIF chosen IS NULL AND cardinality(ids) <> 1 THEN
    -- If several calls to one group start at once, only one of them creates the conversation.
    PERFORM pg_advisory_xact_lock(hashtextextended(members::text, 0));
    chosen := find_group_conversation(workspace, members);
  END IF;
  IF chosen IS NULL THEN
    chosen := open_conversation(asked
      || jsonb_build_object('participant_ids', to_jsonb(ids)))->'record'->>'id';
  END IF;
  IF input->>'participant_id' IS NOT NULL THEN PERFORM refuse_foreign_call(input, ids, chosen); END IF;
  IF NOT shows_conversation(chosen) THEN
    PERFORM refuse(json_build_object('problem', 'not_found', 'field',
      CASE WHEN input ? 'to' THEN 'to' ELSE 'participant_ids' END));
  END IF;
  RETURN chosen;
END $$;

-- A random token of a call.
CREATE OR REPLACE FUNCTION random_token() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;

CREATE OR REPLACE FUNCTION create_call(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  conversation uuid;
  answer json;
BEGIN
  SELECT * INTO c FROM calls WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid;
  IF FOUND THEN RETURN json_build_object('record', call_record(c)); END IF;
  conversation := find_or_create_call_conversation(input);
  PERFORM 1 FROM conversations WHERE id = conversation FOR NO KEY UPDATE;
  PERFORM refuse_live_call(conversation);
  INSERT INTO calls (id, workspace_id, conversation_id, type, initiator_id, join_token, ring_timeout,
    max_duration, metadata)
  VALUES ((input->>'id')::uuid, (input->>'workspace_id')::uuid, conversation, input->>'type',
    (input->>'initiator_id')::uuid,
    random_token(), (input->>'ring_timeout')::int, (input->>'max_duration')::int,
      coalesce(input->'metadata', '{}'))
  RETURNING * INTO c;
  INSERT INTO call_participants (call_id, user_id, workspace_id, join_token)
  SELECT c.id, u.id, c.workspace_id, random_token() FROM (
    SELECT p.user_id AS id FROM participants p WHERE p.conversation_id = conversation AND p.left_at IS NULL
      AND sees_conversation(p.user_id, conversation)
    UNION SELECT c.initiator_id) u;
  answer := call_record(c);
  PERFORM announce_call(c, 'call.created', NULL);
  PERFORM schedule_call_deadline(c.id);
  PERFORM complete_claim(input->'claim', 201, answer);
  PERFORM ring_call(c, ARRAY['member', 'bot']);
  PERFORM invite_contacts(c);
  RETURN json_build_object('record', answer);
END $$;
