-- Records the interest of a webhook in events without an end, also while it is disabled after failures, since
-- its events are kept. A stream may resume within a day from the last event that the receiver saw, so the
-- interest lasts a day longer than the webhook.
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
