-- A link between a conversation and a chat in the form of the API.
--
-- Returns: LinkRecord
CREATE OR REPLACE FUNCTION link_record(l links) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', l.id, 'conversation_id', l.conversation_id, 'connection_id', l.connection_id,
      'platform', l.platform,
    'external_id', l.external_id, 'external_thread_id', l.external_thread_id, 'title', l.title,
    'direction', l.direction, 'attribution', l.attribution, 'status', l.status,
    'last_inbound_at', wire_time(l.last_inbound_at), 'last_outbound_at', wire_time(l.last_outbound_at),
    'created_at', wire_time(l.created_at), 'updated_at', wire_time(l.updated_at))
$$;
