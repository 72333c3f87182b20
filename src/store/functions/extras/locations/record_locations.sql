-- Stores the points of a request (POST locations): {"workspace_id", "user_id", "points", "batch", "claim"}.
-- The first point has an id, so that a repeated request returns the same result.
--
-- Locks: users.
-- Events: location.updated.
-- Arguments: input: NewLocations
-- Returns: { record: LocationRecord | LocationBatch } | Refusal

-- Refuses points for a tracking session that is not active.
CREATE OR REPLACE FUNCTION check_session_accepts_points(session uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  state text;
BEGIN
  SELECT CASE WHEN status IN ('pending', 'active') AND expires_at <= clock_timestamp() THEN 'expired'
    ELSE status END
  INTO state FROM tracking_sessions WHERE id = session;
  IF state <> 'active' THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', state));
  END IF;
END $$;

CREATE OR REPLACE FUNCTION record_locations(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users := lock_located_user((input->>'workspace_id')::uuid, (input->>'user_id')::uuid);
  points jsonb := input->'points';
  batch boolean := (input->>'batch')::boolean;
  sessions uuid[];
  again_at timestamptz;
  answer json;
BEGIN
  sessions := ARRAY(
    SELECT find_point_session(u, p,
      CASE WHEN batch THEN 'points.' || n - 1 || '.' ELSE '' END || 'tracking_session_id')
    FROM jsonb_array_elements(points) WITH ORDINALITY AS x (p, n) ORDER BY n);
  PERFORM check_session_accepts_points(s) FROM (SELECT DISTINCT unnest(sessions) AS s) x WHERE s IS NOT NULL;
  again_at := reserve_location_capacity(u, jsonb_array_length(points));
  IF again_at IS NOT NULL THEN
    PERFORM refuse(json_build_object('problem', 'rate_limited', 'limit', 100,
        'reset', ceil(extract(epoch FROM again_at))));
  END IF;
  answer := store_points(u, points, sessions);
  answer := CASE WHEN batch THEN json_build_object('data', answer) ELSE answer->0 END;
  PERFORM complete_claim(input->'claim', 201, answer);
  RETURN json_build_object('record', answer);
END $$;
