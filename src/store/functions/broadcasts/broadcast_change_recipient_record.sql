-- A recipient of a change of a broadcast as the dashboard shows it.
--
-- Returns: BroadcastChangeRecipientRecord
CREATE OR REPLACE FUNCTION broadcast_change_recipient_record(x broadcast_change_recipients) RETURNS json
  LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', x.id, 'user_id', r.user_id, 'message_id', x.recipient_id,
    'platform', x.platform, 'address', r.address, 'result', x.result, 'reason', x.reason,
    'created_at', wire_time(x.created_at))
  FROM (SELECT) o LEFT JOIN broadcast_recipients r ON r.id = x.recipient_id
$$;
