-- The current time if lanes with an expired lease have sends of dead workers, otherwise null.
--
-- Returns: string | null
CREATE OR REPLACE FUNCTION stale_lanes_found_at() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT now() WHERE EXISTS (SELECT FROM deliveries d JOIN links l ON l.id = d.link_id
    WHERE d.duty = 'send' AND d.status = 'sending' AND (l.leased_until IS NULL OR l.leased_until < now()))
$$;
