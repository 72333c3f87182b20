-- The progress of a broadcast: the fields of its record that change without a request.
--
-- Returns: BroadcastProgress
CREATE OR REPLACE FUNCTION broadcast_progress_record(b broadcasts) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', b.id, 'status', b.status, 'counts', b.counts, 'progress', completed_share(b),
    'skip_reasons', b.skip_reasons, 'eta', wire_time(b.eta), 'error', b.error,
    'scheduled_at', wire_time(b.scheduled_at), 'started_at', wire_time(b.started_at),
    'completed_at', wire_time(b.completed_at), 'canceled_at', wire_time(b.canceled_at),
    'updated_at', wire_time(b.updated_at))
$$;
