-- Ends up to `most` pending recipients without sending. Returns how many. Locks their broadcast after them.
--
-- Locks: broadcast_recipients.
-- Returns: number
CREATE OR REPLACE FUNCTION drop_recipients(broadcast uuid, becomes text, most int) RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  next record;
  dropped int;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = broadcast;
  SELECT * INTO next FROM next_recipients(b, most, false);
  dropped := coalesce(cardinality(next.ids), 0);
  IF dropped > 0 THEN
    UPDATE broadcast_recipients SET status = becomes, due_at = NULL, updated_at = now()
    WHERE id = ANY (next.ids);
    PERFORM shift_counts(broadcast, 'pending', becomes, dropped);
    UPDATE broadcasts SET waiting = waiting - dropped, reached_at = next.reached_at,
      reached_id = next.reached_id WHERE id = broadcast;
  END IF;
  RETURN dropped;
END $$;
