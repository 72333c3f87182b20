-- Expires deliveries whose time has passed. Returns the milliseconds until the next one expires: 0 if more
-- are due now, null if there is none.
--
-- Locks: messages, connections, broadcasts.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Returns: number | null
CREATE OR REPLACE FUNCTION expire_deliveries() RETURNS int LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  batch_size CONSTANT int := 1000;
  items jsonb;
BEGIN
  SELECT jsonb_agg(jsonb_build_object('id', id, 'from', jsonb_build_array(status),
    'to', CASE status WHEN 'queued' THEN 'expired' ELSE 'failed' END,
    'resolution', CASE status WHEN 'uncertain' THEN 'timeout' END,
    'error', jsonb_build_object('code', CASE status WHEN 'queued' THEN 'expired' ELSE 'outcome_unknown' END,
      'permanent', true, 'platform_code', NULL, 'message', CASE status WHEN 'queued'
        THEN 'The message could not be sent in time.'
              ELSE 'Whether the message was sent could not be found out in time.' END)))
  INTO items FROM (SELECT id, status FROM deliveries
    WHERE status IN ('queued', 'uncertain') AND ends_at <= now() LIMIT batch_size) x;
  IF items IS NOT NULL THEN PERFORM move_deliveries(items); END IF;
  IF jsonb_array_length(items) = batch_size THEN RETURN 0; END IF;
  RETURN (SELECT ceil(1000 * greatest(0, extract(epoch FROM x.ends_at - clock_timestamp()))) FROM (
    SELECT ends_at FROM deliveries WHERE ends_at > now() AND ends_at < now() + interval '1 minute'
      AND status IN ('queued', 'uncertain')
    ORDER BY ends_at LIMIT 1) x);
END $$;
