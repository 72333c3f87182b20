-- Records that a member has closed a conversation. The entry of a page that ends without this call expires.
--
-- Returns: void
CREATE OR REPLACE FUNCTION stop_viewing(workspace uuid, conversation uuid, viewer uuid) RETURNS void
  LANGUAGE sql AS $$
  DELETE FROM conversation_viewers WHERE workspace_id = workspace AND conversation_id = conversation
    AND user_id = viewer
$$;
