-- Where users are: points, and the sessions in which somebody is tracked with consent. Whoever changes either holds the
-- lock of the user's row first, as whoever changes the user does: along one user, events keep the order of the changes.

CREATE TABLE tracking_sessions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  user_id uuid NOT NULL REFERENCES users,
  conversation_id uuid REFERENCES conversations,
  status text NOT NULL CHECK (status IN ('pending', 'active', 'denied', 'stopped', 'expired')),
  end_reason text CHECK (end_reason IN ('stopped', 'expired', 'denied', 'revoked')),
  purpose text,
  interval_seconds integer NOT NULL,
  duration_seconds integer NOT NULL,
  share_with uuid[] NOT NULL DEFAULT '{}',
  started_by uuid NOT NULL REFERENCES users,
  consent_status text NOT NULL CHECK (consent_status IN ('pending', 'granted', 'denied')),
  consent_method text CHECK (consent_method IN ('self', 'prior', 'platform', 'recorded')),
  consent_granted_at timestamptz(3),
  points_count bigint NOT NULL DEFAULT 0,
  last_location_id uuid,
  expires_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN tracking_sessions.expires_at IS 'While pending, when the question for consent lapses; from then on the end of the session.';
COMMENT ON COLUMN tracking_sessions.last_location_id IS 'May name a point that was purged meanwhile.';
CREATE UNIQUE INDEX tracking_sessions_live ON tracking_sessions
  (user_id, coalesce(conversation_id, '00000000-0000-0000-0000-000000000000')) WHERE status IN ('pending', 'active');
CREATE INDEX tracking_sessions_list ON tracking_sessions (workspace_id, created_at DESC, id DESC);
CREATE INDEX tracking_sessions_due ON tracking_sessions (expires_at) WHERE status IN ('pending', 'active');

CREATE TABLE locations (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  accuracy double precision,
  altitude double precision,
  altitude_accuracy double precision,
  heading double precision,
  speed double precision,
  source text NOT NULL CHECK (source IN ('device', 'manual', 'platform')),
  platform text,
  address text,
  tracking_session_id uuid,
  recorded_at timestamptz(3) NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX locations_list ON locations (workspace_id, created_at DESC, id DESC);
CREATE INDEX locations_time ON locations (workspace_id, recorded_at DESC, id DESC);
CREATE INDEX locations_user ON locations (user_id, recorded_at DESC, id DESC);
CREATE INDEX locations_session ON locations (tracking_session_id, recorded_at DESC, id DESC)
  WHERE tracking_session_id IS NOT NULL;
CREATE INDEX locations_age ON locations (created_at);

CREATE TABLE location_feeds (
  user_id uuid PRIMARY KEY REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  full_at timestamptz NOT NULL,
  announced_at timestamptz,
  waiting_id uuid
);
COMMENT ON TABLE location_feeds IS 'Per user: how many points may still come, and which point is yet to be told of.';
COMMENT ON COLUMN location_feeds.full_at IS 'When the whole burst is allowed again; each point moves it on by a second.';
CREATE INDEX location_feeds_waiting ON location_feeds (announced_at) WHERE waiting_id IS NOT NULL;

CREATE FUNCTION location_record(l locations) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', l.id, 'user_id', l.user_id, 'latitude', l.latitude, 'longitude', l.longitude, 'accuracy', l.accuracy,
    'altitude', l.altitude, 'altitude_accuracy', l.altitude_accuracy, 'heading', l.heading, 'speed', l.speed,
    'source', l.source, 'platform', l.platform, 'address', l.address,
    'tracking_session_id', l.tracking_session_id, 'recorded_at', wire_time(l.recorded_at), 'metadata', l.metadata,
    'created_at', wire_time(l.created_at), 'updated_at', wire_time(l.updated_at))
$$;

CREATE FUNCTION tracking_session_record(s tracking_sessions) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', s.id, 'user_id', s.user_id, 'conversation_id', s.conversation_id, 'status', s.status,
    'end_reason', s.end_reason, 'purpose', s.purpose, 'interval_seconds', s.interval_seconds,
    'share_with', s.share_with, 'started_by', s.started_by,
    'consent', json_build_object('status', s.consent_status, 'granted_at', wire_time(s.consent_granted_at),
      'method', s.consent_method),
    'points_count', s.points_count, 'expires_at', wire_time(s.expires_at),
    'last_location', (SELECT location_record(l) FROM locations l WHERE l.id = s.last_location_id),
    'started_at', wire_time(s.started_at), 'ended_at', wire_time(s.ended_at), 'metadata', s.metadata,
    'created_at', wire_time(s.created_at), 'updated_at', wire_time(s.updated_at))
$$;

-- A user of the workspace, locked. Refuses one who does not exist.
CREATE FUNCTION lock_located_user(workspace uuid, located uuid) RETURNS users LANGUAGE plpgsql AS $$
DECLARE
  u users;
BEGIN
  SELECT * INTO u FROM users WHERE id = located AND workspace_id = workspace AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"user_id"}'); END IF;
  RETURN u;
END $$;

-- Takes the right to store this many points: one a second, up to 100 at once. Answers null, or when that many may come.
CREATE FUNCTION take_location_allowance(u users, points int) RETURNS timestamptz LANGUAGE plpgsql AS $$
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

-- Tells of a point: at once, or, when another was told of less than 5 s ago, at the end of these as the latest by then.
CREATE FUNCTION announce_location(l locations) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  spacing CONSTANT interval := '5 s';
  moment timestamptz := clock_timestamp();
  f location_feeds;
  later boolean;
BEGIN
  SELECT * INTO f FROM location_feeds WHERE user_id = l.user_id;
  IF f.waiting_id IS NULL AND (f.announced_at IS NULL OR f.announced_at <= moment - spacing) THEN
    INSERT INTO events (workspace_id, type, data, occurred_at)
    VALUES (l.workspace_id, 'location.updated', location_record(l), moment);
    UPDATE location_feeds SET announced_at = moment WHERE user_id = l.user_id;
    RETURN;
  END IF;
  SELECT w.recorded_at > l.recorded_at INTO later FROM locations w WHERE w.id = f.waiting_id;
  IF later THEN RETURN; END IF;
  UPDATE location_feeds SET waiting_id = l.id WHERE user_id = l.user_id;
  IF f.waiting_id IS NULL THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('timer', jsonb_build_object('located_user_id', l.user_id), f.announced_at + spacing);
  END IF;
END $$;

-- The time of a waiting point has come.
CREATE FUNCTION announce_waiting_location(located uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l locations;
  moment timestamptz;
  f location_feeds;
BEGIN
  PERFORM 1 FROM users WHERE id = located FOR NO KEY UPDATE;
  SELECT * INTO f FROM location_feeds WHERE user_id = located AND waiting_id IS NOT NULL;
  IF NOT FOUND THEN RETURN; END IF;
  moment := clock_timestamp();
  IF f.announced_at > moment - interval '5 s' THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('timer', jsonb_build_object('located_user_id', located), f.announced_at + interval '5 s');
    RETURN;
  END IF;
  UPDATE location_feeds SET waiting_id = NULL, announced_at = moment WHERE user_id = located;
  SELECT * INTO l FROM locations WHERE id = f.waiting_id;
  IF FOUND THEN
    INSERT INTO events (workspace_id, type, data, occurred_at)
    VALUES (l.workspace_id, 'location.updated', location_record(l), moment);
  END IF;
END $$;

-- The session a point belongs to: the one it names, or the user's active one if that is the only one. Refuses a session
-- that is not the user's or that takes no points.
CREATE FUNCTION session_of_point(u users, point jsonb, field text) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions;
  active uuid[];
BEGIN
  IF point->>'tracking_session_id' IS NULL THEN
    active := ARRAY(SELECT id FROM tracking_sessions
      WHERE user_id = u.id AND status = 'active' AND expires_at > clock_timestamp() LIMIT 2);
    RETURN CASE WHEN cardinality(active) = 1 THEN active[1] END;
  END IF;
  SELECT * INTO s FROM tracking_sessions WHERE id = (point->>'tracking_session_id')::uuid AND user_id = u.id;
  IF NOT FOUND THEN PERFORM refuse(json_build_object('problem', 'not_found', 'field', field)); END IF;
  RETURN s.id;
END $$;

CREATE FUNCTION check_session_takes_points(session uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  state text;
BEGIN
  SELECT CASE WHEN status IN ('pending', 'active') AND expires_at <= clock_timestamp() THEN 'expired' ELSE status END
  INTO state FROM tracking_sessions WHERE id = session;
  IF state <> 'active' THEN PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', state)); END IF;
END $$;

-- Points of a locked user with the sessions they belong to, in the order given. Answers their records.
CREATE FUNCTION store_points(u users, points jsonb, sessions uuid[]) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  latest locations;
  records json;
BEGIN
  WITH stored AS (
    INSERT INTO locations (id, workspace_id, user_id, latitude, longitude, accuracy, altitude, altitude_accuracy, heading,
      speed, source, platform, address, tracking_session_id, recorded_at, metadata)
    SELECT coalesce((p->>'id')::uuid, uuid7()), u.workspace_id, u.id, (p->>'latitude')::float8, (p->>'longitude')::float8,
      (p->>'accuracy')::float8, (p->>'altitude')::float8, (p->>'altitude_accuracy')::float8, (p->>'heading')::float8,
      (p->>'speed')::float8, p->>'source', p->>'platform', p->>'address', sessions[n],
      coalesce((p->>'recorded_at')::timestamptz, now()), coalesce(p->'metadata', '{}')
    FROM jsonb_array_elements(points) WITH ORDINALITY AS x (p, n) ORDER BY n
    RETURNING id
  )
  SELECT array_agg(id) INTO ids FROM stored;
  UPDATE tracking_sessions s SET points_count = points_count + x.count, updated_at = now(), last_location_id = (
    SELECT id FROM locations l WHERE l.tracking_session_id = s.id ORDER BY recorded_at DESC, id DESC LIMIT 1)
  FROM (SELECT session, count(*) AS count FROM unnest(sessions) session WHERE session IS NOT NULL GROUP BY 1) x
  WHERE s.id = x.session;
  SELECT json_agg(location_record(l) ORDER BY array_position(ids, l.id)) INTO records FROM locations l WHERE l.id = ANY (ids);
  SELECT * INTO latest FROM locations WHERE id = ANY (ids) ORDER BY recorded_at DESC, array_position(ids, id) DESC LIMIT 1;
  PERFORM announce_location(latest);
  RETURN records;
END $$;

-- What POST locations makes: {"workspace_id", "user_id", "points", "batch", "claim"}. The first point has an id, so that
-- the same request again answers the same.
CREATE FUNCTION record_locations(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users := lock_located_user((input->>'workspace_id')::uuid, (input->>'user_id')::uuid);
  points jsonb := input->'points';
  batch boolean := (input->>'batch')::boolean;
  sessions uuid[];
  again_at timestamptz;
  answer json;
BEGIN
  sessions := ARRAY(
    SELECT session_of_point(u, p, CASE WHEN batch THEN 'points.' || n - 1 || '.' ELSE '' END || 'tracking_session_id')
    FROM jsonb_array_elements(points) WITH ORDINALITY AS x (p, n) ORDER BY n);
  PERFORM check_session_takes_points(s) FROM (SELECT DISTINCT unnest(sessions) AS s) x WHERE s IS NOT NULL;
  again_at := take_location_allowance(u, jsonb_array_length(points));
  IF again_at IS NOT NULL THEN
    PERFORM refuse(json_build_object('problem', 'rate_limited', 'limit', 100, 'reset', ceil(extract(epoch FROM again_at))));
  END IF;
  answer := store_points(u, points, sessions);
  answer := CASE WHEN batch THEN json_build_object('data', answer) ELSE answer->0 END;
  PERFORM complete_claim(input->'claim', 201, answer);
  RETURN json_build_object('record', answer);
END $$;

-- Tells of a session; on a change also what it was before.
CREATE FUNCTION announce_session(s tracking_sessions, type text, before jsonb DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  answer json := tracking_session_record(s);
BEGIN
  INSERT INTO events (workspace_id, type, data, extra)
  SELECT s.workspace_id, announce_session.type, answer, CASE WHEN before IS NOT NULL
    THEN json_build_object('previous', former_values(before, answer::jsonb)) END;
END $$;

CREATE FUNCTION remind_of_session(s tracking_sessions) RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload, run_at)
  VALUES ('timer', jsonb_build_object('tracking_session_id', s.id), s.expires_at)
$$;

-- Ends a live session. The one place where a session does.
CREATE FUNCTION end_session(s tracking_sessions, becomes text, reason text, consent text DEFAULT NULL, how text DEFAULT NULL)
RETURNS tracking_sessions LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := tracking_session_record(s);
BEGIN
  UPDATE tracking_sessions SET status = becomes, end_reason = reason, ended_at = now(), updated_at = now(),
    consent_status = coalesce(consent, consent_status), consent_method = coalesce(how, consent_method)
  WHERE id = s.id AND status IN ('pending', 'active') RETURNING * INTO s;
  PERFORM announce_session(s, CASE becomes WHEN 'expired' THEN 'tracking.expired' ELSE 'tracking.stopped' END, before);
  RETURN s;
END $$;

-- Consent has come for a pending session: its time begins.
CREATE FUNCTION begin_session(s tracking_sessions, how text) RETURNS tracking_sessions LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := tracking_session_record(s);
BEGIN
  UPDATE tracking_sessions SET status = 'active', consent_status = 'granted', consent_method = how,
    consent_granted_at = now(), started_at = now(), expires_at = now() + make_interval(secs => duration_seconds),
    updated_at = now()
  WHERE id = s.id AND status = 'pending' RETURNING * INTO s;
  PERFORM remind_of_session(s);
  PERFORM announce_session(s, 'tracking.started', before);
  RETURN s;
END $$;

-- Consent is not there any more: what runs ends.
CREATE FUNCTION withdraw_consent(s tracking_sessions, how text) RETURNS tracking_sessions LANGUAGE sql AS $$
  SELECT CASE s.status WHEN 'pending' THEN end_session(s, 'denied', 'denied', 'denied', how)
    ELSE end_session(s, 'stopped', 'revoked', 'denied') END
$$;

-- A session by its id, after its user is locked; one whose time has passed counts as expired.
CREATE FUNCTION lock_session(workspace uuid, session uuid) RETURNS tracking_sessions LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions;
BEGIN
  SELECT * INTO s FROM tracking_sessions WHERE id = session AND workspace_id = workspace;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  PERFORM 1 FROM users WHERE id = s.user_id FOR NO KEY UPDATE;
  SELECT * INTO s FROM tracking_sessions WHERE id = session FOR UPDATE;
  IF s.status IN ('pending', 'active') AND s.expires_at <= clock_timestamp() THEN s.status := 'expired'; END IF;
  RETURN s;
END $$;

-- {"workspace_id", "id", "started_by", "user_id", "conversation_id" or "conversation_number", "purpose",
-- "interval_seconds", "duration_seconds", "share_with", "metadata", "claim"}. The same id again answers the same.
CREATE FUNCTION start_tracking(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid := (input->>'workspace_id')::uuid;
  u users := lock_located_user(workspace, (input->>'user_id')::uuid);
  chat uuid;
  s tracking_sessions;
  way text;
  lasting interval := make_interval(secs => (input->>'duration_seconds')::int);
BEGIN
  SELECT * INTO s FROM tracking_sessions WHERE id = (input->>'id')::uuid;
  IF FOUND THEN RETURN json_build_object('record', tracking_session_record(s)); END IF;
  IF input ? 'conversation_id' OR input ? 'conversation_number' THEN
    SELECT id INTO chat FROM conversations WHERE workspace_id = workspace AND deleted_at IS NULL
      AND CASE WHEN input ? 'conversation_id' THEN id = (input->>'conversation_id')::uuid
        ELSE number = (input->>'conversation_number')::bigint END;
    IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"conversation_id"}'); END IF;
  END IF;
  PERFORM refuse(json_build_object('problem', 'not_found', 'field', 'share_with'))
  FROM jsonb_array_elements_text(input->'share_with') i (id) WHERE NOT EXISTS (
    SELECT 1 FROM users w WHERE w.id = i.id::uuid AND w.workspace_id = workspace AND w.deleted_at IS NULL) LIMIT 1;
  PERFORM refuse('{"problem":"invalid","field":"share_with"}')
  FROM jsonb_array_elements_text(input->'share_with') i (id) JOIN users w ON w.id = i.id::uuid WHERE w.kind <> 'member' LIMIT 1;
  SELECT * INTO s FROM tracking_sessions WHERE user_id = u.id AND conversation_id IS NOT DISTINCT FROM chat
    AND status IN ('pending', 'active') FOR UPDATE;
  IF s.expires_at <= clock_timestamp() THEN
    PERFORM end_session(s, 'expired', 'expired');
  ELSIF s.id IS NOT NULL THEN
    PERFORM refuse(json_build_object('problem', 'tracking_active', 'id', s.id));
  END IF;
  way := CASE WHEN u.id = (input->>'started_by')::uuid THEN 'self' WHEN u.consent->>'tracking' = 'granted' THEN 'prior' END;
  IF way IS NULL AND u.consent->>'tracking' = 'denied' THEN PERFORM refuse('{"problem":"consent_denied"}'); END IF;
  INSERT INTO tracking_sessions (id, workspace_id, user_id, conversation_id, status, purpose, interval_seconds,
    duration_seconds, share_with, started_by, consent_status, consent_method, consent_granted_at, expires_at, started_at,
    metadata)
  VALUES ((input->>'id')::uuid, workspace, u.id, chat, CASE WHEN way IS NULL THEN 'pending' ELSE 'active' END,
    input->>'purpose', (input->>'interval_seconds')::int, (input->>'duration_seconds')::int,
    ARRAY(SELECT jsonb_array_elements_text(input->'share_with')::uuid), (input->>'started_by')::uuid,
    CASE WHEN way IS NULL THEN 'pending' ELSE 'granted' END, way, CASE WHEN way IS NOT NULL THEN now() END,
    now() + CASE WHEN way IS NULL THEN interval '24 hours' ELSE lasting END, CASE WHEN way IS NOT NULL THEN now() END,
    coalesce(input->'metadata', '{}'))
  RETURNING * INTO s;
  PERFORM remind_of_session(s);
  IF way IS NOT NULL THEN PERFORM announce_session(s, 'tracking.started'); END IF;
  PERFORM complete_claim(input->'claim', 201, tracking_session_record(s));
  RETURN json_build_object('record', tracking_session_record(s));
END $$;

-- {"workspace_id", "id", "claim"}
CREATE FUNCTION stop_tracking(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions := lock_session((input->>'workspace_id')::uuid, (input->>'id')::uuid);
BEGIN
  IF s.status NOT IN ('pending', 'active') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', s.status));
  END IF;
  s := end_session(s, 'stopped', 'stopped');
  PERFORM complete_claim(input->'claim', 200, tracking_session_record(s));
  RETURN json_build_object('record', tracking_session_record(s));
END $$;

-- {"workspace_id", "id", "caller_id", "granted", "claim"}. One answers for oneself, and writes down what a contact said.
CREATE FUNCTION answer_tracking(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions := lock_session((input->>'workspace_id')::uuid, (input->>'id')::uuid);
  own boolean := s.user_id = (input->>'caller_id')::uuid;
  way text := CASE WHEN own THEN 'self' ELSE 'recorded' END;
BEGIN
  IF NOT own AND (SELECT kind FROM users WHERE id = s.user_id) <> 'contact' THEN
    PERFORM refuse('{"problem":"not_a_contact"}');
  END IF;
  IF s.status NOT IN ('pending', 'active') OR (s.status = 'active' AND (input->>'granted')::boolean) THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', s.status));
  END IF;
  s := CASE WHEN (input->>'granted')::boolean THEN begin_session(s, way) ELSE withdraw_consent(s, way) END;
  PERFORM complete_claim(input->'claim', 200, tracking_session_record(s));
  RETURN json_build_object('record', tracking_session_record(s));
END $$;

-- The time of a session has passed, or the reminder came a moment early and is set again.
CREATE FUNCTION expire_tracking(session uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions;
BEGIN
  SELECT * INTO s FROM tracking_sessions WHERE id = session AND status IN ('pending', 'active');
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM 1 FROM users WHERE id = s.user_id FOR NO KEY UPDATE;
  SELECT * INTO s FROM tracking_sessions WHERE id = session AND status IN ('pending', 'active') FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF s.expires_at <= clock_timestamp() THEN
    PERFORM end_session(s, 'expired', 'expired');
  ELSIF s.expires_at <= clock_timestamp() + interval '10 s' THEN
    PERFORM remind_of_session(s);
  END IF;
END $$;

-- What the general consent of a user says about the sessions, and what is left of a user who was erased: nothing.
CREATE FUNCTION follow_tracking_consent() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions;
  said text := NEW.consent->>'tracking';
BEGIN
  FOR s IN SELECT * FROM tracking_sessions WHERE user_id = NEW.id AND status IN ('pending', 'active') ORDER BY id FOR UPDATE LOOP
    IF NEW.deleted_at IS NOT NULL OR said = 'denied' OR (s.consent_method = 'prior' AND said <> 'granted') THEN
      PERFORM withdraw_consent(s, 'recorded');
    ELSIF s.status = 'pending' AND said = 'granted' THEN
      PERFORM begin_session(s, 'recorded');
    END IF;
  END LOOP;
  IF NEW.deleted_at IS NOT NULL THEN
    DELETE FROM locations WHERE user_id = NEW.id;
    DELETE FROM location_feeds WHERE user_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER users_tracking_consent AFTER UPDATE OF consent, deleted_at ON users FOR EACH ROW
  WHEN (OLD.consent->'tracking' IS DISTINCT FROM NEW.consent->'tracking'
    OR (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL))
  EXECUTE FUNCTION follow_tracking_consent();

-- A person shares where they are on a platform. That is an answer to a question for consent in the same conversation.
-- More points than are allowed are left out: the platform sends the next one soon.
CREATE FUNCTION take_platform_location(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  u users;
  s tracking_sessions;
  point jsonb;
BEGIN
  SELECT x.* INTO u FROM users x JOIN identities i ON i.user_id = x.id
  WHERE i.workspace_id = n.workspace_id AND i.platform = n.platform AND i.external_id = e->'sender'->>'id'
    AND x.deleted_at IS NULL AND x.status <> 'blocked' FOR NO KEY UPDATE OF x;
  IF NOT FOUND OR u.consent->>'tracking' = 'denied' OR coalesce((e->>'echo')::boolean, false) THEN RETURN; END IF;
  SELECT t.* INTO s FROM tracking_sessions t
  WHERE t.user_id = u.id AND t.status = 'pending' AND t.expires_at > clock_timestamp()
    AND t.conversation_id IN (SELECT l.conversation_id FROM links l
      WHERE l.connection_id = n.id AND l.external_id = e->'chat'->>'id' AND l.removed_at IS NULL) LIMIT 1 FOR UPDATE;
  IF FOUND THEN PERFORM begin_session(s, 'platform'); END IF;
  IF take_location_allowance(u, 1) IS NOT NULL THEN RETURN; END IF;
  point := jsonb_build_object('latitude', e->'latitude', 'longitude', e->'longitude', 'accuracy', e->'accuracy',
    'heading', e->'heading', 'source', 'platform', 'platform', n.platform,
    'recorded_at', least((e->>'at')::timestamptz, now() + interval '5 min'));
  PERFORM store_points(u, jsonb_build_array(point), ARRAY[session_of_point(u, point, '')]);
END $$;

-- What is due and whose reminder was lost, and points whose days are over. In portions, so that no run takes long.
CREATE FUNCTION sweep_locations() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM expire_tracking(x.id) FROM (SELECT id FROM tracking_sessions
    WHERE status IN ('pending', 'active') AND expires_at <= now() ORDER BY expires_at LIMIT 100) x;
  PERFORM announce_waiting_location(x.user_id) FROM (SELECT user_id FROM location_feeds
    WHERE waiting_id IS NOT NULL AND announced_at <= now() - interval '6 s' ORDER BY announced_at LIMIT 100) x;
  DELETE FROM locations WHERE id IN (
    SELECT id FROM locations WHERE created_at < now() - interval '30 days' ORDER BY created_at LIMIT 5000);
END $$;
