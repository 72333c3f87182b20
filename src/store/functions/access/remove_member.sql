-- Erases a member. The content that the member wrote is kept under an id without personal data.
--
-- Locks: workspaces, users, conversations.
-- Events: user.deleted, conversation.participant_removed, conversation.updated, conversation.status_changed,
--   conversation.assigned.
-- Arguments: input: { workspace_id: string; id: string }
-- Returns: { record: null } | Refusal

-- Removes a user from every conversation, as a participant and as the assignee. Locks: the conversations by
-- id, then their live calls.
CREATE OR REPLACE FUNCTION remove_from_conversations(person uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  n conversations;
BEGIN
  FOR c IN SELECT * FROM conversations WHERE deleted_at IS NULL AND id IN (
      SELECT conversation_id FROM participants WHERE user_id = person AND left_at IS NULL
      UNION SELECT a.id FROM users u JOIN conversations a ON a.workspace_id = u.workspace_id
        AND a.assignee_id = u.id
        AND a.deleted_at IS NULL WHERE u.id = person)
    ORDER BY id FOR NO KEY UPDATE
  LOOP
    n := c;
    IF c.assignee_id = person THEN
      n.assignee_id := NULL;
      n := store_conversation(c, n);
    END IF;
    UPDATE participants SET left_at = now() WHERE conversation_id = c.id AND user_id = person
      AND left_at IS NULL;
    IF FOUND THEN
      PERFORM announce_conversation_change(n, 'conversation.participant_removed',
        json_build_object('user_id', person));
    END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION remove_member(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users := lock_member((input->>'workspace_id')::uuid, (input->>'id')::uuid);
BEGIN
  PERFORM refuse_without_owner(u);
  PERFORM revoke_credentials(u.id);
  DELETE FROM invitations WHERE user_id = u.id;
  DELETE FROM second_steps WHERE user_id = u.id;
  DELETE FROM message_drafts WHERE user_id = u.id;
  DELETE FROM notification_choices WHERE user_id = u.id;
  PERFORM notify_team(m.team_id) FROM team_members m WHERE m.user_id = u.id;
  DELETE FROM team_members WHERE user_id IN (SELECT id FROM users WHERE id = u.id OR live_user_id = u.id);
  DELETE FROM chat_codes WHERE user_id IN (SELECT id FROM users WHERE id = u.id OR live_user_id = u.id);
  DELETE FROM chat_identities WHERE user_id IN (SELECT id FROM users WHERE id = u.id OR live_user_id = u.id);
  DELETE FROM provider_identities WHERE user_id = u.id;
  PERFORM remove_from_conversations(p.id)
  FROM (SELECT id FROM users WHERE (id = u.id OR live_user_id = u.id) AND deleted_at IS NULL
    ORDER BY id FOR NO KEY UPDATE) p;
  PERFORM start_erasure(p, '{}') FROM users p WHERE (p.id = u.id OR p.live_user_id = u.id)
    AND p.deleted_at IS NULL;
  DELETE FROM identities WHERE user_id IN (SELECT id FROM users WHERE id = u.id OR live_user_id = u.id);
  WITH erased AS (
    UPDATE users SET status = 'deleted', role = NULL, operator = false,
      username = 'deleted_' || replace(id::text, '-', ''),
      display_name = 'Deleted user', email = '', password_hash = NULL, profile_image = NULL,
        presence = 'offline',
      last_seen_at = NULL, phone = NULL, locale = NULL, timezone = NULL, channel_priority = '{}',
        metadata = '{}',
      consent = '{"marketing":"unknown","notification":"unknown","tracking":"unknown"}', updated_at = now(),
        deleted_at = now()
    WHERE (id = u.id OR live_user_id = u.id) AND deleted_at IS NULL RETURNING id, workspace_id, deleted_at
  )
  INSERT INTO events (workspace_id, type, data)
  SELECT workspace_id, 'user.deleted', json_build_object('id', id, 'deleted_at', wire_time(deleted_at))
  FROM erased;
  RETURN json_build_object('record', NULL);
END $$;
