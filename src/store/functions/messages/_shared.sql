-- Helpers for messages. Each change writes its events. A trigger adds the outbox row of the events, so no
-- change can be committed without it.

-- A message in the form of the API, from its row and message_related_data. Queries over many rows call these
-- two functions themselves, so that PostgreSQL inlines them; message_record, which combines both, is called
-- once per row.
CREATE OR REPLACE FUNCTION render_message(m messages, read_by json, thread_count bigint, reactions json,
  deliveries json) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', m.id, 'conversation_id', m.conversation_id, 'conversation_number', m.conversation_number,
    'sender_id', m.sender_id, 'text', m.text, 'content_type', m.content_type,
    'attachments', CASE WHEN m.attachments = '[]' THEN '[]'::json ELSE attachment_records(m.attachments) END,
    'read_by', read_by, 'direction', m.direction, 'status', m.status, 'platform', m.platform,
      'category', m.category,
    'reply_to_id', m.reply_to_id, 'thread_id', m.thread_id,
    'thread_count', thread_count, 'revision', m.revision, 'reactions', reactions, 'deliveries', deliveries,
    'origin', m.origin, 'error', m.error, 'broadcast_id', m.broadcast_id,
    'send_at', wire_time(m.send_at), 'expires_at', wire_time(m.expires_at), 'sent_at', wire_time(m.sent_at),
    'delivered_at', wire_time(m.delivered_at), 'failed_at', wire_time(m.failed_at),
    'edited_at', wire_time(m.edited_at), 'metadata', m.metadata,
    'created_at', wire_time(m.created_at), 'updated_at', wire_time(m.updated_at))
$$;

-- The parts of a message record from other tables: read receipts, the number of replies in its thread,
-- reactions, and deliveries. One row.
CREATE OR REPLACE FUNCTION message_related_data(message uuid, thread uuid)
RETURNS TABLE (read_by json, thread_count bigint, reactions json, deliveries json) LANGUAGE sql STABLE AS $$
  SELECT coalesce((
      SELECT json_agg(json_build_object('user_id', r.user_id, 'read_at', wire_time(r.read_at),
          'platform', r.platform)
        ORDER BY r.read_at, r.user_id)
      FROM read_receipts r WHERE r.message_id = message), '[]'),
    CASE WHEN thread IS NULL
      THEN (SELECT count(*) FROM messages t WHERE t.thread_id = message AND t.deleted_at IS NULL) ELSE 0 END,
    coalesce((
      SELECT json_agg(json_build_object('emoji', g.emoji, 'count', g.count, 'user_ids', g.user_ids)
        ORDER BY g.first)
      FROM (SELECT x.emoji, count(*) AS count, array_agg(x.user_id ORDER BY x.created_at) AS user_ids,
              min(x.created_at) AS first
            FROM reactions x WHERE x.message_id = message GROUP BY x.emoji) g), '[]'),
    coalesce((
      SELECT json_agg(render_delivery(d, s.parts) ORDER BY d.position)
      FROM deliveries d CROSS JOIN LATERAL delivery_related_data(d.id) s WHERE d.message_id = message), '[]')
$$;

-- The additional fields of message.created.
CREATE OR REPLACE FUNCTION render_context(c conversations, platform text, u users) RETURNS json
  LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'conversation', json_build_object('id', c.id, 'number', c.number, 'platform', platform),
    'sender', json_build_object('id', u.id, 'display_name', u.display_name, 'kind', u.kind))
$$;

-- The error code for a contact who must not get a message of this category; null if the message is allowed.
CREATE OR REPLACE FUNCTION block_code(u users, category text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN u.status = 'blocked' THEN 'blocked_by_recipient'
    WHEN category = 'marketing' AND u.consent->>'marketing' = 'denied' THEN 'opted_out'
    WHEN category = 'transactional' AND u.consent->>'notification' = 'denied' THEN 'opted_out'
    WHEN category = 'conversational' AND u.stopped_at IS NOT NULL THEN coalesce(u.stopped_as, 'opted_out')
  END
$$;

-- The delivery error for a code of block_code.
CREATE OR REPLACE FUNCTION block_error(code text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object('code', code, 'permanent', true, 'platform_code', NULL,
    'message', CASE code WHEN 'opted_out' THEN 'The recipient has opted out.'
      ELSE 'The recipient is blocked.' END)
  WHERE code IS NOT NULL
$$;

-- The delivery error of the other person in a direct conversation, if that person must not get this message.
CREATE OR REPLACE FUNCTION conversation_block(c conversations, category text, sender uuid) RETURNS jsonb
  LANGUAGE sql STABLE
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
  SELECT block_error(b.code)
  FROM (SELECT block_code(u, category) AS code
        FROM participants p JOIN users u ON u.id = p.user_id
        WHERE p.conversation_id = c.id AND p.left_at IS NULL AND u.kind = 'contact' AND u.id <> sender
        ORDER BY p.joined_at LIMIT 1) b
  WHERE c.type = 'direct' AND b.code IS NOT NULL
$$;

-- The delivery error of a message if its recipient must not get it: one row or none. For a broadcast to a
-- chat that several people share, checks the recipient of the broadcast. A set-returning function is
-- inlined; a scalar function would be planned for each row.
CREATE OR REPLACE FUNCTION message_blocks(m messages, c conversations) RETURNS SETOF jsonb
  LANGUAGE sql STABLE AS $$
  SELECT block_error(b.code) FROM (
    (SELECT block_code(u, m.category) AS code FROM participants p JOIN users u ON u.id = p.user_id
     WHERE c.type = 'direct' AND p.conversation_id = c.id AND p.left_at IS NULL AND u.kind = 'contact'
       AND u.id <> m.sender_id
     ORDER BY p.joined_at LIMIT 1)
    UNION ALL
    SELECT block_code(u, m.category) FROM broadcast_recipients r JOIN users u ON u.id = r.user_id
    WHERE c.type <> 'direct' AND m.broadcast_id IS NOT NULL AND r.id = m.id) b
  WHERE b.code IS NOT NULL
$$;

-- The routing of a message that is sent now: the number of links that get it, and the resulting direction
-- and status.
CREATE OR REPLACE FUNCTION route_message(c conversations, sender uuid, category text, note boolean,
  inbound boolean, from_link uuid)
RETURNS TABLE (targets bigint, direction text, status text, platform text, error jsonb)
  LANGUAGE sql STABLE AS $$
  SELECT t.targets, CASE WHEN inbound THEN 'inbound' WHEN t.targets = 0 THEN 'internal' ELSE 'outbound' END,
    CASE WHEN inbound THEN 'received' WHEN t.targets = 0 THEN 'sent' WHEN b.error IS NOT NULL THEN 'blocked'
      ELSE 'queued' END,
    t.platform, b.error
  FROM (SELECT count(*) AS targets, CASE WHEN count(*) = 1 THEN min(l.platform) END AS platform FROM links l
    WHERE NOT note AND l.conversation_id = c.id AND can_send_to_link(l)
      AND l.id IS DISTINCT FROM from_link) t,
  LATERAL (SELECT CASE WHEN t.targets > 0 AND c.type = 'direct' THEN conversation_block(c, category, sender)
      END AS error) b
$$;

-- Accepts one message in a larger transaction.
CREATE OR REPLACE FUNCTION accept_message(input jsonb) RETURNS json LANGUAGE sql AS $$
  SELECT accept_messages(jsonb_build_array(input), true)->0
$$;

-- The id of a further message for the rest of a long text. A text that the platform allows may be too long
-- for one message here. The ids of the further messages derive from the platform's id.
CREATE OR REPLACE FUNCTION continuation_id(external_id text, part_number int) RETURNS text
  LANGUAGE sql IMMUTABLE AS $$
  SELECT left(external_id, 250) || '…' || part_number
$$;

-- The platform's own id of a message. A message with the rest of a text has that of the first message.
CREATE OR REPLACE FUNCTION platform_id(external_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN strpos(external_id, '…') = 0 THEN external_id
    ELSE regexp_replace(external_id, '…[0-9]+$', '') END
$$;

-- Deletes the further messages with the rest of the text of a message, from a position on.
CREATE OR REPLACE FUNCTION delete_text_continuation(message uuid, part_number int) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  x remote_messages;
BEGIN
  LOOP
    DELETE FROM remote_messages r USING remote_messages o JOIN messages m ON m.id = o.message_id
      AND m.origin->>'external_id' = o.external_id
    WHERE o.message_id = message AND o.delivery_id IS NULL AND r.connection_id = o.connection_id
      AND r.external_chat_id = o.external_chat_id
      AND r.external_id = continuation_id(o.external_id, part_number)
      AND r.delivery_id IS NULL
    RETURNING r.* INTO x;
    EXIT WHEN NOT FOUND;
    PERFORM delete_message(x.workspace_id, x.message_id, NULL, NULL, true);
    part_number := part_number + 1;
  END LOOP;
END $$;

-- Updates the newest visible message of each conversation: not deleted and not scheduled. A message that was
-- scheduled is ordered by the time at which it was sent, if it is among the last hundred accepted. The
-- caller holds the locks of the conversations.
CREATE OR REPLACE FUNCTION refresh_last_messages(chats uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE conversations c SET last_message_id = n.id, last_message_at = n.at
  FROM unnest(chats) AS chat LEFT JOIN LATERAL (
    SELECT x.id, greatest(x.created_at, x.send_at) AS at FROM (
      SELECT m.id, m.created_at, m.send_at FROM messages m
      WHERE m.conversation_id = chat AND m.deleted_at IS NULL AND m.due_at IS NULL
        AND NOT (m.status = 'canceled' AND m.send_at IS NOT NULL AND m.sent_at IS NULL)
      ORDER BY m.created_at DESC, m.id DESC LIMIT 100
    ) x ORDER BY at DESC, x.id DESC LIMIT 1
  ) n ON true WHERE c.id = chat
$$;

-- The error of a message: that of its first delivery that failed, expired or was blocked. Ignores superseded
-- deliveries.
CREATE OR REPLACE FUNCTION first_error(message uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT d.error FROM deliveries d WHERE d.message_id = message AND d.superseded_by IS NULL
    AND d.status IN ('failed', 'expired', 'blocked') ORDER BY d.position LIMIT 1
$$;

-- Locks and returns the message of a request: {"workspace_id", "message_id", "participant_id": the user who
-- must see it, or absent}. `own`: the participant must be its sender.
CREATE OR REPLACE FUNCTION lock_message(input jsonb, own boolean) RETURNS messages LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  participant uuid := (input->>'participant_id')::uuid;
BEGIN
  SELECT * INTO m FROM messages WHERE id = (input->>'message_id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL AND (participant IS NULL OR EXISTS (SELECT 1 FROM participants p
      WHERE p.conversation_id = messages.conversation_id AND p.user_id = participant AND p.left_at IS NULL))
    AND shows_conversation(conversation_id)
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF own AND m.sender_id <> participant THEN PERFORM refuse('{"problem":"not_own"}'); END IF;
  RETURN m;
END $$;

-- Records that a user has read a message. Returns null if that was recorded before. Updates the
-- participant's last_read_at.
CREATE OR REPLACE FUNCTION record_message_read(m messages, reader uuid, at timestamptz, platform text)
  RETURNS read_receipts LANGUAGE plpgsql AS $$
DECLARE
  r read_receipts;
BEGIN
  INSERT INTO read_receipts (message_id, user_id, workspace_id, read_at, platform, conversation_id,
    written_at, counted)
  VALUES (m.id, reader, m.workspace_id, at, record_message_read.platform, m.conversation_id, m.created_at,
    m.sender_id <> reader)
  ON CONFLICT DO NOTHING RETURNING * INTO r;
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE participants SET last_read_at = greatest(last_read_at, r.read_at)
  WHERE conversation_id = m.conversation_id AND user_id = reader;
  RETURN r;
END $$;

-- Stores the content of a message before it is edited. Keeps the newest 50 versions.
CREATE OR REPLACE FUNCTION store_message_version(m messages) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_versions (message_id, revision, workspace_id, text, content_type, created_at)
  VALUES (m.id, m.revision, m.workspace_id, m.text, m.content_type, coalesce(m.edited_at, m.created_at));
  DELETE FROM message_versions WHERE message_id = m.id AND revision <= m.revision - 50;
END $$;
