-- Helpers for notifications.

-- Whether a member gets pushes about conversations with this assignee. `n` may be null.
CREATE OR REPLACE FUNCTION should_push(assignee uuid, person uuid, n notification_choices) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN assignee IS NULL THEN coalesce(n.push_unassigned, true)
    ELSE assignee = person AND coalesce(n.push_mine, true) END
$$;

-- The subscription of a session that may get pushes now. The session must be current, and its member must be
-- active. A session ends 8 hours after its last use.
CREATE OR REPLACE FUNCTION active_push_subscription(session uuid) RETURNS SETOF push_subscriptions
  LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT s.* FROM push_subscriptions s
  JOIN sessions o ON o.id = s.session_id AND o.expires_at > now()
    AND o.last_seen_at > now() - interval '8 hours'
  JOIN users u ON u.id = s.user_id AND u.status = 'active' AND u.role IS NOT NULL AND u.deleted_at IS NULL
  WHERE s.session_id = session
$$;

-- The content and the address of a push for a message. Null if the push must not be sent: its session has
-- ended, the member is suspended, has the conversation open or may not see it, the message was deleted, the
-- push is older than an hour, or the conversation has another assignee now.
CREATE OR REPLACE FUNCTION message_push_content(d push_deliveries) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('session_id', d.session_id, 'tag', d.tag, 'message_id', d.message_id,
    'tries', d.tries, 'endpoint', s.endpoint, 'p256dh', s.p256dh, 'auth', s.auth,
    'conversation_number', c.number, 'name', left(f.display_name, 100),
    'text', CASE WHEN coalesce(n.push_shows_text, true) THEN left(m.text, 1000) END,
    'content_type', m.content_type, 'call', NULL)
  FROM active_push_subscription(d.session_id) s
  JOIN messages m ON m.id = d.message_id AND m.deleted_at IS NULL
  JOIN conversations c ON c.id = m.conversation_id AND c.workspace_id = s.workspace_id
    AND c.deleted_at IS NULL
  JOIN users f ON f.id = m.sender_id
  LEFT JOIN notification_choices n ON n.user_id = s.user_id
  WHERE d.created_at > now() - interval '1 hour'
    AND should_push(c.assignee_id, s.user_id, n) AND sees_conversation(s.user_id, c.id)
    AND NOT EXISTS (SELECT FROM conversation_viewers v WHERE v.workspace_id = s.workspace_id
      AND v.conversation_id = c.id AND v.user_id = s.user_id AND v.seen_until >= now())
$$;

-- The content and the address of a push for a call. Null also if the call no longer rings for the member, or
-- if the member may not answer calls.
CREATE OR REPLACE FUNCTION call_push_content(d push_deliveries) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('session_id', d.session_id, 'tag', d.tag, 'message_id', NULL,
    'tries', d.tries, 'endpoint', s.endpoint, 'p256dh', s.p256dh, 'auth', s.auth,
    'conversation_number', v.number, 'name', left(f.display_name, 100), 'text', NULL, 'content_type', 'text',
    'call', json_build_object('id', c.id, 'type', c.type, 'is_missed', d.is_missed,
      'seconds', greatest(1, ceil(extract(epoch FROM c.started_at - now()) + c.ring_timeout))::int))
  FROM active_push_subscription(d.session_id) s JOIN users u ON u.id = s.user_id AND u.role <> 'viewer'
  JOIN calls c ON c.id = d.call_id AND c.workspace_id = s.workspace_id
  JOIN call_participants p ON p.call_id = c.id AND p.user_id = s.user_id AND p.removed_at IS NULL
    AND p.status = CASE WHEN d.is_missed THEN 'missed' ELSE 'ringing' END
  JOIN conversations v ON v.id = c.conversation_id AND v.deleted_at IS NULL
  JOIN users f ON f.id = c.initiator_id
  LEFT JOIN notification_choices n ON n.user_id = s.user_id
  WHERE d.created_at > now() - interval '1 hour' AND coalesce(n.push_calls, true)
    AND sees_conversation(s.user_id, c.conversation_id)
$$;

-- The content and the address of a push. Null if it must not be sent.
CREATE OR REPLACE FUNCTION push_content(d push_deliveries) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN d.call_id IS NULL THEN message_push_content(d) ELSE call_push_content(d) END
$$;
