-- Ends due snoozes whose job was lost, or was too far in the future to be added.
--
-- Locks: conversations.
-- Events: conversation.updated, conversation.status_changed, conversation.assigned.
-- Returns: void
CREATE OR REPLACE FUNCTION sweep_snoozes() RETURNS void LANGUAGE sql AS $$
  SELECT end_snooze(id) FROM (SELECT id FROM conversations WHERE status = 'snoozed' AND snoozed_until <= now()
    AND deleted_at IS NULL ORDER BY snoozed_until LIMIT 500) c
$$;
