-- Predicts the result of a broadcast (the input of create_broadcast), in a transaction that is rolled back.
--
-- Locks: templates.
-- Events: broadcast.scheduled, user.created.
-- Arguments: input: NewBroadcast
-- Returns: DryRunResult | Refusal
CREATE OR REPLACE FUNCTION dry_run_broadcast(input jsonb, filtered found_audience) RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
BEGIN
  PERFORM create_broadcast(input - 'claim' || '{"draft":true}');
  -- As schedule_broadcast does.
  UPDATE broadcasts SET local = scheduled_at IS NOT NULL
    AND coalesce(schedule->>'mode' = 'recipient_local', false)
  WHERE id = (input->>'id')::uuid RETURNING * INTO b;
  b := freeze_audience(b, filtered);
  RETURN json_build_object('content_type', b.content_type, 'skips', b.skip_reasons,
    -- The first connection of a platform opens its new chats.
    'rates', coalesce((SELECT json_object_agg(k.platform, (k.settings->>'rate_per_second')::numeric) FROM (
      SELECT DISTINCT ON (platform) platform, settings FROM connections
      WHERE workspace_id = b.workspace_id AND enabled AND deleted_at IS NULL ORDER BY platform, created_at,
            id) k), '{}'),
    'without_zone', CASE WHEN b.schedule->>'mode' = 'recipient_local' THEN (
      SELECT count(*) FROM broadcast_recipients r JOIN users u ON u.id = r.user_id
      WHERE r.broadcast_id = b.id AND r.status = 'pending' AND u.timezone IS NULL) ELSE 0 END,
    'samples', coalesce((
    SELECT json_agg(s) FROM (SELECT user_id, platform, text FROM frozen_texts(b.id) ORDER BY id LIMIT 5) s),
        '[]'));
END $$;
