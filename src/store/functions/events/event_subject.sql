-- The subject of an event. An endpoint has at most one delivery per subject in flight.
--
-- Returns: string
CREATE OR REPLACE FUNCTION event_subject(e events) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(CASE split_part(e.type, '.', 1)
    WHEN 'call' THEN e.data->>'id'
    WHEN 'user' THEN coalesce(e.data->>'user_id', e.data->>'id')
    WHEN 'location' THEN e.data->>'user_id'
    WHEN 'tracking' THEN e.data->>'id'
    WHEN 'broadcast' THEN e.data->>'id'
    WHEN 'platform' THEN e.data->>'id'
    WHEN 'webhook' THEN e.data->>'webhook_id'
    ELSE e.conversation_id::text END, '')
$$;
