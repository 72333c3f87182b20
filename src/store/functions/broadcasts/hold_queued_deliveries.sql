-- Takes up to `max_deliveries` queued deliveries of a paused broadcast out of their lanes, so that live
-- traffic passes them. They don't expire while held. Returns how many.
--
-- Locks: messages, broadcasts.
-- Returns: number
CREATE OR REPLACE FUNCTION hold_queued_deliveries(broadcast uuid, max_deliveries int) RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  ids uuid[];
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = broadcast AND status IN ('paused', 'on_hold');
  ids := ARRAY(SELECT d.id FROM queued_deliveries(b.id, b.workspace_id) d
    WHERE NOT d.held LIMIT max_deliveries);
  IF cardinality(ids) = 0 THEN RETURN 0; END IF;
  PERFORM 1 FROM messages WHERE id IN (SELECT message_id FROM deliveries WHERE id = ANY (ids)) ORDER BY id
  FOR NO KEY UPDATE;
  PERFORM set_held(ids, true, (b.schedule->>'expires_at')::timestamptz);
  PERFORM 1 FROM broadcasts WHERE id = b.id AND status IN ('paused', 'on_hold') FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the broadcast was resumed concurrently' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN cardinality(ids);
END $$;
