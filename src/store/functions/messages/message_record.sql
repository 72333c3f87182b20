-- A message in the form of the API.
--
-- Returns: MessageRecord
CREATE OR REPLACE FUNCTION message_record(m messages) RETURNS json LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  SELECT render_message(m, s.read_by, s.thread_count, s.reactions, s.deliveries)
  FROM message_related_data(m.id, m.thread_id) s
$$;
