-- Helpers for locations and tracking. A change of either first locks the row of the user, as a change of the
-- user does, so that the events of one user keep the order of the changes.

-- Locks and returns a user of the workspace. Refuses an unknown user.
CREATE OR REPLACE FUNCTION lock_located_user(workspace uuid, located uuid) RETURNS users
  LANGUAGE plpgsql AS $$
DECLARE
  u users;
BEGIN
  SELECT * INTO u FROM users WHERE id = located AND workspace_id = workspace AND deleted_at IS NULL
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"user_id"}'); END IF;
  RETURN u;
END $$;

-- Reserves capacity for `points` points: one per second, up to 100 at once. Returns null, or the time from
-- which the points are allowed.
CREATE OR REPLACE FUNCTION reserve_location_capacity(u users, points int) RETURNS timestamptz
  LANGUAGE plpgsql AS $$
DECLARE
  burst CONSTANT interval := '100 s';
  moment timestamptz := clock_timestamp();
  full_again timestamptz;
BEGIN
  SELECT full_at INTO full_again FROM location_feeds WHERE user_id = u.id;
  full_again := greatest(full_again, moment) + make_interval(secs => points);
  IF full_again > moment + burst THEN RETURN full_again - burst; END IF;
  INSERT INTO location_feeds (user_id, workspace_id, full_at) VALUES (u.id, u.workspace_id, full_again)
  ON CONFLICT (user_id) DO UPDATE SET full_at = excluded.full_at;
  RETURN NULL;
END $$;

-- The session of a point: the named one, or if the point names none, the user's only active one. A point that
-- names null belongs to no session. Refuses a session of another user.
CREATE OR REPLACE FUNCTION find_point_session(u users, point jsonb, field text) RETURNS uuid
  LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions;
  active uuid[];
BEGIN
  IF NOT point ? 'tracking_session_id' THEN
    active := ARRAY(SELECT id FROM tracking_sessions
      WHERE user_id = u.id AND status = 'active' AND expires_at > clock_timestamp() LIMIT 2);
    RETURN CASE WHEN cardinality(active) = 1 THEN active[1] END;
  END IF;
  IF point->>'tracking_session_id' IS NULL THEN RETURN NULL; END IF;
  SELECT * INTO s FROM tracking_sessions WHERE id = (point->>'tracking_session_id')::uuid AND user_id = u.id;
  IF NOT FOUND THEN PERFORM refuse(json_build_object('problem', 'not_found', 'field', field)); END IF;
  RETURN s.id;
END $$;

-- Writes an event of a session. The event of a change has the previous values.
CREATE OR REPLACE FUNCTION announce_tracking_session(s tracking_sessions, type text,
  before jsonb DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  answer json := tracking_session_record(s);
BEGIN
  INSERT INTO events (workspace_id, type, data, extra)
  SELECT s.workspace_id, announce_tracking_session.type, answer, CASE WHEN before IS NOT NULL
    THEN json_build_object('previous', previous_values(before, answer::jsonb)) END;
END $$;

-- Adds the job that ends a tracking session when it expires.
CREATE OR REPLACE FUNCTION queue_session_expiry(s tracking_sessions) RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload, run_at)
  VALUES ('timer', jsonb_build_object('tracking_session_id', s.id), s.expires_at)
$$;

-- Ends a live session. Only this function ends sessions.
CREATE OR REPLACE FUNCTION end_tracking_session(s tracking_sessions, new_status text, reason text,
  consent text DEFAULT NULL, method text DEFAULT NULL)
RETURNS tracking_sessions LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := tracking_session_record(s);
BEGIN
  UPDATE tracking_sessions SET status = new_status, end_reason = reason, ended_at = now(), updated_at = now(),
    consent_status = coalesce(consent, consent_status), consent_method = coalesce(method, consent_method)
  WHERE id = s.id AND status IN ('pending', 'active') RETURNING * INTO s;
  PERFORM announce_tracking_session(s, CASE new_status WHEN 'expired' THEN 'tracking.expired'
      ELSE 'tracking.stopped' END, before);
  RETURN s;
END $$;

-- Starts a pending session after consent.
CREATE OR REPLACE FUNCTION start_tracking_session(s tracking_sessions, method text) RETURNS tracking_sessions
  LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := tracking_session_record(s);
BEGIN
  UPDATE tracking_sessions SET status = 'active', consent_status = 'granted', consent_method = method,
    consent_granted_at = now(), started_at = now(),
      expires_at = now() + make_interval(secs => duration_seconds),
    updated_at = now()
  WHERE id = s.id AND status = 'pending' RETURNING * INTO s;
  PERFORM queue_session_expiry(s);
  PERFORM announce_tracking_session(s, 'tracking.started', before);
  RETURN s;
END $$;

-- Ends a live session after consent was withdrawn.
CREATE OR REPLACE FUNCTION withdraw_consent(s tracking_sessions, how text) RETURNS tracking_sessions
  LANGUAGE sql AS $$
  SELECT CASE s.status WHEN 'pending' THEN end_tracking_session(s, 'denied', 'denied', 'denied', how)
    ELSE end_tracking_session(s, 'stopped', 'revoked', 'denied') END
$$;

-- Locks the user of a session, then the session, and returns the session. A session past its end counts as
-- expired.
CREATE OR REPLACE FUNCTION lock_tracking_session(workspace uuid, session uuid) RETURNS tracking_sessions
  LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions;
BEGIN
  SELECT * INTO s FROM tracking_sessions WHERE id = session AND workspace_id = workspace
    AND (conversation_id IS NULL OR shows_conversation(conversation_id));
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  PERFORM 1 FROM users WHERE id = s.user_id FOR NO KEY UPDATE;
  SELECT * INTO s FROM tracking_sessions WHERE id = session FOR UPDATE;
  IF s.status IN ('pending', 'active') AND s.expires_at <= clock_timestamp() THEN
    s.status := 'expired';
  END IF;
  RETURN s;
END $$;
