-- Pushes of calls, in addition to those of messages. Processes of an older release would not know what a push
-- is about.

ALTER TABLE notification_choices ADD COLUMN push_calls boolean NOT NULL DEFAULT true;

ALTER TABLE push_deliveries ALTER COLUMN message_id DROP NOT NULL,
  ADD COLUMN call_id uuid,
  ADD COLUMN is_missed boolean NOT NULL DEFAULT false,
  ADD COLUMN tag uuid GENERATED ALWAYS AS (coalesce(call_id, conversation_id)) STORED,
  ADD CHECK ((message_id IS NULL) <> (call_id IS NULL)),
  DROP CONSTRAINT push_deliveries_pkey, ADD PRIMARY KEY (session_id, tag);
COMMENT ON TABLE push_deliveries IS
  'To be pushed to each browser: the newest message of each conversation, and calls. Written with them.';
COMMENT ON COLUMN push_deliveries.is_missed IS
  'The push says that the member missed the call. Without it, the call rings.';
COMMENT ON COLUMN push_deliveries.tag IS
  'A browser shows one notification for each conversation and each call.';

CREATE TRIGGER call_participants_pushed AFTER UPDATE OF status ON call_participants FOR EACH ROW
  WHEN (OLD.status = 'invited' AND NEW.status = 'ringing' OR OLD.status = 'ringing' AND NEW.status = 'missed')
  EXECUTE FUNCTION queue_call_pushes();
