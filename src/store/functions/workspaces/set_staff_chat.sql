-- Sets the conversation that gets alerts; null sets none. `approvals`: proposals of agents are shown there
-- as well. Returns false if the conversation does not exist.
--
-- Locks: workspaces.
-- Arguments: chat: number | null
-- Returns: boolean
CREATE OR REPLACE FUNCTION set_staff_chat(workspace uuid, person uuid, chat bigint, approvals boolean)
  RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  conversation uuid := (SELECT id FROM conversations
    WHERE workspace_id = workspace AND number = chat AND deleted_at IS NULL);
BEGIN
  IF chat IS NOT NULL AND conversation IS NULL THEN RETURN false; END IF;
  UPDATE workspaces SET staff_conversation_id = conversation, updated_at = now(),
    staff_chat_by = CASE WHEN conversation IS NOT NULL THEN person END,
    staff_chat_approvals = approvals AND conversation IS NOT NULL
  WHERE id = workspace AND (staff_conversation_id, staff_chat_approvals)
    IS DISTINCT FROM (conversation, approvals AND conversation IS NOT NULL);
  RETURN true;
END $$;
