-- Stores an envelope and applies its events. Returns {"stored": bool, "message": brief record | null,
-- "leased": the result of lease_copies}; stored is false for a duplicate. `state` is the status of the new
-- envelope; with `pending` its events are applied later. The member `error` of the envelope says why it is
-- dead. `local_connections` are the connections for which copies may be leased.
--
-- Locks: parked_events, links, messages, connections, broadcasts, users, conversations, an advisory lock,
--   tracking_sessions.
-- Events: conversation.participant_added, delivery.updated, delivery.failed, delivery.uncertain,
--   message.updated, message.sent, message.delivered, message.read, message.failed, broadcast.canceled,
--   broadcast.completed, user.status_changed, user.presence_changed, user.updated, user.opted_out,
--   user.opted_in, message.deleted, user.created, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.link_updated,
--   tracking.started, location.updated, conversation.participant_removed, platform.gap.
-- Arguments: envelope: Envelope & { error?: string }; inbound_events: AppliedEvent[];
--   state: 'processed' | 'unsupported' | 'pending' | 'dead'
-- Returns: ReceivedEnvelope | Refusal

-- The counters of this transaction, as {"dropped", "refused"}; null if there are none.
CREATE OR REPLACE FUNCTION inbound_counters() RETURNS jsonb LANGUAGE sql AS $$
  SELECT nullif(jsonb_strip_nulls(jsonb_build_object(
    'dropped', nullif(current_setting('trunkline.inbound_dropped', true), '')::int,
    'refused', nullif(current_setting('trunkline.inbound_refused', true), '')::int)), '{}')
$$;

CREATE OR REPLACE FUNCTION receive_envelope(connection uuid, envelope jsonb, inbound_events jsonb,
  state text, local_connections uuid[], lease_seconds int) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  n connections;
  stored uuid;
  applied record;
BEGIN
  SELECT * INTO n FROM connections WHERE id = connection AND deleted_at IS NULL;
  IF NOT FOUND THEN RETURN json_build_object('stored', false, 'message', NULL); END IF;
  INSERT INTO envelopes (workspace_id, connection_id, dedupe_key, lane, payload, context, status, error)
  VALUES (n.workspace_id, n.id, envelope->>'dedupeKey', envelope->>'lane',
    coalesce(envelope->'payload', 'null'),
    coalesce(envelope->'context', '{}'), state, left(envelope->>'error', 500))
  ON CONFLICT (connection_id, dedupe_key) DO NOTHING RETURNING id INTO stored;
  IF stored IS NULL THEN RETURN json_build_object('stored', false, 'message', NULL); END IF;
  SELECT * INTO applied FROM apply_inbound_events(n, add_envelope_id(inbound_events, stored), now());
  IF state = 'pending' THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('envelope', jsonb_build_object('envelope_id', stored), now() + interval '5 s');
  END IF;
  INSERT INTO connection_inflow AS i (connection_id, slot, workspace_id, received, last_event_at)
  VALUES (n.id, pg_backend_pid() % 64, n.workspace_id, 1, now())
  ON CONFLICT (connection_id, slot) DO UPDATE SET received = i.received + 1, last_event_at = now();
  RETURN json_build_object('stored', true, 'notes', inbound_counters(), 'message',
    CASE WHEN applied.answer IS NOT NULL THEN json_build_object('id', applied.answer->'id') END,
    'leased', CASE WHEN applied.made IS NOT NULL
      THEN lease_copies(applied.made, local_connections, lease_seconds) END);
END $$;
