-- Records one attempt under its lease, and updates the endpoint. Returns whether the endpoint has due
-- deliveries without a worker. Returns no row if another worker has the lease. `attempt` may have an
-- `excerpt` of the response, which is stored separately; at most the newest 20 of a delivery are kept. ROWS
-- 1 and enable_seqscan = off prevent scans of whole tables. The planner would otherwise choose them for
-- conditions that it expects to match many rows, such as due deliveries during a backlog.
--
-- Locks: webhook_deliveries, webhook_answers.
-- Events: webhook.disabled.
-- Returns: { status: string; more: boolean }[]
CREATE OR REPLACE FUNCTION record_webhook_attempt(delivery uuid, lease timestamptz, attempt jsonb,
  verdict text,
  retry_in_ms double precision, endpoint_gone boolean, failing_limit interval)
RETURNS TABLE (status text, more boolean) LANGUAGE plpgsql ROWS 1 SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  d webhook_deliveries;
  w webhooks;
BEGIN
  UPDATE webhook_deliveries SET status = verdict, tries = tries + 1,
    attempts = attempts || (attempt - 'excerpt'),
    next_attempt_at = CASE WHEN verdict = 'pending' THEN now() + make_interval(secs => retry_in_ms / 1000)
      END,
    leased_until = NULL, updated_at = now()
  WHERE id = delivery AND leased_until = lease RETURNING * INTO d;
  IF NOT FOUND THEN RETURN; END IF;
  IF attempt ? 'excerpt' THEN
    INSERT INTO webhook_answers (workspace_id, delivery_id, at, excerpt)
    VALUES (d.workspace_id, d.id, (attempt->>'at')::timestamptz, attempt->>'excerpt') ON CONFLICT DO NOTHING;
    IF jsonb_array_length(d.attempts) > 20 THEN
      DELETE FROM webhook_answers WHERE workspace_id = d.workspace_id AND delivery_id = d.id
        AND at <= (SELECT a.at FROM webhook_answers a WHERE a.workspace_id = d.workspace_id
          AND a.delivery_id = d.id ORDER BY a.at DESC OFFSET 20 LIMIT 1);
    END IF;
  END IF;
  IF verdict = 'succeeded' THEN
    -- At most once a second, so that the row of a busy endpoint does not become the bottleneck.
    UPDATE webhooks SET last_success_at = now(), failing_since = NULL
    WHERE id = d.webhook_id AND (failing_since IS NOT NULL OR last_success_at IS NULL
      OR last_success_at < now() - interval '1 second');
  ELSE
    UPDATE webhooks SET last_failure_at = now(), failing_since = coalesce(failing_since, now())
    WHERE id = d.webhook_id RETURNING * INTO w;
    IF endpoint_gone THEN
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
