-- A location in the form of the API.
--
-- Returns: LocationRecord
CREATE OR REPLACE FUNCTION location_record(l locations) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', l.id, 'user_id', l.user_id, 'latitude', l.latitude, 'longitude', l.longitude,
      'accuracy', l.accuracy,
    'altitude', l.altitude, 'altitude_accuracy', l.altitude_accuracy, 'heading', l.heading, 'speed', l.speed,
    'source', l.source, 'platform', l.platform, 'address', l.address,
    'tracking_session_id', l.tracking_session_id, 'recorded_at', wire_time(l.recorded_at),
      'metadata', l.metadata,
    'created_at', wire_time(l.created_at), 'updated_at', wire_time(l.updated_at))
$$;
