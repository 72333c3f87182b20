-- Stores a parked event. The limits are 512 waiting events, 512 replies and 512 applied events per chat, and
-- 8,192 per connection. Above a limit, the oldest quarter is dropped at once, so that one line in the log
-- covers many events.
--
-- Locks: parked_events.
-- Returns: void
CREATE OR REPLACE FUNCTION park_event(n connections, chat text, remote_id text, new_event jsonb,
  is_waiting boolean, lifetime interval) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  new_id bigint;
  oldest bigint;
  dropped_count int := 0;
BEGIN
  INSERT INTO parked_events (connection_id, external_chat_id, external_id, workspace_id, event,
    waits, expires_at)
  VALUES (n.id, chat, remote_id, n.workspace_id, new_event, is_waiting, now() + lifetime)
  RETURNING id INTO new_id;
  PERFORM 1 FROM parked_events WHERE connection_id = n.id AND external_chat_id = chat
    AND event->>'type' <> 'receipt'
    AND waits = is_waiting AND (event->>'type' = 'reply') = (new_event->>'type' = 'reply') ORDER BY id DESC
      OFFSET 512 LIMIT 1;
  IF FOUND THEN
    SELECT id INTO oldest FROM parked_events WHERE connection_id = n.id AND external_chat_id = chat
      AND event->>'type' <> 'receipt'
      AND waits = is_waiting AND (event->>'type' = 'reply') = (new_event->>'type' = 'reply') ORDER BY id DESC
        OFFSET 384 LIMIT 1;
    WITH dropped AS (
      DELETE FROM parked_events WHERE id IN (SELECT id FROM parked_events
        WHERE connection_id = n.id AND external_chat_id = chat AND event->>'type' <> 'receipt'
          AND waits = is_waiting
          AND (event->>'type' = 'reply') = (new_event->>'type' = 'reply') AND id <= oldest
        FOR UPDATE SKIP LOCKED)
            RETURNING 1
    ) SELECT count(*) INTO dropped_count FROM dropped;
  END IF;
  IF new_id % 64 = 0 THEN
    SELECT id INTO oldest FROM parked_events WHERE connection_id = n.id AND event->>'type' <> 'receipt'
    ORDER BY id DESC OFFSET 8192 LIMIT 1;
    IF FOUND THEN
      WITH dropped AS (
        DELETE FROM parked_events
        WHERE id IN (SELECT id FROM parked_events WHERE connection_id = n.id AND event->>'type' <> 'receipt'
          AND id <= oldest
        FOR UPDATE SKIP LOCKED) RETURNING 1
      ) SELECT dropped_count + count(*) INTO dropped_count FROM dropped;
    END IF;
  END IF;
  IF dropped_count > 0 THEN PERFORM increment_inbound_counter('dropped', dropped_count); END IF;
END $$;
