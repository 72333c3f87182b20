-- Wakes pending envelopes whose job was lost.
--
-- Returns: void
CREATE OR REPLACE FUNCTION wake_pending_envelopes() RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload)
  SELECT 'envelope', jsonb_build_object('envelope_id', id) FROM envelopes
  WHERE status = 'pending' AND received_at < now() - make_interval(secs => 10 * power(4, tries)) LIMIT 100
$$;
