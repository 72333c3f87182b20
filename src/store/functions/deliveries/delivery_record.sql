-- A delivery in the form of the API.
--
-- Returns: DeliveryRecord
CREATE OR REPLACE FUNCTION delivery_record(d deliveries) RETURNS json LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  SELECT render_delivery(d, s.parts) FROM delivery_related_data(d.id) s
$$;
