-- Imports a conversation of another inbox without its messages. Its id is derived from the conversation
-- there, so that a repeated call finds it and changes nothing. A chat that is linked to an older imported
-- conversation is linked to this one instead, because the link of a chat belongs to its latest conversation.
-- A chat that is linked to any other conversation keeps its link. Writes no events. A dry run changes
-- nothing.
--
-- Locks: conversations, links, users, teams, list_progress.
-- Arguments: input: InboxConversation & { dry_run: boolean }
-- Returns: { status: "created" | "existing" | "skipped"; linked: boolean; reason: string | null } | Refusal

-- Links the chat, or moves its link. Returns whether the conversation has it now.
CREATE OR REPLACE FUNCTION link_imported(c conversations, link jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  l links;
BEGIN
  SELECT * INTO l FROM links WHERE connection_id = (link->>'connection_id')::uuid
    AND external_id = link->>'external_id' AND external_thread_id IS NULL AND removed_at IS NULL
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    l := add_link(c, link);
  ELSIF EXISTS (SELECT FROM conversations h WHERE h.id = l.conversation_id AND h.type = 'direct'
    AND h.metadata ? 'chatwoot_id' AND h.created_at <= c.created_at) THEN
    UPDATE links SET conversation_id = c.id, updated_at = now() WHERE id = l.id;
  ELSE
    RETURN false;
  END IF;
  UPDATE conversations SET last_link_id = l.id WHERE id = c.id;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION import_inbox_conversation(input jsonb) RETURNS json LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  workspace uuid := (input->>'workspace_id')::uuid;
  made timestamptz := (input->>'created_at')::timestamptz;
  assignee uuid := (input->>'assignee_id')::uuid;
  c conversations;
  linked boolean := false;
BEGIN
  SELECT x.* INTO c FROM (SELECT * FROM conversations WHERE id = (input->>'id')::uuid OFFSET 0) x
  WHERE x.workspace_id = workspace;
  IF FOUND THEN
    RETURN json_build_object('status', CASE WHEN c.deleted_at IS NULL THEN 'existing' ELSE 'skipped' END,
      'linked', EXISTS (SELECT FROM links l WHERE l.conversation_id = c.id AND l.removed_at IS NULL),
      'reason', CASE WHEN c.deleted_at IS NOT NULL THEN 'deleted' END);
  END IF;
  IF (input->>'dry_run')::boolean THEN
    RETURN json_build_object('status', 'created', 'linked', input->>'link' IS NOT NULL, 'reason', NULL);
  END IF;
  -- Locks the member. A member who is being removed must not be assigned after their conversations were
  -- collected.
  PERFORM 1 FROM users WHERE id = assignee AND workspace_id = workspace AND kind = 'member'
    AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN assignee := NULL; END IF;
  c := create_conversation(workspace, (input->>'id')::uuid, 'direct', NULL,
    (input->>'contact_id')::uuid, '{}', input);
  UPDATE conversations SET status = input->>'status', assignee_id = assignee, created_at = made,
    updated_at = greatest(made, (input->>'updated_at')::timestamptz),
    snoozed_until = (input->>'snoozed_until')::timestamptz,
    closed_at = CASE WHEN input->>'status' = 'resolved' THEN greatest(made,
      (input->>'updated_at')::timestamptz) END
  WHERE id = c.id RETURNING * INTO c;
  UPDATE participants SET joined_at = made WHERE conversation_id = c.id;
  INSERT INTO participants (conversation_id, user_id, workspace_id, role)
  SELECT c.id, assignee, workspace, 'agent' WHERE assignee IS NOT NULL;
  IF jsonb_typeof(input->'link') = 'object' THEN linked := link_imported(c, input->'link'); END IF;
  IF c.snoozed_until < now() + interval '365 days' THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('timer', jsonb_build_object('conversation_id', c.id), c.snoozed_until);
  END IF;
  PERFORM restart_list_index(workspace);
  RETURN json_build_object('status', 'created', 'linked', linked, 'reason', NULL);
END $$;
