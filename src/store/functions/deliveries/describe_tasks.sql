-- The complete data of tasks for a worker.
--
-- Returns: unknown

-- The ids of a message on platforms. They are looked up by the message alone, because a lookup by the key of
-- the map might read a whole chat.
CREATE OR REPLACE FUNCTION remote_parts(message uuid) RETURNS SETOF remote_messages LANGUAGE sql STABLE AS $$
  SELECT x.* FROM remote_messages x WHERE x.message_id = message OFFSET 0
$$;

-- The thread that holds a message in a platform chat; null if the chat has no copy.
CREATE OR REPLACE FUNCTION thread_in_chat(message uuid, connection uuid, chat text) RETURNS text
  LANGUAGE sql STABLE AS $$
  SELECT x.external_thread_id FROM remote_parts(message) x
  WHERE x.connection_id = connection AND x.external_chat_id = chat ORDER BY x.alias, x.part_index LIMIT 1
$$;

-- The platform ids of all other messages in the chat of a link since a timestamp. Includes removed links to
-- the same chat.
CREATE OR REPLACE FUNCTION other_message_ids_in_chat(l links, since timestamptz, but uuid) RETURNS json
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(x.external_id), '[]')
  FROM (SELECT DISTINCT k.conversation_id AS id FROM links k
    WHERE k.connection_id = l.connection_id AND k.external_id = l.external_id OFFSET 0) c
  CROSS JOIN LATERAL (
    SELECT m.id FROM messages m WHERE m.conversation_id = c.id AND m.created_at > since
      AND m.deleted_at IS NULL
    UNION ALL
    SELECT m.id FROM messages m WHERE m.conversation_id = c.id AND m.created_at > since
      AND m.deleted_at IS NOT NULL) o
  CROSS JOIN LATERAL remote_parts(o.id) x
  WHERE o.id <> but AND x.connection_id = l.connection_id AND x.external_chat_id = l.external_id
$$;

-- The buttons of a request for approval; null for other messages. Metadata alone does not make a message a
-- request for approval.
CREATE OR REPLACE FUNCTION approval_buttons(message uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_array(json_build_object('label', 'Approve', 'value', 'approve:' || a.proposal_id),
    json_build_object('label', 'Refuse', 'value', 'refuse:' || a.proposal_id))
  FROM approval_requests a WHERE a.message_id = message
$$;

CREATE OR REPLACE FUNCTION describe_tasks(tasks leased_task[]) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object(
    'operation', t.operation, 'connection_id', d.connection_id, 'delivery_id', d.id,
      'attempt_id', t.attempt_id, 'fence', t.fence,
    'attempt_count', t.attempt_count, 'expires_at', wire_time(d.expires_at),
    'uncertain_at', wire_time(d.uncertain_at),
    -- Ignores attempts that certainly wrote nothing.
    'started_at', CASE WHEN t.operation = 'reconcile' THEN (
      SELECT wire_time(coalesce(min(a.started_at)
          FILTER (WHERE coalesce(a.outcome, 'uncertain') = 'uncertain'), min(a.started_at)))
      FROM attempts a WHERE a.delivery_id = d.id) END,
    -- An attempt that its worker closed has an error. For an attempt that was taken over, the time at which
    -- its connection closed is unknown.
    'last_try', CASE WHEN t.operation = 'reconcile' THEN (
      SELECT json_build_object('started_at', wire_time(a.started_at), 'revision', a.revision,
        'closed_at', CASE WHEN a.error IS NOT NULL THEN wire_time(a.finished_at) END)
      FROM attempts a WHERE a.delivery_id = d.id
      ORDER BY (coalesce(a.outcome, 'uncertain') = 'uncertain') DESC, a.started_at DESC, a.id DESC LIMIT 1)
        END,
    'priority', d.priority,
    'message', json_build_object('id', m.id, 'category', m.category, 'text', m.text, 'spans', m.spans,
      'content_type', m.content_type,
      -- File links keep the signature of the first attempt, because a lookup compares with the text that was
      -- sent.
      'attachments', CASE WHEN m.attachments = '[]' THEN '[]'::json
        ELSE attachment_records(m.attachments, coalesce(
        (SELECT min(a.started_at) FROM attempts a
              WHERE a.delivery_id = d.id AND t.operation IN ('send', 'reconcile')), now())) END,
      'revision', m.revision, 'automatic', m.metadata ? 'notice', 'deleted', m.deleted_at IS NOT NULL,
      'buttons', CASE WHEN m.metadata ? 'approval' AND m.revision = 1 THEN approval_buttons(m.id) END),
    'link', json_build_object('id', l.id, 'external_id', l.external_id,
      'external_thread_id', l.external_thread_id,
      'address', l.address, 'attribution', l.attribution),
    'sender', CASE WHEN d.relay_of_link_id IS NOT NULL THEN (
      SELECT json_build_object('display_name', u.display_name, 'profile_image', u.profile_image)
      FROM users u WHERE u.id = m.sender_id) END,
    -- For a link to a whole chat: the thread that holds the message, or the message it replies to.
    'external_thread_id', CASE WHEN l.external_thread_id IS NULL THEN CASE
      WHEN t.operation IN ('edit', 'delete') THEN (SELECT x.external_thread_id FROM remote_parts(m.id) x
        WHERE x.delivery_id = d.id ORDER BY x.part_index LIMIT 1)
      WHEN m.reply_to_id IS NOT NULL OR m.thread_id IS NOT NULL THEN coalesce(
        thread_in_chat(m.reply_to_id, d.connection_id, l.external_id),
              thread_in_chat(m.thread_id, d.connection_id, l.external_id)) END END,
    'reply_to_external_id', CASE WHEN m.reply_to_id IS NOT NULL THEN (
      SELECT platform_id(x.external_id) FROM remote_parts(m.reply_to_id) x
      WHERE x.connection_id = d.connection_id AND x.external_chat_id = l.external_id ORDER BY x.alias,
          x.part_index LIMIT 1) END,
    'thread', CASE WHEN m.thread_id IS NOT NULL THEN json_build_object('root_external_id', (
      SELECT platform_id(x.external_id) FROM remote_parts(m.thread_id) x
      WHERE x.connection_id = d.connection_id AND x.external_chat_id = l.external_id ORDER BY x.alias,
            x.part_index LIMIT 1)) END,
    -- Previous sends with an unknown outcome, when the message is sent again.
    'in_doubt', CASE WHEN t.operation = 'send' AND d.uncertain_at IS NOT NULL THEN (
      SELECT json_build_object('revision', CASE
          WHEN min(a.revision) = max(a.revision) THEN min(a.revision) END,
        'started_at', wire_time(min(a.started_at))) FROM attempts a
      WHERE a.delivery_id = d.id AND a.operation = 'send' AND a.outcome = 'uncertain' HAVING count(*) > 0)
    -- Edits with an unknown outcome since the last successful edit. If they are of several revisions, the
    -- revision of a part is unknown.
    WHEN t.operation = 'edit' THEN (
      SELECT json_build_object('revision', CASE
          WHEN min(a.revision) = max(a.revision) THEN min(a.revision) END,
        'started_at', wire_time(min(a.started_at))) FROM attempts a
      WHERE a.delivery_id = d.id AND a.operation = 'edit' AND a.outcome = 'uncertain'
        AND a.started_at > coalesce((
        SELECT max(e.started_at) FROM attempts e WHERE e.delivery_id = d.id AND e.operation = 'edit'
          AND e.outcome = 'sent'), '-infinity')
      HAVING count(*) > 0) END,
    'known_ids', CASE WHEN t.operation = 'reconcile'
      OR ((t.operation = 'edit' OR d.uncertain_at IS NOT NULL) AND EXISTS (
      SELECT FROM delivery_parts p WHERE p.delivery_id = d.id AND p.status = 'uncertain'))
        THEN other_message_ids_in_chat(l, d.created_at - interval '1 day', m.id) ELSE '[]' END,
    -- A first attempt that was not interrupted has no parts yet.
    'parts', CASE WHEN t.operation = 'send' AND t.attempt_count = 1 AND d.uncertain_at IS NULL
      AND NOT d.resumed THEN '[]' ELSE coalesce((
      SELECT json_agg(json_build_object('index', p.index, 'kind', p.kind, 'status', p.status,
        'external_id', p.external_id) ORDER BY p.index) FROM delivery_parts p
              WHERE p.delivery_id = d.id), '[]') END
  ) ORDER BY d.priority, d.position), '[]')
  FROM unnest(tasks) t
  JOIN deliveries d ON d.id = t.delivery_id JOIN messages m ON m.id = d.message_id
    JOIN links l ON l.id = d.link_id
$$;
