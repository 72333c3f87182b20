-- Imports messages of a conversation with their times. Returns how many were added. Their ids are derived
-- from the messages there, so that a repeated call adds nothing. Creates no deliveries and writes no events.
-- Imported messages do not count as unread. A message that arrived here stays unread, and imported messages
-- after it count as unread too.
--
-- Locks: conversations, media, list_progress.
-- Arguments: input: { workspace_id: string; conversation_id: string; messages: readonly InboxMessage[] }
-- Returns: number
CREATE OR REPLACE FUNCTION import_inbox_messages(input jsonb) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  c conversations;
  newest messages;
  amount int;
  until timestamptz;
  ids uuid[] := ARRAY(SELECT (m->>'id')::uuid FROM jsonb_array_elements(input->'messages') m);
BEGIN
  SELECT * INTO c FROM conversations WHERE id = (input->>'conversation_id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM restart_list_index(c.workspace_id);
  INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, content_type,
    attachments, direction, status, platform, reply_to_id, note, sent_at, delivered_at, failed_at, metadata,
    created_at, updated_at)
  SELECT m.id, c.workspace_id, c.id, c.number, m.sender_id, m.text, m.content_type, m.attachments,
    m.direction, m.status, m.platform, CASE WHEN m.reply_to_id = ANY (ids) THEN m.reply_to_id ELSE (
      SELECT r.id FROM messages r WHERE r.id = m.reply_to_id AND r.conversation_id = c.id
        AND r.deleted_at IS NULL) END,
    m.direction = 'internal',
    CASE WHEN m.direction = 'outbound' AND m.status <> 'failed' THEN m.created_at END,
    CASE WHEN m.status IN ('delivered', 'read') AND m.direction = 'outbound' THEN m.created_at END,
    CASE WHEN m.status = 'failed' THEN m.created_at END, m.metadata, m.created_at, m.created_at
  FROM jsonb_to_recordset(input->'messages') AS m (id uuid, sender_id uuid, text text, content_type text,
    attachments jsonb, direction text, status text, platform text, reply_to_id uuid, metadata jsonb,
    created_at timestamptz)
  ORDER BY m.created_at, m.id
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS amount = ROW_COUNT;
  IF amount > 0 THEN
    until := (SELECT max(m.created_at) FROM messages m WHERE m.id = ANY (ids)) + interval '1 microsecond';
    until := least(until, (SELECT min(m.created_at) FROM messages m
      WHERE m.conversation_id = c.id AND m.deleted_at IS NULL AND m.created_at < until
        AND m.created_at >= coalesce(c.imported_until, '-infinity')
        AND m.direction = 'inbound' AND NOT m.metadata ? 'chatwoot_id'));
    UPDATE conversations SET imported_until = greatest(imported_until, until) WHERE id = c.id;
  END IF;
  SELECT * INTO newest FROM messages WHERE conversation_id = c.id AND deleted_at IS NULL
  ORDER BY created_at DESC, id DESC LIMIT 1;
  UPDATE conversations SET last_message_id = newest.id, last_message_at = newest.created_at
  WHERE id = c.id AND newest.id IS NOT NULL AND last_message_id IS DISTINCT FROM newest.id;
  RETURN amount;
END $$;
