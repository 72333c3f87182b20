-- Deletes the push subscription of a session and its pushes. If an endpoint is given, only while the
-- subscription still has this endpoint.
--
-- Arguments: address: string | null
-- Returns: void
CREATE OR REPLACE FUNCTION delete_push_subscription(session uuid, address text) RETURNS void
  LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM push_subscriptions WHERE session_id = session AND (address IS NULL OR endpoint = address)
    RETURNING session_id
  )
  DELETE FROM push_deliveries WHERE session_id IN (SELECT session_id FROM gone)
$$;
