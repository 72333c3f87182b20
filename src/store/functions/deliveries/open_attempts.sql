-- Opens attempts for leased sends of a connection, right before their calls. A lane that was taken over in
-- the meantime gets no attempt. A takeover blocks the opening of attempts, so that it sees all attempts that
-- were opened before.
--
-- Locks: an advisory lock.
-- Returns: { id: string; delivery_id: string }[]
CREATE OR REPLACE FUNCTION open_attempts(connection uuid, delivery_ids uuid[], lanes uuid[], fences bigint[],
  revisions int[]) RETURNS TABLE (id uuid, delivery_id uuid) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(attempt_lock_key(connection));
  RETURN QUERY INSERT INTO attempts AS a (workspace_id, delivery_id, link_id, fence, operation, revision)
  SELECT d.workspace_id, d.id, l.id, l.fence, 'send', x.revision
  FROM unnest(delivery_ids, lanes, fences, revisions) AS x (delivery_id, lane, fence, revision)
    JOIN links l ON l.id = x.lane AND l.fence = x.fence
  JOIN deliveries d ON d.id = x.delivery_id AND d.status = 'sending'
  RETURNING a.id, a.delivery_id;
END $$;
