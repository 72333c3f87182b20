-- Stores the counts of the windows that a counter holds, and releases the windows that it no longer needs.
-- `alive`: whether the counter may continue. `asked`: the windows that other counters wait for.
--
-- Returns: { alive: boolean; asked: { key: string; hour: number }[] }
CREATE OR REPLACE FUNCTION report_rate_windows(p_counter uuid, p_lease interval, p_keys uuid[],
  p_hours timestamptz[],
  p_used integer[], p_returned boolean[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_alive boolean := extend_rate_lease(p_counter, false, p_lease);
BEGIN
  FOR i IN 1 .. cardinality(p_keys) LOOP
    UPDATE rate_windows SET used = greatest(used, p_used[i]),
      holder = CASE WHEN p_returned[i] OR NOT v_alive THEN NULL ELSE holder END
    WHERE key_id = p_keys[i] AND hour = p_hours[i] AND holder = p_counter;
    IF FOUND AND p_returned[i] THEN
      PERFORM pg_notify('rate_windows_returned',
        concat_ws(' ', p_keys[i], (extract(epoch FROM p_hours[i]) * 1000)::bigint));
    END IF;
  END LOOP;
  IF NOT v_alive THEN DELETE FROM rate_counters WHERE id = p_counter; END IF;
  RETURN jsonb_build_object('alive', v_alive, 'asked', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('key', a.key_id,
          'hour', (extract(epoch FROM a.hour) * 1000)::bigint)), '[]')
    FROM (SELECT key_id, hour FROM rate_windows WHERE holder = p_counter AND shared AND holder IS NOT NULL
          LIMIT 1000) a));
END $$;
