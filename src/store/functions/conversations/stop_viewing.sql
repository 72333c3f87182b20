-- A member has closed a conversation. A page that ends without saying so is removed by its time.
--
-- Returns: void
CREATE OR REPLACE FUNCTION stop_viewing(workspace uuid, conversation uuid, viewer uuid) RETURNS void
  LANGUAGE sql AS $$
  DELETE FROM conversation_viewers WHERE workspace_id = workspace AND conversation_id = conversation
    AND user_id = viewer
$$;
