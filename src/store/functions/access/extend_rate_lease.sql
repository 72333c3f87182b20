-- Gives the counter a lease, or extends one that has not expired. Returns false when the lease has expired:
-- the counter then holds no window.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION extend_rate_lease(p_counter uuid, p_first boolean, p_lease interval)
  RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF p_first THEN
    INSERT INTO rate_counters (id, leased_until) VALUES (p_counter, clock_timestamp() + p_lease)
    ON CONFLICT (id) DO NOTHING;
    RETURN FOUND;
  END IF;
  UPDATE rate_counters SET leased_until = clock_timestamp() + p_lease
  WHERE id = p_counter AND leased_until > clock_timestamp();
  RETURN FOUND;
END $$;
