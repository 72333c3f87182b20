-- How a restricted reader sees an event. `shown`: the reader gets it. `lost`: it takes a conversation out of
-- the view of the reader. `hidden`: the reader does not get it. Events of webhooks, broadcasts and the
-- installation are hidden. Members get all other events that belong to no conversation. Of these, keys with a
-- grant get only events of platforms.
--
-- Returns: 'shown' | 'lost' | 'hidden'

-- The conversation of an event. Null without one.
CREATE OR REPLACE FUNCTION event_conversation(e events) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT coalesce(e.conversation_id, (e.data->>'conversation_id')::uuid, (
    SELECT s.conversation_id FROM tracking_sessions s WHERE s.id = (e.data->>'tracking_session_id')::uuid))
$$;

CREATE OR REPLACE FUNCTION event_visibility(e events, reader uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN e.type = 'webhook.disabled' OR e.type LIKE 'broadcast.%' OR e.type LIKE 'service.%' THEN 'hidden'
    WHEN event_conversation(e) IS NULL THEN
      CASE WHEN e.type LIKE 'platform.%' OR NOT is_granted_key(reader) THEN 'shown' ELSE 'hidden' END
    WHEN sees_conversation(reader, event_conversation(e)) THEN 'shown'
    WHEN e.type IN ('conversation.updated', 'conversation.assigned') AND (
      is_of_own_teams(reader, NULL, (e.extra->'previous'->>'assignee_id')::uuid)
      OR EXISTS (SELECT FROM team_members m JOIN teams t ON t.id = m.team_id AND t.deleted_at IS NULL
        WHERE m.user_id = reader AND t.workspace_id = e.workspace_id
          AND t.name = e.extra->'previous'->>'team')) THEN 'lost'
    ELSE 'hidden' END
$$;
