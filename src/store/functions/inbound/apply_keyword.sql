-- Applies STOP, START and HELP keywords in a direct conversation, before the message itself is stored.
-- Returns the automatic reply for the contact, once per change.
--
-- Locks: messages, connections, broadcasts.
-- Events: user.opted_out, user.opted_in, delivery.updated, delivery.failed, delivery.uncertain,
--   message.updated, message.sent, message.delivered, message.read, message.failed, broadcast.canceled,
--   broadcast.completed.
-- Returns: string
CREATE OR REPLACE FUNCTION apply_keyword(u users, conversation_type text, said text, identity_platform text)
  RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  word text := normalize_keyword(said);
  stop boolean := is_opt_out_keyword(word, u.workspace_id);
  state text;
BEGIN
  IF conversation_type <> 'direct' OR NOT (stop OR word IN ('START', 'YES', 'UNSTOP')) THEN
    UPDATE users SET stopped_at = NULL WHERE id = u.id AND stopped_at IS NOT NULL;
    RETURN CASE WHEN conversation_type = 'direct' AND word IN ('HELP', 'INFO') THEN 'help' END;
  END IF;
  state := CASE WHEN stop THEN 'denied' ELSE 'granted' END;
  IF u.consent @> jsonb_build_object('marketing', state, 'notification', state)
    AND (u.stopped_at IS NOT NULL) = stop THEN
    RETURN NULL;
  END IF;
  PERFORM change_consent(u, state, 'keyword', word);
  RETURN CASE WHEN stop THEN 'opted_out' END;
END $$;
