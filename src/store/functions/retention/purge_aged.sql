-- Deletes a batch of rows past their retention period, in all workspaces. A period of null keeps rows.
-- Returns the largest number of deleted rows of one kind.
--
-- Locks: envelopes, attempts, traces, messages, deliveries, conversations.
-- Arguments: messages_for: Interval | null
-- Returns: number
CREATE OR REPLACE FUNCTION purge_aged(batch_size int, envelopes_for interval, attempts_for interval,
  messages_for interval)
RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  sent int;
  tried int;
  traced int;
  gone int := 0;
BEGIN
  DELETE FROM envelopes
  WHERE id IN (SELECT id FROM envelopes WHERE id < uuid7_at(now() - envelopes_for) AND status <> 'pending'
    ORDER BY id LIMIT batch_size FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS sent = ROW_COUNT;
  DELETE FROM attempts
  WHERE id IN (SELECT id FROM attempts WHERE id < uuid7_at(now() - attempts_for) AND outcome IS NOT NULL
    ORDER BY id LIMIT batch_size FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS tried = ROW_COUNT;
  DELETE FROM traces
  WHERE resource_id IN (SELECT resource_id FROM traces WHERE resource_id < uuid7_at(now() - interval '2 days')
    ORDER BY resource_id LIMIT batch_size FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS traced = ROW_COUNT;
  IF messages_for IS NOT NULL THEN
    gone := purge_messages(ARRAY(SELECT m.id FROM messages m
        WHERE m.id < uuid7_at(now() - messages_for) AND NOT has_pending_work(m)
      ORDER BY m.id LIMIT batch_size FOR UPDATE SKIP LOCKED));
  END IF;
  RETURN greatest(sent, tried, traced, gone);
END $$;
