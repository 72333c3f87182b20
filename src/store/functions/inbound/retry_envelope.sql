-- Retries an envelope whose events could not be applied on arrival.
--
-- Locks: envelopes, parked_events, links, messages, connections, broadcasts, users, conversations, an
--   advisory lock, tracking_sessions.
-- Events: conversation.participant_added, delivery.updated, delivery.failed, delivery.uncertain,
--   message.updated, message.sent, message.delivered, message.read, message.failed, broadcast.canceled,
--   broadcast.completed, user.status_changed, user.presence_changed, user.updated, user.opted_out,
--   user.opted_in, message.deleted, user.created, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.link_updated,
--   tracking.started, location.updated, conversation.participant_removed, platform.gap.
-- Arguments: inbound_events: AppliedEvent[]
-- Returns: void | Refusal
CREATE OR REPLACE FUNCTION retry_envelope(envelope uuid, inbound_events jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  n connections;
  v envelopes;
  made uuid[];
BEGIN
  SELECT * INTO v FROM envelopes WHERE id = envelope AND status = 'pending' FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT * INTO n FROM connections WHERE id = v.connection_id;
  made := (apply_inbound_events(n, add_envelope_id(inbound_events, v.id), v.received_at)).made;
  IF made IS NOT NULL THEN PERFORM lease_copies(made, '{}', 0); END IF;
  UPDATE envelopes SET status = 'processed', error = NULL WHERE id = v.id;
END $$;
