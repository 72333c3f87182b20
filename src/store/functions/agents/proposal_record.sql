-- A proposal as the dashboard shows it.
--
-- Returns: ProposalRecord
CREATE OR REPLACE FUNCTION proposal_record(p proposals) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', p.id, 'conversation_id', p.conversation_id, 'proposer', p.proposer,
    'text', p.text,
    'status', CASE WHEN p.status = 'pending' AND p.expires_at <= now() THEN 'expired' ELSE p.status END,
    'read_others', p.read_others, 'message_id', p.message_id,
    'created_at', wire_time(p.created_at), 'expires_at', wire_time(p.expires_at))
$$;
