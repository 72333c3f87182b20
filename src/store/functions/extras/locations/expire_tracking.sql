-- Ends a session that has expired, or adds the job again if the job ran early.
--
-- Locks: users, tracking_sessions.
-- Events: tracking.expired, tracking.stopped.
-- Returns: void
CREATE OR REPLACE FUNCTION expire_tracking(session uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions;
BEGIN
  SELECT * INTO s FROM tracking_sessions WHERE id = session AND status IN ('pending', 'active');
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM 1 FROM users WHERE id = s.user_id FOR NO KEY UPDATE;
  SELECT * INTO s FROM tracking_sessions WHERE id = session AND status IN ('pending', 'active') FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF s.expires_at <= clock_timestamp() THEN
    PERFORM end_tracking_session(s, 'expired', 'expired');
  ELSIF s.expires_at <= clock_timestamp() + interval '10 s' THEN
    PERFORM queue_session_expiry(s);
  END IF;
END $$;
