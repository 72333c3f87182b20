-- Moves deliveries by compare-and-set: a delivery with another status than expected does not move. Returns
-- the ids that moved. Only this function and mark_deliveries_sending change a status. Lock order everywhere:
-- links by id, messages by id, then deliveries, then connections by id. The caller holds the locks of the
-- messages. Each row is looked up by its id, even with a plan that was made while the statistics showed empty
-- tables.
--
-- Locks: connections, broadcasts.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Returns: string[]
CREATE OR REPLACE FUNCTION apply_moves(moves delivery_move[]) RETURNS uuid[] LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
DECLARE
  moved uuid[];
  olds text[];
  workspaces uuid[];
  message_ids uuid[];
  of_broadcasts boolean;
  troubled boolean;
BEGIN
  WITH wanted AS (
    SELECT w.*, d.status AS old FROM unnest(moves) w JOIN deliveries d ON d.id = w.id
    WHERE d.status = ANY (w.was)
  ), updated AS (
    UPDATE deliveries d SET status = w.becomes, updated_at = now(),
      attempt_count = coalesce(w.attempt_count, d.attempt_count), revision = coalesce(w.revision, d.revision),
      -- Parts that earlier tries wrote keep their degradations.
      degradations = CASE WHEN w.degradations IS NULL THEN d.degradations
        WHEN d.degradations <> '{}' AND (d.resumed OR w.old = 'uncertain')
        THEN ARRAY(SELECT DISTINCT x FROM unnest(d.degradations || w.degradations) x ORDER BY x)
        ELSE w.degradations END,
      error = CASE WHEN w.judged THEN w.error ELSE d.error END,
      resolution = coalesce(w.resolution, d.resolution),
      next_attempt_at = w.next_attempt_at, expires_at = coalesce(w.expires_at, d.expires_at), held = false,
      uncertain_at = CASE WHEN w.becomes = 'uncertain' THEN now() ELSE d.uncertain_at END,
      sent_at = CASE WHEN w.becomes IN ('sent', 'delivered', 'read') THEN coalesce(d.sent_at, now())
        ELSE d.sent_at END,
      delivered_at = CASE WHEN w.becomes IN ('delivered', 'read') THEN coalesce(d.delivered_at, w.at, now())
        ELSE d.delivered_at END,
      read_at = CASE WHEN w.becomes = 'read' THEN coalesce(d.read_at, w.at, now()) ELSE d.read_at END,
      failed_at = CASE WHEN w.becomes IN ('failed', 'expired', 'blocked') THEN now()
        WHEN w.becomes IN ('queued', 'delivered', 'read') THEN NULL ELSE d.failed_at END
    FROM wanted w WHERE d.id = w.id AND d.status = w.old
    RETURNING d.id, d.workspace_id, d.message_id, d.connection_id, d.status, w.old
  ), tallied AS (
    SELECT u.connection_id, count(*)
      FILTER (WHERE u.status IN ('sent', 'delivered', 'read') AND u.old IN ('sending', 'uncertain')) AS sent,
      count(*) FILTER (WHERE u.status = 'failed') AS failed, count(*)
        FILTER (WHERE u.status = 'uncertain') AS uncertain
    FROM updated u GROUP BY 1
  ), locked AS (
    SELECT c.id FROM connections c
    WHERE c.id IN (SELECT connection_id FROM tallied WHERE sent + failed + uncertain > 0)
    ORDER BY c.id FOR NO KEY UPDATE
  ), counted AS (
    UPDATE connections c SET sent = c.sent + x.sent, failed = c.failed + x.failed,
      uncertain = c.uncertain + x.uncertain
    FROM locked k JOIN tallied x ON x.connection_id = k.id WHERE c.id = k.id
  )
  SELECT array_agg(id), array_agg(old), array_agg(DISTINCT workspace_id), array_agg(DISTINCT message_id),
    bool_or(status IN ('failed', 'expired', 'blocked') OR old IN ('failed', 'expired', 'blocked'))
  INTO moved, olds, workspaces, message_ids, troubled FROM updated;
  IF moved IS NOT NULL THEN
    IF has_any_subscriber(workspaces) THEN PERFORM announce_moves(moved, olds); END IF;
    -- For an inbound message, its copies affect only its error. Skipped without failures, because a statement
    -- has a setup cost and runs its triggers even if it finds nothing.
    IF troubled THEN
      UPDATE messages m SET error = first_error(m.id), updated_at = now()
      WHERE id = ANY (message_ids) AND direction = 'inbound' AND deleted_at IS NULL
        AND error IS DISTINCT FROM first_error(m.id);
    END IF;
    SELECT array_agg(id), bool_or(broadcast_id IS NOT NULL) INTO message_ids, of_broadcasts FROM messages
    WHERE id = ANY (message_ids) AND direction = 'outbound';
    IF message_ids IS NOT NULL THEN
      PERFORM sync_message_statuses(message_ids);
      IF of_broadcasts THEN PERFORM sync_recipient_statuses(moved); END IF;
    END IF;
  END IF;
  RETURN coalesce(moved, '{}');
END $$;
