-- Locks the next pending recipients, up to `max_recipients`, in the order of freezing. If `shared`,
-- skips recipients that another worker has locked, otherwise waits for their locks. Reads the index of that
-- order from the last position, even with a plan that was made while the statistics showed empty tables.
--
-- Locks: broadcast_recipients.
-- Returns: { ids: string[]; reached_at: Date; reached_id: string }
CREATE OR REPLACE FUNCTION lock_next_recipients(b broadcasts, max_recipients int, shared boolean,
  OUT ids uuid[], OUT reached_at timestamptz, OUT reached_id uuid)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  after_at timestamptz := coalesce(b.reached_at, '-infinity');
  after_id uuid := coalesce(b.reached_id, '00000000-0000-0000-0000-000000000000');
BEGIN
  LOOP
    IF shared THEN
      SELECT array_agg(x.id), max(x.created_at), (array_agg(x.id))[count(*)::int]
      INTO ids, reached_at, reached_id FROM (
        SELECT r.id, r.created_at FROM broadcast_recipients r
        WHERE r.broadcast_id = b.id AND r.status = 'pending' AND (r.created_at, r.id) > (after_at, after_id)
        ORDER BY r.created_at, r.id LIMIT max_recipients FOR NO KEY UPDATE SKIP LOCKED) x;
    ELSE
      SELECT array_agg(x.id), max(x.created_at), (array_agg(x.id))[count(*)::int]
      INTO ids, reached_at, reached_id FROM (
        SELECT r.id, r.created_at FROM broadcast_recipients r
        WHERE r.broadcast_id = b.id AND r.status = 'pending' AND (r.created_at, r.id) > (after_at, after_id)
        ORDER BY r.created_at, r.id LIMIT max_recipients FOR NO KEY UPDATE) x;
    END IF;
    EXIT WHEN ids IS NOT NULL OR after_at = '-infinity' OR b.waiting = 0;
    after_at := '-infinity';
  END LOOP;
END $$;
