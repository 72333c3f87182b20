-- Applies the general consent of a user to tracking sessions. Deletes the locations of an erased user.
--
-- Locks: tracking_sessions.
-- Events: tracking.expired, tracking.stopped, tracking.started.
-- Returns: trigger
CREATE OR REPLACE FUNCTION follow_tracking_consent() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions;
  said text := NEW.consent->>'tracking';
BEGIN
  FOR s IN SELECT * FROM tracking_sessions WHERE user_id = NEW.id AND status IN ('pending', 'active')
    ORDER BY id FOR UPDATE LOOP
    IF NEW.deleted_at IS NOT NULL OR said = 'denied'
      OR (s.consent_method = 'prior' AND said <> 'granted') THEN
      PERFORM withdraw_consent(s, 'recorded');
    ELSIF s.status = 'pending' AND said = 'granted' THEN
      PERFORM start_tracking_session(s, 'recorded');
    END IF;
  END LOOP;
  IF NEW.deleted_at IS NOT NULL THEN
    DELETE FROM locations WHERE user_id = NEW.id;
    DELETE FROM location_feeds WHERE user_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
