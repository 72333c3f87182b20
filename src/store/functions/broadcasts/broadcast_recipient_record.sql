-- A recipient of a broadcast in the form of the API.
--
-- Returns: BroadcastRecipientRecord
CREATE OR REPLACE FUNCTION broadcast_recipient_record(r broadcast_recipients) RETURNS json
  LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', r.id, 'broadcast_id', r.broadcast_id, 'user_id', r.user_id, 'message_id', r.message_id,
    'platform', r.platform, 'address', r.address, 'variant', r.variant, 'status', r.status,
    'attempts', r.attempts, 'skip_reason', r.skip_reason, 'error', r.error,
    'queued_at', wire_time(r.queued_at), 'sent_at', wire_time(r.sent_at),
    'delivered_at', wire_time(r.delivered_at), 'read_at', wire_time(r.read_at),
    'created_at', wire_time(r.created_at), 'updated_at', wire_time(r.updated_at))
$$;
