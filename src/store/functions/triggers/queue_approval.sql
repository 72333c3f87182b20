-- Queues a new proposal for the staff chat, if the workspace has this enabled. Schedules an update of a
-- queued or shown proposal after it is decided or deleted.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION queue_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO approval_requests (proposal_id, workspace_id)
    SELECT NEW.id, w.id FROM workspaces w
    WHERE w.id = NEW.workspace_id AND w.staff_conversation_id IS NOT NULL AND w.staff_chat_approvals;
  ELSE
    UPDATE approval_requests SET next_at = now(), tries = 0 WHERE proposal_id = OLD.id AND done_at IS NULL;
  END IF;
  IF FOUND THEN INSERT INTO outbox (topic, payload) VALUES ('timer', '{"approvals":"due"}'); END IF;
  RETURN NULL;
END $$;
