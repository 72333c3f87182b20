-- Applies the events of an envelope in order, with their time of arrival. Returns the record of the last
-- created or changed message, and the ids of the created messages, whose copies are still to be leased or
-- announced.
--
-- Locks: parked_events, links, messages, connections, broadcasts, users, conversations, an advisory lock,
--   tracking_sessions.
-- Events: conversation.participant_added, delivery.updated, delivery.failed, delivery.uncertain,
--   message.updated, message.sent, message.delivered, message.read, message.failed, broadcast.canceled,
--   broadcast.completed, user.status_changed, user.presence_changed, user.updated, user.opted_out,
--   user.opted_in, message.deleted, user.created, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.link_updated,
--   tracking.started, location.updated, conversation.participant_removed, platform.gap.
-- Returns: { answer: unknown; made: string[] }
CREATE OR REPLACE FUNCTION apply_inbound_events(n connections, inbound_events jsonb, arrived timestamptz,
  OUT answer json, OUT made uuid[]) LANGUAGE plpgsql AS $$
DECLARE
  e jsonb;
  record json;
BEGIN
  FOR e IN SELECT jsonb_array_elements(inbound_events) LOOP
    IF e->>'type' IN ('message_edited', 'message_deleted', 'reaction', 'reactions_cleared', 'membership',
      'chat_renamed') THEN
      e := e || jsonb_build_object('order', change_order(e, arrived));
    END IF;
    record := apply_inbound_event(n, e);
    answer := coalesce(record, answer);
    IF e->>'type' = 'message' AND record IS NOT NULL THEN made := made || (record->>'id')::uuid; END IF;
  END LOOP;
END $$;
