-- Changes a conversation: input of lock_conversation with "viewer_id" and "patch".
--
-- Locks: conversations, users, teams.
-- Events: conversation.updated, conversation.status_changed, conversation.assigned.
-- Arguments: input: ConversationInput & { viewer_id: string; patch: ChangeConversationBody }
-- Returns: { record: ConversationRecord } | Refusal
CREATE OR REPLACE FUNCTION update_conversation(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
  n conversations;
  patch jsonb := input->'patch';
BEGIN
  n := c;
  IF patch->>'assignee_id' IS NOT NULL THEN
    -- Locks the member. A member who is being removed must not be assigned after their conversations were
    -- collected.
    PERFORM 1 FROM users WHERE id = (patch->>'assignee_id')::uuid
      AND workspace_id = c.workspace_id AND kind = 'member' AND deleted_at IS NULL FOR SHARE;
    IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"assignee_id"}'); END IF;
  END IF;
  IF patch ? 'status' THEN n := change_conversation_status(n, patch->>'status'); END IF;
  IF patch ? 'snoozed_until' AND (patch->>'snoozed_until' IS NOT NULL) <> (n.status = 'snoozed') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', c.status));
  END IF;
  IF patch->>'snoozed_until' IS NOT NULL THEN
    n.snoozed_until := (patch->>'snoozed_until')::timestamptz;
  END IF;
  IF patch ? 'title' THEN n.title := patch->>'title'; END IF;
  IF patch ? 'team' THEN n.team_id := find_or_create_team(c.workspace_id, patch->>'team'); END IF;
  IF patch ? 'assignee_id' THEN n.assignee_id := (patch->>'assignee_id')::uuid; END IF;
  IF patch ? 'labels' THEN n.labels := ARRAY(SELECT jsonb_array_elements_text(patch->'labels')); END IF;
  n.priority := coalesce(patch->>'priority', n.priority);
  n.metadata := coalesce(patch->'metadata', n.metadata);
  n := store_conversation(c, n);
  RETURN json_build_object('record', conversation_record(n, (input->>'viewer_id')::uuid));
END $$;
