-- Helpers for notifications.

-- Whether a member gets pushes about conversations with this assignee. `n` may be null.
CREATE OR REPLACE FUNCTION wants_push(assignee uuid, person uuid, n notification_choices) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN assignee IS NULL THEN coalesce(n.push_unassigned, true)
    ELSE assignee = person AND coalesce(n.push_mine, true) END
$$;

-- What a push contains and where it goes. Null for one that must not be sent: its session has ended, the
-- member is suspended or has the conversation open, the message is gone or an hour old, it is another
-- member's by now, or the member does not see the conversation.
CREATE OR REPLACE FUNCTION push_content(d push_deliveries) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('session_id', d.session_id, 'conversation_id', d.conversation_id,
    'message_id', d.message_id, 'tries', d.tries, 'endpoint', s.endpoint, 'p256dh', s.p256dh, 'auth', s.auth,
    'conversation_number', c.number, 'name', left(f.display_name, 100),
    'text', CASE WHEN coalesce(n.push_shows_text, true) THEN left(m.text, 1000) END,
    'content_type', m.content_type)
  FROM push_subscriptions s
  -- As sessions are found: 8 hours after its last use, one has ended.
  JOIN sessions o ON o.id = s.session_id AND o.expires_at > now()
    AND o.last_seen_at > now() - interval '8 hours'
  JOIN users u ON u.id = s.user_id AND u.status = 'active' AND u.role IS NOT NULL AND u.deleted_at IS NULL
  JOIN messages m ON m.id = d.message_id AND m.deleted_at IS NULL
  JOIN conversations c ON c.id = m.conversation_id AND c.workspace_id = s.workspace_id
    AND c.deleted_at IS NULL
  JOIN users f ON f.id = m.sender_id
  LEFT JOIN notification_choices n ON n.user_id = s.user_id
  WHERE s.session_id = d.session_id AND d.created_at > now() - interval '1 hour'
    AND wants_push(c.assignee_id, s.user_id, n) AND sees_conversation(s.user_id, c.id)
    AND NOT EXISTS (SELECT FROM conversation_viewers v WHERE v.workspace_id = s.workspace_id
      AND v.conversation_id = c.id AND v.user_id = s.user_id AND v.seen_until >= now())
$$;
