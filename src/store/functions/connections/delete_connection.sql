-- Removes a connection and its links. Cancels unsent deliveries, and messages that were scheduled for these
-- links alone.
--
-- Locks: connections, messages, broadcasts.
-- Events: conversation.link_removed, delivery.updated, delivery.failed, delivery.uncertain, message.updated,
--   message.sent, message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Returns: { record: { id: string } } | Refusal
CREATE OR REPLACE FUNCTION delete_connection(workspace uuid, connection uuid) RETURNS json LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
DECLARE
  c connections;
  l links;
  chats uuid[] := '{}';
BEGIN
  SELECT * INTO c FROM connections WHERE id = connection AND workspace_id = workspace
    AND deleted_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found'); END IF;
  IF c.status <> 'disabled' THEN
    PERFORM move_connection(c.id, ARRAY[c.status], 'disabled',
      '{"code":"disabled","message":"Removed.","fix":null}', NULL, NULL);
  END IF;
  -- Two queries, each matching an index: deliveries in a lane, and deliveries without one.
  PERFORM cancel_deliveries(ARRAY(SELECT d.id FROM deliveries d
      WHERE d.connection_id = c.id AND d.duty = 'send' AND d.status = 'queued'
    UNION ALL SELECT d.id FROM deliveries d WHERE d.connection_id = c.id AND d.held AND d.status = 'queued'));
  FOR l IN UPDATE links SET removed_at = now(), updated_at = now()
    WHERE connection_id = c.id AND removed_at IS NULL RETURNING * LOOP
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    SELECT v.workspace_id, 'conversation.link_removed', v.id, conversation_record(v, NULL),
      json_build_object('link', link_record(l))
    FROM conversations v WHERE v.id = l.conversation_id;
    IF l.direction <> 'inbound' THEN chats := chats || l.conversation_id; END IF;
  END LOOP;
  PERFORM cancel_unlinked_messages(chats);
  UPDATE connections SET deleted_at = now(), enabled = false, credentials = NULL, updated_at = now()
  WHERE id = c.id;
  PERFORM pg_notify('connections', c.id::text);
  RETURN json_build_object('record', json_build_object('id', c.id));
END $$;
