-- Ends up to `max_recipients` pending recipients without sending. Returns how many. Locks their broadcast
-- after them.
--
-- Locks: broadcast_recipients.
-- Returns: number
CREATE OR REPLACE FUNCTION end_pending_recipients(broadcast uuid, new_status text, max_recipients int)
  RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  next record;
  dropped int;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = broadcast;
  SELECT * INTO next FROM lock_next_recipients(b, max_recipients, false);
  dropped := coalesce(cardinality(next.ids), 0);
  IF dropped > 0 THEN
    UPDATE broadcast_recipients SET status = new_status, due_at = NULL, updated_at = now()
    WHERE id = ANY (next.ids);
    PERFORM shift_counts(broadcast, 'pending', new_status, dropped);
    UPDATE broadcasts SET waiting = waiting - dropped, reached_at = next.reached_at,
      reached_id = next.reached_id WHERE id = broadcast;
  END IF;
  RETURN dropped;
END $$;
