-- Deletes a batch of rows past the retention of test workspaces.
--
-- Locks: messages, deliveries, conversations, links, connections, broadcasts, users, calls, webhooks.
-- Events: conversation.deleted, delivery.updated, delivery.failed, delivery.uncertain, message.updated,
--   message.sent, message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed,
--   conversation.participant_removed, user.deleted, conversation.link_removed.
-- Returns: number

-- Deletes ended calls and tracking sessions.
CREATE OR REPLACE FUNCTION purge_test_calls(tests uuid[], before timestamptz, batch_size int) RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  old uuid[] := ARRAY(SELECT id FROM calls WHERE workspace_id = ANY (tests)
    AND ended_at < before ORDER BY id LIMIT batch_size
    FOR UPDATE SKIP LOCKED);
  ended int;
BEGIN
  DELETE FROM call_signals WHERE call_id = ANY (old);
  DELETE FROM call_participants WHERE call_id = ANY (old);
  DELETE FROM calls WHERE id = ANY (old);
  DELETE FROM tracking_sessions WHERE id IN (SELECT id FROM tracking_sessions WHERE workspace_id = ANY (tests)
    AND status NOT IN ('pending', 'active') AND updated_at < before LIMIT batch_size);
  GET DIAGNOSTICS ended = ROW_COUNT;
  RETURN cardinality(old) + ended;
END $$;

-- Deletes templates, and marks segments as deleted, except those that a broadcast uses. purge_segments
-- deletes the members of the segments later.
CREATE OR REPLACE FUNCTION purge_test_lists(tests uuid[], before timestamptz, batch_size int) RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  lists int;
  texts int;
BEGIN
  UPDATE segments s SET deleted_at = now(), updated_at = now() WHERE s.id IN (
    SELECT o.id FROM segments o WHERE o.workspace_id = ANY (tests) AND o.deleted_at IS NULL
      AND o.updated_at < before
      AND NOT EXISTS (SELECT FROM broadcasts b WHERE b.workspace_id = o.workspace_id
        AND (b.audience->'segment_ids' ? o.id::text OR b.audience->'exclude'->'segment_ids' ? o.id::text))
    LIMIT batch_size);
  GET DIAGNOSTICS lists = ROW_COUNT;
  DELETE FROM templates t WHERE t.id IN (
    SELECT o.id FROM templates o WHERE o.workspace_id = ANY (tests) AND o.updated_at < before
      AND NOT EXISTS (SELECT FROM broadcasts b WHERE b.workspace_id = o.workspace_id AND b.template_id = o.id)
    LIMIT batch_size);
  GET DIAGNOSTICS texts = ROW_COUNT;
  RETURN lists + texts;
END $$;

-- Marks webhooks without recent deliveries as deleted. Later deletes their rows, when they have no more
-- deliveries.
CREATE OR REPLACE FUNCTION purge_test_webhooks(tests uuid[], before timestamptz, batch_size int) RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  ended int;
  gone int;
BEGIN
  UPDATE webhooks w SET deleted_at = now(), updated_at = now() WHERE w.id IN (
    SELECT o.id FROM webhooks o WHERE o.workspace_id = ANY (tests) AND o.deleted_at IS NULL
      AND o.updated_at < before
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = o.id AND d.created_at >= before)
    ORDER BY o.id LIMIT batch_size FOR NO KEY UPDATE SKIP LOCKED);
  GET DIAGNOSTICS ended = ROW_COUNT;
  DELETE FROM webhooks w WHERE w.id IN (
    SELECT o.id FROM webhooks o WHERE o.workspace_id = ANY (tests) AND o.deleted_at < before
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = o.id)
    LIMIT batch_size FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN ended + gone;
END $$;

-- Deletes ended changes of these broadcasts.
CREATE OR REPLACE FUNCTION purge_test_changes(of_broadcasts uuid[], batch_size int) RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  old uuid[] := ARRAY(SELECT id FROM broadcast_changes WHERE broadcast_id = ANY (of_broadcasts)
    AND status IN ('completed', 'stopped'));
  gone int;
BEGIN
  DELETE FROM broadcast_change_recipients WHERE (change_id, recipient_id) IN (
    SELECT change_id, recipient_id FROM broadcast_change_recipients
    WHERE change_id = ANY (old) LIMIT batch_size);
  GET DIAGNOSTICS gone = ROW_COUNT;
  old := ARRAY(SELECT c.id FROM unnest(old) AS c (id)
    WHERE NOT EXISTS (SELECT FROM broadcast_change_recipients x WHERE x.change_id = c.id));
  DELETE FROM broadcast_change_platforms WHERE change_id = ANY (old);
  DELETE FROM broadcast_changes WHERE id = ANY (old);
  RETURN gone + cardinality(old);
END $$;

CREATE OR REPLACE FUNCTION purge_test_data(batch_size int, keep interval) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  tests uuid[] := ARRAY(SELECT id FROM workspaces WHERE live_workspace_id IS NOT NULL);
  before timestamptz := now() - keep;
  done int;
  old uuid[];
  x record;
BEGIN
  done := purge_messages(ARRAY(SELECT m.id FROM messages m
      WHERE m.workspace_id = ANY (tests) AND m.created_at < before
    AND m.deleted_at IS NULL AND NOT has_pending_work(m) LIMIT batch_size FOR UPDATE SKIP LOCKED));
  done := done + purge_messages(ARRAY(SELECT m.id FROM messages m
      WHERE m.workspace_id = ANY (tests) AND m.created_at < before
    AND m.deleted_at IS NOT NULL AND NOT has_pending_work(m) LIMIT batch_size FOR UPDATE SKIP LOCKED));
  FOR x IN SELECT c.id, c.workspace_id, c.created_by FROM conversations c
    WHERE c.workspace_id = ANY (tests) AND c.deleted_at IS NULL AND c.created_at < before
      AND c.updated_at < before
      AND coalesce(c.last_message_at < before, true)
      AND NOT EXISTS (SELECT FROM calls k WHERE k.conversation_id = c.id AND k.created_at >= before)
      AND NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.deleted_at IS NULL)
    LIMIT 50
  LOOP
    PERFORM delete_conversation(jsonb_build_object('workspace_id', x.workspace_id, 'conversation_id', x.id,
      'viewer_id', x.created_by));
    UPDATE conversations SET deleted_at = before WHERE id = x.id;
    done := done + 1;
  END LOOP;
  FOR x IN SELECT u.id, u.workspace_id FROM users u
    WHERE u.workspace_id = ANY (tests) AND u.kind = 'contact' AND u.deleted_at IS NULL
      AND u.created_at < before
      AND u.updated_at < before AND NOT EXISTS (SELECT FROM participants p
        WHERE p.user_id = u.id AND p.left_at IS NULL
        AND EXISTS (SELECT FROM conversations c WHERE c.id = p.conversation_id AND c.deleted_at IS NULL))
    LIMIT 50
  LOOP
    PERFORM delete_contact(jsonb_build_object('workspace_id', x.workspace_id, 'id', x.id));
    done := done + 1;
  END LOOP;
  old := ARRAY(SELECT id FROM broadcasts WHERE workspace_id = ANY (tests) AND updated_at < before
    AND status IN ('draft', 'completed', 'expired', 'failed', 'canceled') LIMIT 20);
  WITH purged AS (DELETE FROM broadcast_recipients WHERE id IN (
    SELECT id FROM broadcast_recipients WHERE broadcast_id = ANY (old) LIMIT batch_size) RETURNING 1)
  SELECT done + count(*) INTO done FROM purged;
  done := done + purge_test_changes(old, batch_size);
  DELETE FROM broadcasts b WHERE b.id = ANY (old)
    AND NOT EXISTS (SELECT FROM broadcast_recipients r WHERE r.broadcast_id = b.id)
    AND NOT EXISTS (SELECT FROM broadcast_changes c WHERE c.broadcast_id = b.id);
  RETURN done + purge_test_calls(tests, before, batch_size) + purge_test_lists(tests, before, batch_size)
    + purge_test_webhooks(tests, before, batch_size);
END $$;
