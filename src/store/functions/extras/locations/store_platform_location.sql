-- Stores a location that a contact shares on a platform. This grants a pending request for consent in the
-- same conversation. Points above the limit are dropped, because the platform sends the next one soon.
--
-- Locks: users, tracking_sessions.
-- Events: tracking.started, location.updated.
-- Returns: void
CREATE OR REPLACE FUNCTION store_platform_location(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  u users;
  s tracking_sessions;
  point jsonb;
BEGIN
  SELECT x.* INTO u FROM users x JOIN identities i ON i.user_id = x.id
  WHERE i.workspace_id = n.workspace_id AND i.platform = n.platform AND i.external_id = e->'sender'->>'id'
    AND x.deleted_at IS NULL AND x.status <> 'blocked' FOR NO KEY UPDATE OF x;
  IF NOT FOUND OR u.consent->>'tracking' = 'denied' OR coalesce((e->>'echo')::boolean, false) THEN
    RETURN;
  END IF;
  SELECT t.* INTO s FROM tracking_sessions t
  WHERE t.user_id = u.id AND t.status = 'pending' AND t.expires_at > clock_timestamp()
    AND t.conversation_id IN (SELECT l.conversation_id FROM links l
      WHERE l.connection_id = n.id AND l.external_id = e->'chat'->>'id' AND l.removed_at IS NULL)
      LIMIT 1 FOR UPDATE;
  IF FOUND THEN PERFORM start_tracking_session(s, 'platform'); END IF;
  IF reserve_location_capacity(u, 1) IS NOT NULL THEN RETURN; END IF;
  point := jsonb_build_object('latitude', e->'latitude', 'longitude', e->'longitude', 'accuracy',
    e->'accuracy',
    'heading', e->'heading', 'source', 'platform', 'platform', n.platform,
    'recorded_at', least((e->>'at')::timestamptz, now() + interval '5 min'));
  PERFORM store_points(u, jsonb_build_array(point), ARRAY[find_point_session(u, point, '')]);
END $$;
