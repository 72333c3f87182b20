-- Deletes a batch of each kind of expired short-lived rows. Returns the largest number of deleted rows of
-- one kind.
--
-- Locks: idempotency_keys, rate_counters, rate_buckets, message_drafts, proposals,
--   approval_presses, approval_requests, agent_reads, agent_sessions, staff_alerts, parked_events.
-- Arguments: batch: number
-- Returns: number
CREATE OR REPLACE FUNCTION purge_expired(batch int DEFAULT 1000) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  largest int;
  went int;
BEGIN
  DELETE FROM idempotency_keys WHERE (credential_id, method, path, key) IN (
    SELECT credential_id, method, path, key FROM idempotency_keys WHERE expires_at < now() LIMIT batch
      FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS largest = ROW_COUNT;
  DELETE FROM rate_windows WHERE (key_id, hour) IN (
    SELECT key_id, hour FROM rate_windows WHERE hour < now() - interval '2 hours' LIMIT batch);
  GET DIAGNOSTICS went = ROW_COUNT;
  largest := greatest(largest, went);
  DELETE FROM rate_counters WHERE id IN (
    SELECT id FROM rate_counters WHERE leased_until < now() - interval '1 hour' LIMIT batch
      FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  largest := greatest(largest, went);
  DELETE FROM rate_buckets WHERE (connection_id, key) IN (
    SELECT connection_id, key FROM rate_buckets WHERE idle_at < now() - interval '1 minute' LIMIT batch
      FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  largest := greatest(largest, went);
  DELETE FROM message_drafts WHERE (user_id, conversation_id) IN (
    SELECT user_id, conversation_id FROM message_drafts WHERE written_at < now() - interval '30 days'
    LIMIT batch FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  largest := greatest(largest, went);
  DELETE FROM proposals WHERE id IN (SELECT id FROM proposals WHERE created_at < now() - interval '30 days'
    LIMIT batch FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  largest := greatest(largest, went);
  DELETE FROM approval_presses WHERE id IN (SELECT id FROM approval_presses
    WHERE created_at < now() - interval '30 days' LIMIT batch FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  largest := greatest(largest, went);
  DELETE FROM approval_requests WHERE proposal_id IN (SELECT proposal_id FROM approval_requests
    WHERE created_at < now() - interval '31 days' LIMIT batch FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  largest := greatest(largest, went);
  DELETE FROM agent_reads WHERE (session_id, conversation_id) IN (
    SELECT session_id, conversation_id FROM agent_reads WHERE read_at < now() - interval '24 hours'
    LIMIT batch FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  largest := greatest(largest, went);
  DELETE FROM agent_sessions WHERE id IN (SELECT id FROM agent_sessions
    WHERE used_at < now() - interval '7 days' LIMIT batch FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  largest := greatest(largest, went);
  DELETE FROM staff_alerts WHERE event_id IN (SELECT event_id FROM staff_alerts
    WHERE created_at < now() - interval '7 days' LIMIT batch FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  largest := greatest(largest, went);
  -- Keeps parked events while their connection has a pending envelope, because it may contain their message
  -- and an outage can last long. Receipts are not kept.
  DELETE FROM parked_events WHERE id IN (SELECT id FROM parked_events x WHERE expires_at < now()
    AND (event->>'type' = 'receipt' OR NOT EXISTS (SELECT FROM envelopes v
        WHERE v.status = 'pending' AND v.connection_id = x.connection_id))
    LIMIT batch FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS went = ROW_COUNT;
  RETURN greatest(largest, went);
END $$;
