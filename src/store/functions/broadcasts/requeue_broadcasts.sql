-- Adds jobs for broadcasts that have work, because jobs can be lost.
--
-- Returns: void
CREATE OR REPLACE FUNCTION requeue_broadcasts() RETURNS void LANGUAGE sql AS $$
  SELECT queue_broadcast(id) FROM broadcasts b WHERE status IN ('preparing', 'canceling', 'on_hold')
    OR (status = 'scheduled' AND least(scheduled_at, starts_at) <= now())
    OR (status = 'paused' AND EXISTS (SELECT 1 FROM queued_deliveries(b.id, b.workspace_id) d
        WHERE NOT d.held))
    OR (status = 'sending' AND (quiet_until(schedule, now()) IS NOT NULL
      OR (waiting > 0 AND (NOT local OR EXISTS (SELECT 1 FROM broadcast_recipients r
            WHERE r.broadcast_id = b.id AND r.due_at <= now())))
      OR EXISTS (SELECT 1 FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.fallback_at <= now())
      OR EXISTS (SELECT 1 FROM deliveries d JOIN messages m ON m.id = d.message_id
          WHERE d.held AND m.broadcast_id = b.id)))
    OR (status IN ('sending', 'paused') AND (schedule->>'expires_at')::timestamptz <= now())
$$;
