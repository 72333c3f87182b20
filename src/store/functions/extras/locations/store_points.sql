-- Stores points of a locked user with their sessions, in the given order. Returns their records.
--
-- Events: location.updated.
-- Returns: unknown
CREATE OR REPLACE FUNCTION store_points(u users, points jsonb, sessions uuid[]) RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  latest locations;
  records json;
BEGIN
  WITH stored AS (
    INSERT INTO locations (id, workspace_id, user_id, latitude, longitude, accuracy, altitude,
      altitude_accuracy, heading,
      speed, source, platform, address, tracking_session_id, recorded_at, metadata)
    SELECT coalesce((p->>'id')::uuid, uuid7()), u.workspace_id, u.id, (p->>'latitude')::float8,
      (p->>'longitude')::float8,
      (p->>'accuracy')::float8, (p->>'altitude')::float8, (p->>'altitude_accuracy')::float8,
        (p->>'heading')::float8,
      (p->>'speed')::float8, p->>'source', p->>'platform', p->>'address', sessions[n],
      coalesce((p->>'recorded_at')::timestamptz, now()), coalesce(p->'metadata', '{}')
    FROM jsonb_array_elements(points) WITH ORDINALITY AS x (p, n) ORDER BY n
    RETURNING id
  )
  SELECT array_agg(id) INTO ids FROM stored;
  UPDATE tracking_sessions s SET points_count = points_count + x.count, updated_at = now(),
    last_location_id = (
    SELECT id FROM locations l WHERE l.tracking_session_id = s.id ORDER BY recorded_at DESC, id DESC LIMIT 1)
  FROM (SELECT session, count(*) AS count FROM unnest(sessions) session
    WHERE session IS NOT NULL GROUP BY 1) x
  WHERE s.id = x.session;
  SELECT json_agg(location_record(l) ORDER BY array_position(ids, l.id)) INTO records FROM locations l
  WHERE l.id = ANY (ids);
  SELECT * INTO latest FROM locations WHERE id = ANY (ids)
  ORDER BY recorded_at DESC, array_position(ids, id) DESC LIMIT 1;
  PERFORM announce_location(latest);
  RETURN records;
END $$;
