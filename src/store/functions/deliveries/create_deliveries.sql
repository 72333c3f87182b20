-- Creates one delivery per outbound link, except the link that the message came by, with events and wake-ups.
--
-- Events: delivery.updated, delivery.failed.
-- Returns: void
CREATE OR REPLACE FUNCTION create_deliveries(m messages, from_link uuid, prio smallint, block jsonb)
  RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  woken uuid[];
BEGIN
  WITH made AS (
    INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform,
      external_chat_id, priority, status, wanted_revision, relay_of_link_id, error, expires_at, failed_at)
    SELECT m.workspace_id, m.id, m.conversation_id, l.id, l.connection_id, l.platform, l.external_id, prio,
      CASE WHEN block IS NULL THEN 'queued' ELSE 'blocked' END, m.revision, from_link, block,
      coalesce(m.expires_at, m.created_at + make_interval(secs => m.ttl_seconds)),
      CASE WHEN block IS NOT NULL THEN now() END
    FROM links l
    WHERE l.conversation_id = m.conversation_id AND l.removed_at IS NULL AND l.status = 'active'
      AND l.direction IN ('two_way', 'outbound') AND l.id IS DISTINCT FROM from_link
    ORDER BY l.created_at, l.id
    RETURNING *
  ), announced AS (
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    SELECT d.workspace_id, e.type, d.conversation_id, delivery_record(d),
      CASE WHEN e.type = 'delivery.updated' THEN '{"previous":{"status":null}}'::json END
    FROM made d, LATERAL (SELECT 'delivery.updated' AS type
        WHERE has_delivery_subscribers(d.workspace_id)
      UNION ALL SELECT 'delivery.failed' WHERE d.status = 'blocked' AND has_subscribers(d.workspace_id)) e
    RETURNING 1
  )
  SELECT array_agg(d.connection_id) INTO woken FROM made d WHERE d.status = 'queued';
  IF woken IS NOT NULL THEN PERFORM wake_connections(woken); END IF;
END $$;
