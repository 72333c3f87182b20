-- Stops direct messages to a recipient who has blocked the account or unsubscribed on the platform, after a
-- permanent refusal.
--
-- Locks: users, messages, connections, broadcasts.
-- Events: user.status_changed, user.presence_changed, user.updated, user.opted_out, user.opted_in,
--   delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent, message.delivered,
--   message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Returns: void
CREATE OR REPLACE FUNCTION suppress_recipient(link uuid, reason text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  refused record;
BEGIN
  SELECT * INTO refused FROM direct_chat_contact(link);
  IF NOT FOUND THEN RETURN; END IF;
  IF reason = 'blocked_by_recipient' THEN PERFORM set_reachable(refused.identity, false); END IF;
  PERFORM apply_platform_consent(refused.user_id, 'denied', reason);
END $$;
