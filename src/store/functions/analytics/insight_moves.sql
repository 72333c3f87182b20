-- The changes of conversations and calls in a range of events, of all workspaces or of one: the last state of
-- each, and the flows. An event that was reduced to its ids, such as one about an erased contact, uses the
-- present state of its record.
--
-- Returns: InsightMove[]
CREATE OR REPLACE FUNCTION insight_moves(after bigint, upto bigint, workspace uuid)
  RETURNS SETOF insight_move LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY WITH moves AS (
    SELECT e.position, e.type, e.workspace_id, e.occurred_at, split_part(e.type, '.', 1) AS subject,
      e.data->>'truncated' AS cut, d.*
    FROM events e CROSS JOIN LATERAL json_to_record(e.data) AS d (id uuid, status text, platform text,
      created_at timestamptz, started_at timestamptz, answered_at timestamptz, duration bigint,
        assignee_id uuid,
      initiator_id uuid)
    WHERE e.position > after AND e.position <= upto AND (workspace IS NULL OR e.workspace_id = workspace)
      AND e.type IN ('conversation.created', 'conversation.updated', 'conversation.status_changed',
        'conversation.assigned',
        'call.created', 'call.ringing', 'call.answered', 'call.ended', 'call.failed')
  ), known AS (
    SELECT * FROM moves WHERE cut IS NULL
    UNION ALL
    SELECT t.position, t.type, t.workspace_id, t.occurred_at, t.subject, t.cut, c.id, c.status, p.platform,
      c.created_at, NULL, NULL,
      NULL, c.assignee_id, NULL
    FROM moves t JOIN conversations c ON c.id = t.id LEFT JOIN shown_platform(c.id, c.last_link_id) p ON true
    WHERE t.cut IS NOT NULL AND t.subject = 'conversation'
    UNION ALL
    SELECT t.position, t.type, t.workspace_id, t.occurred_at, t.subject, t.cut, c.id, c.status, c.platform,
      c.created_at, c.started_at,
      c.answered_at, c.duration, NULL, c.initiator_id
    FROM moves t JOIN calls c ON c.id = t.id WHERE t.cut IS NOT NULL AND t.subject = 'call'
  ), ranked AS (
    SELECT t.*, bool_or(t.type LIKE '%.created') OVER (PARTITION BY t.id) AS born,
      row_number() OVER (PARTITION BY t.id ORDER BY t.position DESC) AS rank FROM known t
  )
  SELECT r.id, r.workspace_id, r.subject || 's', false, r.born,
    utc_hour(coalesce(r.started_at, r.created_at)),
    coalesce(r.platform, ''), r.status, coalesce(r.initiator_id, r.assignee_id, no_agent()),
    CASE r.subject WHEN 'conversation' THEN '{"created":1}'
      ELSE jsonb_build_object('started', 1, 'answered', (r.answered_at IS NOT NULL)::int,
        'failed', (r.status = 'failed')::int, 'duration_seconds', coalesce(r.duration, 0)) END
  FROM ranked r WHERE r.rank = 1
  UNION ALL
  SELECT NULL, r.workspace_id, 'conversations', true, false, utc_hour(r.occurred_at),
    coalesce(r.platform, ''), r.status,
    coalesce(r.assignee_id, no_agent()), '{"resolved":1}'
  FROM ranked r WHERE r.type = 'conversation.status_changed' AND r.status = 'resolved'
    AND (r.cut IS NULL OR r.rank = 1);
END $$;
