-- Stores a changed conversation with its events, and the timer of a snooze.
--
-- Events: conversation.updated, conversation.status_changed, conversation.assigned.
-- Returns: ConversationRow

-- The fields of a conversation that a change can affect.
CREATE OR REPLACE FUNCTION conversation_fields(c conversations) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('title', c.title, 'team', team_name(c.team_id), 'status', c.status,
    'assignee_id', c.assignee_id,
    'snoozed_until', wire_time(c.snoozed_until), 'labels', c.labels, 'priority', c.priority,
    'closed_at', wire_time(c.closed_at), 'metadata', c.metadata)
$$;

CREATE OR REPLACE FUNCTION store_conversation(was conversations, n conversations) RETURNS conversations
  LANGUAGE plpgsql AS $$
DECLARE
  previous jsonb;
BEGIN
  SELECT jsonb_object_agg(k, v) INTO previous FROM jsonb_each(conversation_fields(was)) AS f (k, v)
  WHERE conversation_fields(n)->k <> v;
  IF previous IS NULL THEN RETURN was; END IF;
  UPDATE conversations SET title = n.title, team_id = n.team_id, status = n.status,
    assignee_id = n.assignee_id, snoozed_until = n.snoozed_until, labels = n.labels, priority = n.priority,
    closed_at = n.closed_at, metadata = n.metadata, updated_at = now()
  WHERE id = n.id RETURNING * INTO n;
  -- Later times are handled by the daily sweep.
  IF n.snoozed_until < now() + interval '365 days' AND previous ? 'snoozed_until' THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('timer', jsonb_build_object('conversation_id', n.id), n.snoozed_until);
  END IF;
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT n.workspace_id, e.type, n.id, conversation_record(n, NULL), json_build_object('previous', e.previous)
  FROM (VALUES
    ('conversation.updated', previous - 'assignee_id' - CASE WHEN previous ? 'status'
      THEN ARRAY['status', 'snoozed_until', 'closed_at'] ELSE '{}' END),
    ('conversation.status_changed', CASE WHEN previous ? 'status'
      THEN previous - ARRAY['title', 'team', 'labels', 'priority', 'metadata', 'assignee_id'] ELSE '{}' END),
    ('conversation.assigned',
      previous - ARRAY['title', 'team', 'labels', 'priority', 'metadata', 'status', 'snoozed_until',
      'closed_at'])) AS e (type, previous)
  WHERE e.previous <> '{}';
  RETURN n;
END $$;
