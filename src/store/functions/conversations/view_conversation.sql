-- Records for the next 25 seconds that a member has a conversation open. Returns up to 20 other members who
-- have it open. Deletes expired entries of the workspace.
--
-- Locks: conversation_viewers.
-- Returns: string[]
CREATE OR REPLACE FUNCTION view_conversation(workspace uuid, conversation uuid, viewer uuid) RETURNS json
  LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM conversation_viewers WHERE ctid IN (
    SELECT ctid FROM conversation_viewers WHERE workspace_id = workspace AND seen_until < now()
    LIMIT 100 FOR UPDATE SKIP LOCKED);
  INSERT INTO conversation_viewers (workspace_id, conversation_id, user_id, seen_until)
  VALUES (workspace, conversation, viewer, now() + interval '25 seconds')
  ON CONFLICT (workspace_id, conversation_id, user_id) DO UPDATE SET seen_until = excluded.seen_until;
  RETURN (SELECT coalesce(json_agg(v.user_id ORDER BY v.user_id), '[]') FROM (
    SELECT o.user_id FROM conversation_viewers o WHERE o.workspace_id = workspace
      AND o.conversation_id = conversation AND o.user_id <> viewer AND o.seen_until >= now()
    ORDER BY o.user_id LIMIT 20) v);
END $$;
