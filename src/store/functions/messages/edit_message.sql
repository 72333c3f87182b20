-- Changes the content of a message. If `by_platform`, the platform reports the edit of an inbound message.
-- Otherwise a client edits the message, which must not be inbound, failed, expired, canceled or blocked. All
-- copies on other platforms are edited as well.
--
-- Locks: messages.
-- Events: message.updated.
-- Arguments: patch: MessageChange; participant: string | null
-- Returns: { record: MessageRecord } | Refusal
CREATE OR REPLACE FUNCTION edit_message(workspace uuid, message uuid, patch jsonb, participant uuid,
  by_platform boolean)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  before json;
  answer json;
  previous jsonb := '{}';
  woken uuid[];
  f text;
  -- Styles are not a field of the record, but copies on platforms show them.
  restyled boolean;
  renewed boolean;
BEGIN
  SELECT * INTO m FROM messages WHERE id = message AND workspace_id = workspace AND deleted_at IS NULL
    AND (participant IS NULL OR EXISTS (SELECT 1 FROM participants p
        WHERE p.conversation_id = messages.conversation_id
      AND p.user_id = participant AND p.left_at IS NULL))
    AND shows_conversation(conversation_id) FOR UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found'); END IF;
  IF participant IS NOT NULL AND m.sender_id <> participant THEN
    RETURN json_build_object('problem', 'not_own');
  END IF;
  IF NOT by_platform AND (m.direction = 'inbound' OR m.status IN ('failed', 'expired', 'canceled', 'blocked')
    OR (patch ? 'attachments' AND m.status NOT IN ('scheduled', 'queued'))
    OR (patch ? 'send_at' AND m.status <> 'scheduled')) THEN
    RETURN json_build_object('problem', 'invalid_state', 'current', m.status);
  END IF;
  IF NOT by_platform AND coalesce(patch->>'text', m.text) = ''
    AND coalesce(patch->'attachments', m.attachments) = '[]' THEN
    RETURN json_build_object('problem', 'invalid', 'code', 'too_short',
      'field', CASE WHEN patch ? 'text' THEN 'text' ELSE 'attachments' END);
  END IF;
  before := message_record(m);
  IF patch ? 'attachments' THEN
    patch := patch || jsonb_build_object('attachments',
      merge_attachments(patch->'attachments', m.attachments));
  END IF;
  FOR f IN SELECT jsonb_object_keys(patch) LOOP
    -- Compares stored attachments, because records of attachments contain new signatures each time.
    IF (CASE WHEN f = 'attachments' THEN m.attachments ELSE before::jsonb->f END) IS DISTINCT FROM (CASE
        WHEN f = 'send_at'
      THEN coalesce(to_jsonb(wire_time((patch->>'send_at')::timestamptz)), 'null') ELSE patch->f END)
    THEN previous := previous || jsonb_build_object(f, before::jsonb->f); END IF;
  END LOOP;
  previous := previous - 'spans';
  restyled := patch ? 'spans' AND nullif(patch->'spans', 'null') IS DISTINCT FROM m.spans;
  IF previous = '{}' AND NOT restyled THEN RETURN json_build_object('record', before); END IF;
  renewed := restyled OR previous ?| ARRAY['text', 'content_type', 'attachments'];

  IF previous ?| ARRAY['text', 'content_type'] THEN PERFORM store_message_version(m); END IF;
  UPDATE messages SET
    text = coalesce(patch->>'text', text), content_type = coalesce(patch->>'content_type', content_type),
    spans = CASE WHEN patch ? 'spans' THEN nullif(patch->'spans', 'null') WHEN patch ? 'text' THEN NULL
      ELSE spans END,
    attachments = coalesce(patch->'attachments', attachments),
      metadata = coalesce(patch->'metadata', metadata),
    send_at = CASE WHEN patch ? 'send_at' THEN (patch->>'send_at')::timestamptz ELSE send_at END,
    expires_at = CASE WHEN patch ? 'send_at'
      THEN greatest((patch->>'send_at')::timestamptz, now()) + make_interval(secs => ttl_seconds)
        ELSE expires_at END,
    revision = revision + renewed::int, edited_at = CASE WHEN renewed THEN now() ELSE edited_at END,
    updated_at = now()
  WHERE id = m.id RETURNING * INTO m;
  IF renewed THEN
    WITH wanting AS (
      UPDATE deliveries SET wanted_revision = m.revision, change_tries = 0
      WHERE message_id = m.id AND status IN ('queued', 'sending', 'sent', 'delivered', 'read', 'uncertain')
      RETURNING connection_id
    ) SELECT array_agg(connection_id) INTO woken FROM wanting;
    IF woken IS NOT NULL THEN PERFORM wake_connections(woken); END IF;
  END IF;
  IF previous ? 'send_at' THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('timer', jsonb_build_object('message_id', m.id), m.due_at);
  END IF;
  answer := message_record(m);
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  VALUES (m.workspace_id, 'message.updated', m.conversation_id, answer, json_build_object('previous',
    previous || previous_values(before::jsonb - 'attachments', answer::jsonb)));
  RETURN json_build_object('record', answer);
END $$;
