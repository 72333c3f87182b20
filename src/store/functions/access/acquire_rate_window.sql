-- Requests a window for a counter that has requests to count. `held`: the counter holds the window from now
-- on. `busy`: another counter holds it and is asked to release it. `counted`: the requests were counted here,
-- and the last one has the number `used`.
--
-- Locks: rate_windows, rate_counters.
-- Returns: { outcome: string; used: number; granted: number }

-- Whether the counter is alive. Deletes the row of an expired counter, so that it can't extend its lease
-- later. Skips a locked row, because its lease is being extended.
CREATE OR REPLACE FUNCTION is_rate_counter_alive(p_counter uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM rate_counters WHERE id IN (
    SELECT id FROM rate_counters WHERE id = p_counter AND leased_until <= clock_timestamp()
      FOR UPDATE SKIP LOCKED);
  RETURN EXISTS (SELECT FROM rate_counters WHERE id = p_counter);
END $$;

CREATE OR REPLACE FUNCTION acquire_rate_window(p_counter uuid, p_key uuid, p_hour timestamptz,
  p_limit integer, p_wanted integer,
  OUT outcome text, OUT used integer, OUT granted integer) LANGUAGE plpgsql AS $$
DECLARE
  w rate_windows;
BEGIN
  INSERT INTO rate_windows (key_id, hour) VALUES (p_key, p_hour) ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT w FROM rate_windows WHERE key_id = p_key AND hour = p_hour FOR UPDATE;
  used := w.used;
  granted := 0;
  IF w.holder <> p_counter AND is_rate_counter_alive(w.holder) THEN
    UPDATE rate_windows SET shared = true WHERE key_id = p_key AND hour = p_hour AND NOT shared;
    PERFORM pg_notify('rate_windows_asked',
      concat_ws(' ', w.holder, p_key, (extract(epoch FROM p_hour) * 1000)::bigint));
    outcome := 'busy';
  ELSIF w.shared AND w.holder IS NULL THEN
    granted := greatest(least(p_wanted, p_limit - w.used), 0);
    used := w.used + granted;
    outcome := 'counted';
    IF granted > 0 THEN
      UPDATE rate_windows r SET used = w.used + acquire_rate_window.granted
      WHERE key_id = p_key AND hour = p_hour;
    END IF;
  ELSE
    UPDATE rate_windows SET holder = p_counter, shared = false WHERE key_id = p_key AND hour = p_hour;
    outcome := 'held';
  END IF;
END $$;
