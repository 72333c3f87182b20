-- The chats of recipients, found or created. Omits recipients who have no chat and can get none.
--
-- Locks: users.
-- Events: conversation.created.
-- Returns: RecipientChat[]

-- Opens direct chats for recipients who have none on their platform yet.
CREATE OR REPLACE FUNCTION open_recipient_chats(b broadcasts, ids uuid[]) RETURNS recipient_chat[]
  LANGUAGE plpgsql AS $$
DECLARE
  conversation_ids uuid[] := ARRAY(SELECT uuid7() FROM unnest(ids));
  opened recipient_chat[];
  last_number bigint;
BEGIN
  UPDATE workspaces SET conversation_count = conversation_count + cardinality(ids) WHERE id = b.workspace_id
  RETURNING conversation_count INTO last_number;
  INSERT INTO conversations (id, workspace_id, number, type, created_by)
  SELECT c.id, b.workspace_id, last_number - cardinality(ids) + c.n, 'direct', b.created_by
  FROM unnest(conversation_ids) WITH ORDINALITY AS c (id, n);
  INSERT INTO participants (conversation_id, user_id, workspace_id, role)
  SELECT c.id, p.user_id, b.workspace_id, p.role
  FROM unnest(conversation_ids, ids) AS c (id, recipient_id)
    JOIN broadcast_recipients r ON r.id = c.recipient_id
  JOIN users u ON u.id = r.user_id
  CROSS JOIN LATERAL (VALUES (b.created_by, 'owner'), (u.id, default_role(u.kind))) AS p (user_id, role)
  ON CONFLICT DO NOTHING;
  WITH made AS (
    INSERT INTO links (id, workspace_id, conversation_id, connection_id, platform, external_id,
      address, title)
    SELECT uuid7(), b.workspace_id, c.id, k.id, r.platform, r.address, r.address, u.display_name
    FROM unnest(conversation_ids, ids) AS c (id, recipient_id)
    JOIN broadcast_recipients r ON r.id = c.recipient_id JOIN users u ON u.id = r.user_id
    CROSS JOIN LATERAL (SELECT k.id FROM connections k
      WHERE k.workspace_id = b.workspace_id AND k.platform = r.platform
      AND k.deleted_at IS NULL ORDER BY k.enabled DESC, k.created_at, k.id LIMIT 1) k
    ON CONFLICT DO NOTHING RETURNING id, conversation_id, connection_id, external_id
  )
  SELECT array_agg(ROW(c.recipient_id, m.id, m.conversation_id, m.connection_id,
      m.external_id)::recipient_chat) INTO opened
  FROM unnest(conversation_ids, ids) AS c (id, recipient_id) JOIN made m ON m.conversation_id = c.id;
  IF coalesce(cardinality(opened), 0) < cardinality(ids) THEN
    -- The chat was created in the meantime, or its connection was removed. The retry handles both.
    RAISE EXCEPTION 'a chat was linked concurrently' USING ERRCODE = 'serialization_failure';
  END IF;
  IF has_subscribers(b.workspace_id) THEN
    INSERT INTO events (workspace_id, type, conversation_id, data)
    SELECT b.workspace_id, 'conversation.created', c.id, conversation_record(c, NULL)
    FROM conversations c WHERE c.id = ANY (conversation_ids) ORDER BY c.number;
  ELSE
    PERFORM count_new_conversations(conversation_ids);
  END IF;
  RETURN opened;
END $$;

-- Disabled connections of platforms that also have an enabled one.
CREATE OR REPLACE FUNCTION idle_connections(workspace uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT k.id FROM connections k WHERE k.workspace_id = workspace AND k.deleted_at IS NULL
    AND NOT k.enabled
    AND EXISTS (SELECT FROM connections o WHERE o.workspace_id = workspace AND o.platform = k.platform
      AND o.enabled AND o.deleted_at IS NULL);
END $$;

-- The chats of recipients, and whether they can be written to. The chat with the recipient's address comes
-- first. The id of a chat may be unrelated to the address; then it belongs to the recipient if they have no
-- other address on the platform. Without a direct conversation, the chat is found by the address. UNION ALL
-- with LIMIT 1 stops after the first row. Chats of a disabled connection are ignored while the platform has
-- an enabled one.
CREATE OR REPLACE FUNCTION known_recipient_chats(b broadcasts, ids uuid[], OUT known uuid[],
  OUT usable recipient_chat[]) LANGUAGE sql STABLE AS $$
  SELECT array_agg(r.id),
    array_agg(ROW(r.id, l.id, l.conversation_id, l.connection_id, l.external_id)::recipient_chat)
    FILTER (WHERE l.status = 'active' AND l.direction <> 'inbound')
  FROM broadcast_recipients r CROSS JOIN LATERAL (
    (SELECT l.* FROM participants p
    CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = p.conversation_id OFFSET 0) c
    CROSS JOIN LATERAL (SELECT * FROM links x WHERE x.conversation_id = c.id OFFSET 0) l
    LEFT JOIN LATERAL (SELECT q.user_id FROM participants q
      WHERE q.conversation_id = c.id AND q.user_id = b.created_by AND q.left_at IS NULL OFFSET 0) q ON true
    WHERE p.user_id = r.user_id AND p.left_at IS NULL AND p.workspace_id = b.workspace_id
      AND c.type = 'direct'
      AND c.deleted_at IS NULL AND l.platform = r.platform AND l.removed_at IS NULL
      AND l.connection_id <> ALL (ARRAY(SELECT idle_connections(b.workspace_id)))
      AND (l.external_id = r.address OR NOT EXISTS (SELECT FROM identities i
        WHERE i.user_id = r.user_id AND i.platform = r.platform AND i.external_id <> r.address OFFSET 0))
    ORDER BY l.external_id = r.address DESC, q.user_id IS NOT NULL DESC, c.last_message_at DESC NULLS LAST,
      c.id, l.created_at LIMIT 1)
    UNION ALL
    (SELECT l.* FROM connections k JOIN links l ON l.connection_id = k.id AND l.external_id = r.address
      AND coalesce(l.external_thread_id, '') = '' AND l.removed_at IS NULL
    WHERE k.workspace_id = b.workspace_id AND k.platform = r.platform AND k.deleted_at IS NULL
      AND k.id <> ALL (ARRAY(SELECT idle_connections(b.workspace_id))) ORDER BY l.created_at LIMIT 1)
    LIMIT 1) l
  WHERE r.id = ANY (ids)
$$;

-- Counts new conversations for which no event is written because no webhook subscribes to it. Each has one
-- link.
CREATE OR REPLACE FUNCTION count_new_conversations(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  WITH made AS (
    INSERT INTO counted_records (id, workspace_id, resource, hour, platform, status, agent_id, measures)
    SELECT c.id, c.workspace_id, 'conversations', utc_hour(c.created_at), l.platform, c.status,
      coalesce(c.assignee_id, no_agent()),
      '{"created":1}'
    FROM unnest(ids) AS i (id) JOIN conversations c ON c.id = i.id JOIN links l ON l.conversation_id = c.id
    RETURNING *
  )
  INSERT INTO insight_changes (workspace_id, resource, hour, measure, platform, status, agent_id, amount)
  SELECT m.workspace_id, m.resource, m.hour, 'created', m.platform, m.status, m.agent_id, count(*) FROM made m
  GROUP BY 1, 2, 3, 5, 6, 7
$$;

CREATE OR REPLACE FUNCTION recipient_chats(b broadcasts, ids uuid[]) RETURNS recipient_chat[]
  LANGUAGE plpgsql AS $$
DECLARE
  had record;
  added record;
  missing uuid[];
BEGIN
  SELECT * INTO had FROM known_recipient_chats(b, ids);
  IF cardinality(had.known) = cardinality(ids) THEN RETURN had.usable; END IF;
  missing := ARRAY(SELECT r.id FROM broadcast_recipients r
    WHERE r.id = ANY (ids) AND NOT r.id = ANY (coalesce(had.known, '{}'))
    AND EXISTS (SELECT 1 FROM connections k WHERE k.workspace_id = b.workspace_id AND k.platform = r.platform
      AND k.deleted_at IS NULL) ORDER BY r.id);
  IF cardinality(missing) = 0 THEN RETURN had.usable; END IF;
  -- Opening a direct conversation locks the contact first and then checks again.
  PERFORM 1 FROM users u WHERE id IN (SELECT user_id FROM broadcast_recipients WHERE id = ANY (missing))
  ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO added FROM known_recipient_chats(b, missing);
  missing := ARRAY(SELECT m FROM unnest(missing) m WHERE NOT m = ANY (coalesce(added.known, '{}')));
  RETURN had.usable || added.usable || CASE
    WHEN missing <> '{}' THEN open_recipient_chats(b, missing) END;
END $$;
