-- Applies one event of a platform. Returns the record of the message that it created, if any.
--
-- Locks: parked_events, links, messages, connections, broadcasts, users, conversations, an advisory lock,
--   tracking_sessions.
-- Events: conversation.participant_added, delivery.updated, delivery.failed, delivery.uncertain,
--   message.updated, message.sent, message.delivered, message.read, message.failed, broadcast.canceled,
--   broadcast.completed, user.status_changed, user.presence_changed, user.updated, user.opted_out,
--   user.opted_in, message.deleted, user.created, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.link_updated,
--   tracking.started, location.updated, conversation.participant_removed, platform.gap.
-- Returns: unknown

-- Stores the new title of a chat with its link, unless a later renaming is stored.
CREATE OR REPLACE FUNCTION rename_chat(n connections, e jsonb) RETURNS void LANGUAGE sql AS $$
  WITH renamed AS (
    UPDATE links SET title = left(e->>'title', 256), title_order = e->>'order', updated_at = now()
    WHERE connection_id = n.id AND (title_order > e->>'order') IS NOT TRUE AND external_id = e->'chat'->>'id'
      AND coalesce(external_thread_id, '') = coalesce(e->'chat'->>'threadId', '') AND removed_at IS NULL
    RETURNING links
  )
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT c.workspace_id, 'conversation.link_updated', c.id, conversation_record(c, NULL),
    json_build_object('link', link_record(r.links))
  FROM renamed r JOIN conversations c ON c.id = (r.links).conversation_id
$$;

-- A receipt for an unknown message waits until its send is recorded.
CREATE OR REPLACE FUNCTION apply_inbound_receipt(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  failure jsonb := CASE WHEN jsonb_typeof(e->'failure') = 'object'
    THEN jsonb_build_object('code', e->'failure'->>'reason',
    'message', e->'failure'->>'message', 'permanent', true, 'platform_code', e->'failure'->>'code') END;
BEGIN
  IF NOT apply_receipt(n.id, e->'chat'->>'id', e->>'messageId', e->>'status', failure,
    (e->>'at')::timestamptz, e->>'reference') THEN
    INSERT INTO parked_events (connection_id, external_chat_id, external_id, workspace_id, event, expires_at)
    VALUES (n.id, coalesce(e->'chat'->>'id', ''), e->>'messageId', n.workspace_id,
      jsonb_build_object('type', 'receipt', 'status', e->>'status', 'failure', failure,
        'at', e->>'at', 'reference', e->>'reference'),
      now() + interval '2 days');
  END IF;
END $$;

-- Reports that events of the platform may be missing: as an event, and in the record of the connection, which
-- has the last ten. An adapter may report a gap again, also in another envelope. The key in service_faults
-- makes one event of it.
CREATE OR REPLACE FUNCTION report_gap(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  gap jsonb := jsonb_build_object('since', wire_time((e->>'since')::timestamptz), 'until', wire_time(now()),
    'reason', left(e->>'reason', 500));
  c connections;
BEGIN
  INSERT INTO service_faults (fault, reported_at)
  VALUES (format('platform.gap %s %s %s', n.id, gap->>'since', hashtextextended(gap->>'reason', 0)), now())
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE connections SET updated_at = now(), health = jsonb_set(health, '{gaps}', (
    SELECT jsonb_agg(g ORDER BY at) FROM jsonb_array_elements(gap || coalesce(health->'gaps', '[]'))
      WITH ORDINALITY AS x (g, at) WHERE at <= 10))
  WHERE id = n.id AND deleted_at IS NULL RETURNING * INTO c;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO events (workspace_id, type, data, extra)
  VALUES (c.workspace_id, 'platform.gap', connection_record(c), jsonb_build_object('gap', gap));
END $$;

CREATE OR REPLACE FUNCTION apply_inbound_event(n connections, e jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
BEGIN
  CASE e->>'type'
    WHEN 'message' THEN RETURN apply_inbound_message(n, e);
    WHEN 'message_edited' THEN RETURN apply_inbound_edit(n, e);
    WHEN 'message_deleted' THEN PERFORM apply_inbound_deletion(n, e);
    WHEN 'receipt' THEN PERFORM apply_inbound_receipt(n, e);
    WHEN 'chat_moved' THEN
      PERFORM move_chat(n.id, e->'chat'->>'id', e->>'toChatId', coalesce((e->>'renumbered')::boolean, false));
    WHEN 'chat_renamed' THEN PERFORM rename_chat(n, e);
    WHEN 'gap' THEN PERFORM report_gap(n, e);
    WHEN 'location' THEN PERFORM store_platform_location(n, e);
    WHEN 'consent' THEN
      u := find_or_create_contact(n.workspace_id, n.platform, e->'user'->>'id', e->'user'->>'handle',
        e->'user'->>'displayName', NULL);
      IF e->>'change' <> 'opted_out' THEN
        PERFORM set_reachable(i.id, true) FROM identities i
        WHERE i.workspace_id = n.workspace_id AND i.platform = n.platform
          AND i.external_id = e->'user'->>'id' AND NOT i.reachable;
      END IF;
      PERFORM apply_platform_consent(u.id,
        CASE e->>'change' WHEN 'opted_out' THEN 'denied' ELSE 'granted' END);
    ELSE PERFORM apply_inbound_signal(n, e);
  END CASE;
  RETURN NULL;
END $$;
