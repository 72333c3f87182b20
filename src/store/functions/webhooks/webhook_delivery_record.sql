-- A delivery to a webhook in the form of the API.
--
-- Returns: WebhookDeliveryRecord

-- 128 bits in Crockford's base 32, five bits per character.
CREATE OR REPLACE FUNCTION ulid_text(id uuid) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
    substring(b FROM i * 5 + 1 FOR 5)::bit(5)::int + 1, 1), '' ORDER BY i)
  FROM (SELECT B'00' || ('x' || replace(id::text, '-', ''))::bit(128) AS b) bits, generate_series(0, 25) AS i
$$;

CREATE OR REPLACE FUNCTION webhook_delivery_record(d webhook_deliveries) RETURNS json
  LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', d.id, 'webhook_id', d.webhook_id, 'event_id', 'whk_' || ulid_text(d.event_id), 'event', d.event,
    'status', d.status, 'next_attempt_at', wire_time(d.next_attempt_at), 'attempts', d.attempts,
    'created_at', wire_time(d.created_at), 'updated_at', wire_time(d.updated_at))
$$;
