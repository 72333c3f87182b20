-- Finds work whose job was lost or that has expired. Returns the connections with work.
--
-- Locks: messages, connections, broadcasts, parked_events, links, users, conversations, an advisory lock.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed,
--   user.status_changed, user.presence_changed, user.updated, user.opted_out, user.opted_in, message.deleted,
--   conversation.participant_added, user.created, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.link_updated.
-- Returns: string[]

-- Cancels deliveries that entered the lane of a chat while it was being unlinked. Neither transaction saw the
-- other, so no worker would send them. For a removed connection, which loses all links at once, reads the
-- queued deliveries instead of the links.
CREATE OR REPLACE FUNCTION cancel_in_removed_lanes() RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
DECLARE
  items jsonb;
BEGIN
  SELECT jsonb_agg(jsonb_build_object('id', d.id, 'from', '["queued"]'::jsonb, 'to', 'canceled'))
  INTO items FROM (
    SELECT d.id FROM connections k CROSS JOIN LATERAL (
      SELECT e.id FROM links l CROSS JOIN LATERAL (
        SELECT x.id FROM deliveries x WHERE x.connection_id = k.id AND x.lane = l.id
          AND x.status = 'queued' OFFSET 0) e
      WHERE k.deleted_at IS NULL AND l.connection_id = k.id AND (l.removed_at IS NULL) IS FALSE
        AND l.removed_at > now() - interval '5 minutes'
      UNION ALL
      SELECT x.id FROM deliveries x WHERE k.deleted_at > now() - interval '5 minutes'
        AND x.connection_id = k.id
        AND x.duty = 'send' AND x.status = 'queued') d LIMIT 1000) d;
  IF items IS NOT NULL THEN PERFORM move_deliveries(items); END IF;
END $$;

-- Matches events and messages that were committed at the same time without seeing each other. For the
-- sweeper.
CREATE OR REPLACE FUNCTION match_parked_events() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  late record;
  n connections;
BEGIN
  FOR late IN
    SELECT DISTINCT x.message_id, x.connection_id, x.external_chat_id, x.external_id FROM (
      SELECT * FROM parked_events WHERE waits AND event->>'type' <> 'receipt'
        AND received_at < now() - interval '2 s' ORDER BY id DESC LIMIT 2000) e
    JOIN remote_messages x ON x.connection_id = e.connection_id AND x.external_chat_id = e.external_chat_id
      AND x.external_id = e.external_id
    WHERE x.delivery_id IS NULL ORDER BY x.message_id
  LOOP
    SELECT * INTO n FROM connections WHERE id = late.connection_id;
    PERFORM create_reactor_contacts(n, find_parked_events(n, late.external_chat_id, late.external_id), NULL);
    PERFORM apply_parked_events_of_message(n, late.external_chat_id, late.external_id, late.message_id);
  END LOOP;
END $$;

-- The delivery that a copied text in a chat may come from and that is not recorded as sent yet.
CREATE OR REPLACE FUNCTION find_unrecorded_original(n connections, source text, content text)
  RETURNS deliveries
  LANGUAGE sql STABLE AS $$
  SELECT d FROM links l
  CROSS JOIN LATERAL (SELECT x.id, x.text FROM messages x WHERE x.conversation_id = l.conversation_id
    AND x.created_at > now() - interval '1 day' ORDER BY x.created_at DESC LIMIT 100) m
  JOIN deliveries d ON d.message_id = m.id AND d.link_id = l.id AND d.status IN ('sending', 'uncertain')
  WHERE l.connection_id = n.id AND l.external_id = source AND l.removed_at IS NULL AND m.text <> ''
    AND content <> '' AND (strpos(m.text, content) > 0 OR strpos(content, m.text) > 0) LIMIT 1
$$;

-- Copies whose original was not found within a minute become messages. For the sweeper.
CREATE OR REPLACE FUNCTION release_unmatched_copies() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parked parked_events;
  n connections;
  writer connections;
  e jsonb;
  ours deliveries;
  record json;
  made uuid[];
BEGIN
  FOR parked IN SELECT * FROM parked_events WHERE event->>'type' = 'copy'
    AND received_at < now() - interval '1 minute'
    ORDER BY received_at LIMIT 50 FOR UPDATE SKIP LOCKED
  LOOP
    DELETE FROM parked_events WHERE id = parked.id;
    SELECT * INTO writer FROM connections WHERE id = parked.connection_id;
    SELECT * INTO n FROM connections
    WHERE id = coalesce((parked.event->>'connection_id')::uuid, writer.id) AND deleted_at IS NULL;
    CONTINUE WHEN NOT FOUND;
    e := parked.event->'event';
    ours := find_unrecorded_original(writer, parked.external_chat_id, e->'content'->>'text');
    IF ours.id IS NOT NULL THEN
      PERFORM add_message_alias(n, e->'chat'->>'id', e->>'messageId', ours.message_id, ours.id);
    ELSIF is_known_message(writer, parked.external_chat_id, parked.external_id) THEN
      PERFORM resolve_copy(n, e);
    ELSE
      record := apply_inbound_message(n, e - 'copyOf');
      CONTINUE WHEN record IS NULL;
      made := made || (record->>'id')::uuid;
      PERFORM add_message_alias(writer, parked.external_chat_id, parked.external_id,
        (record->>'id')::uuid, NULL);
    END IF;
  END LOOP;
  IF made IS NOT NULL THEN PERFORM lease_copies(made, '{}', 0); END IF;
END $$;

-- Matches reactions and removals that were committed at the same time without seeing each other. For the
-- sweeper.
CREATE OR REPLACE FUNCTION match_reaction_removals() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parked parked_events;
BEGIN
  FOR parked IN
    SELECT x.* FROM (SELECT * FROM parked_events
      WHERE waits AND event ? 'reactionId' AND external_id = reaction_key(event->>'reactionId')
      AND received_at < now() - interval '2 s' ORDER BY id DESC LIMIT 2000) y
    JOIN parked_events x ON x.id = y.id AND x.waits
    JOIN links l ON l.connection_id = x.connection_id AND l.external_id = x.external_chat_id
      AND l.removed_at IS NULL
    JOIN reactions r ON r.link_id = l.id AND r.external_id = x.event->>'reactionId' ORDER BY r.message_id
    FOR UPDATE OF x SKIP LOCKED
  LOOP
    PERFORM remove_reaction_by_id(n, parked.event) FROM connections n WHERE n.id = parked.connection_id;
    PERFORM close_parked_event(parked);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION sweep_deliveries() RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  woken uuid[];
BEGIN
  PERFORM expire_deliveries();
  PERFORM cancel_in_removed_lanes();

  -- An event and the record of its send that were committed at the same time did not see each other.
  PERFORM apply_parked_events(ARRAY(SELECT DISTINCT x.delivery_id FROM (
      SELECT * FROM parked_events WHERE waits AND received_at < now() - interval '2 s' ORDER BY id DESC
        LIMIT 500) e
    JOIN remote_messages x ON x.connection_id = e.connection_id AND x.external_chat_id = e.external_chat_id
      AND x.external_id = e.external_id JOIN deliveries d ON d.id = x.delivery_id
      AND (e.event->>'type' <> 'receipt' OR d.status NOT IN ('queued', 'sending'))));
  PERFORM match_parked_events();
  PERFORM match_reaction_removals();
  PERFORM release_unmatched_copies();

  SELECT array_agg(c.id) INTO woken FROM connections c WHERE c.deleted_at IS NULL AND c.enabled AND (
    EXISTS (SELECT 1 FROM deliveries d WHERE d.connection_id = c.id AND d.duty = 'send'
      AND d.status = 'queued'
      AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now()))
    OR EXISTS (SELECT 1 FROM deliveries d WHERE d.connection_id = c.id
      AND d.duty IN ('edit', 'delete', 'lookup')
      AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now())));
  RETURN coalesce(woken, '{}');
END $$;
