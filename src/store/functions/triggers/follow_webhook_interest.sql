-- Records that a workspace needs events while it has a webhook. This includes webhooks that were disabled
-- after failures, because their events are kept. The interest lasts 25 hours longer than the webhook,
-- because a stream may resume within a day from the last event that the receiver saw.
--
-- Locks: event_interest.
-- Returns: trigger
CREATE OR REPLACE FUNCTION follow_webhook_interest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_interest (workspace_id) VALUES (NEW.workspace_id) ON CONFLICT DO NOTHING;
  PERFORM 1 FROM event_interest WHERE workspace_id = NEW.workspace_id FOR UPDATE;
  UPDATE event_interest i SET
    until = CASE WHEN h.all_events THEN 'infinity' WHEN i.until = 'infinity' THEN now() + interval '25 hours'
      ELSE i.until END,
    moves_until = CASE WHEN h.moves THEN 'infinity'
      WHEN i.moves_until = 'infinity' THEN now() + interval '25 hours' ELSE i.moves_until END
  FROM (SELECT count(*) > 0 AS all_events,
    coalesce(bool_or(w.events && '{delivery.updated,delivery.*}'), false) AS moves
    FROM webhooks w WHERE w.workspace_id = NEW.workspace_id AND w.status <> 'disabled'
      AND w.deleted_at IS NULL) h
  WHERE i.workspace_id = NEW.workspace_id;
  RETURN NULL;
END $$;
