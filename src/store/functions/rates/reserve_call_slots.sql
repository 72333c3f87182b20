-- Reserves the next `amount` call slots of an account, `spacing` apart, across all processes. Unused slots
-- of the last `leeway` are still available. Returns the milliseconds until the first slot.
--
-- Returns: number | null
CREATE OR REPLACE FUNCTION reserve_call_slots(connection uuid, amount int, spacing interval, leeway interval)
  RETURNS double precision LANGUAGE sql AS $$
  INSERT INTO rate_buckets AS r (connection_id, key, workspace_id, next_at, idle_at)
  SELECT id, 'account', workspace_id, clock_timestamp() + amount * spacing,
    clock_timestamp() + amount * spacing + leeway
  FROM connections WHERE id = connection
  ON CONFLICT (connection_id, key) DO UPDATE
  SET next_at = greatest(r.next_at, clock_timestamp() - leeway) + amount * spacing,
    idle_at = greatest(r.next_at, clock_timestamp()) + amount * spacing + leeway
  RETURNING extract(epoch FROM next_at - amount * spacing - clock_timestamp()) * 1000
$$;
