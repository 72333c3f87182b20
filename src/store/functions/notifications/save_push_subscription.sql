-- Stores the push subscription of a session, and replaces an earlier one. Deletes a subscription of another
-- session with the same endpoint, because it belongs to the same browser. Does nothing if the session has
-- ended.
--
-- Arguments: input: NewPushSubscription
-- Returns: void
CREATE OR REPLACE FUNCTION save_push_subscription(input jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  n push_subscriptions := jsonb_populate_record(NULL::push_subscriptions, input);
BEGIN
  PERFORM FROM sessions WHERE id = n.session_id FOR KEY SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('push ' || n.endpoint, 0));
  DELETE FROM push_subscriptions WHERE endpoint = n.endpoint AND session_id <> n.session_id;
  INSERT INTO push_subscriptions (session_id, workspace_id, user_id, endpoint, p256dh, auth)
  VALUES (n.session_id, n.workspace_id, n.user_id, n.endpoint, n.p256dh, n.auth)
  ON CONFLICT (session_id) DO UPDATE SET endpoint = excluded.endpoint, p256dh = excluded.p256dh,
    auth = excluded.auth, created_at = now();
END $$;
