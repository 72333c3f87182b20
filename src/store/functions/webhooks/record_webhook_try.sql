-- Records one attempt under its lease, and the consequences for the endpoint. Returns whether the endpoint
-- has due deliveries without a worker. No row if another worker has the lease. (ROWS 1 and enable_seqscan =
-- off prevent scans of whole tables, which the planner also chooses for a condition that it takes for
-- frequent, such as due deliveries during a backlog.)
--
-- Locks: webhook_deliveries.
-- Events: webhook.disabled.
-- Returns: { status: string; more: boolean }[]
CREATE OR REPLACE FUNCTION record_webhook_try(delivery uuid, lease timestamptz, attempt jsonb, verdict text,
  retry_in_ms double precision, gone boolean, failing_limit interval)
RETURNS TABLE (status text, more boolean) LANGUAGE plpgsql ROWS 1 SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  d webhook_deliveries;
  w webhooks;
BEGIN
  UPDATE webhook_deliveries SET status = verdict, attempts = attempts || attempt, tries = tries + 1,
    next_attempt_at = CASE WHEN verdict = 'pending' THEN now() + make_interval(secs => retry_in_ms / 1000)
      END,
    leased_until = NULL, updated_at = now()
  WHERE id = delivery AND leased_until = lease RETURNING * INTO d;
  IF NOT FOUND THEN RETURN; END IF;
  IF verdict = 'succeeded' THEN
    -- At most once a second, so that the row of a busy endpoint does not become the bottleneck.
    UPDATE webhooks SET last_success_at = now(), failing_since = NULL
    WHERE id = d.webhook_id AND (failing_since IS NOT NULL OR last_success_at IS NULL
      OR last_success_at < now() - interval '1 second');
  ELSE
    UPDATE webhooks SET last_failure_at = now(), failing_since = coalesce(failing_since, now())
    WHERE id = d.webhook_id RETURNING * INTO w;
    IF gone THEN
      PERFORM auto_disable_webhook(w.id, 'gone', 'The receiver answered 410.');
    ELSIF w.failing_since <= now() - failing_limit THEN
      PERFORM auto_disable_webhook(w.id, 'failing', 'All deliveries failed for too long.');
    END IF;
    SELECT * INTO w FROM webhooks WHERE id = w.id;
    IF d.status = 'pending' AND (w.status <> 'enabled' OR w.deleted_at IS NOT NULL) THEN
      UPDATE webhook_deliveries SET status = CASE WHEN w.status = 'auto_disabled' AND w.deleted_at IS NULL
        THEN 'dead' ELSE 'canceled' END, next_attempt_at = NULL WHERE id = d.id AND status = 'pending';
    END IF;
    SELECT * INTO d FROM webhook_deliveries WHERE id = delivery;
  END IF;
  RETURN QUERY SELECT d.status, coalesce((SELECT true FROM webhook_deliveries o
    WHERE o.webhook_id = d.webhook_id AND o.status = 'pending' AND o.next_attempt_at <= clock_timestamp()
      AND (o.leased_until IS NULL OR o.leased_until <= clock_timestamp()) ORDER BY o.next_attempt_at
          LIMIT 1), false);
END $$;
