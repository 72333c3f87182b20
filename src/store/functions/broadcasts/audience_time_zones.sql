-- The time zones of the current audience of a broadcast. A contact without a zone and an unknown address
-- count as UTC; no contact is created. If `filtered` is null and the audience has filters, returns the zones
-- of all users, because the audience is not known yet.
--
-- Returns: string[]
CREATE OR REPLACE FUNCTION audience_time_zones(b broadcasts, filtered found_audience) RETURNS SETOF text
  LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_memoize = off AS $$
BEGIN
  IF filtered IS NULL AND has_filters(b) THEN
    RETURN QUERY SELECT coalesce(u.timezone, 'UTC') FROM users u
    WHERE u.workspace_id = b.workspace_id AND u.deleted_at IS NULL
    UNION SELECT 'UTC' WHERE EXISTS (
      SELECT FROM jsonb_to_recordset(b.audience->'recipients') AS r (platform text, address text)
      WHERE NOT EXISTS (SELECT FROM identities k WHERE k.workspace_id = b.workspace_id
        AND k.platform = r.platform AND k.external_id = r.address));
    RETURN;
  END IF;
  RETURN QUERY (WITH excluded AS MATERIALIZED (
    SELECT x.user_id FROM excluded_contacts(b, filtered) AS x (user_id)
  ), entries AS (
    SELECT i.user_id FROM jsonb_to_recordset(b.audience->'recipients') AS r (platform text, address text)
    LEFT JOIN LATERAL (SELECT k.user_id FROM identities k
      WHERE k.workspace_id = b.workspace_id AND k.platform = r.platform AND k.external_id = r.address
        OFFSET 0) i ON true
    UNION ALL
    SELECT m.user_id FROM segment_members m
    WHERE m.segment_id IN (SELECT jsonb_array_elements_text(b.audience->'segment_ids')::uuid)
      AND m.workspace_id = b.workspace_id
    UNION ALL
    SELECT id::uuid FROM jsonb_array_elements_text(b.audience->'user_ids') AS x (id)
    UNION ALL
    SELECT unnest(filtered.extra_users)
  )
  SELECT DISTINCT coalesce(p.timezone, 'UTC') FROM entries e
  LEFT JOIN LATERAL (SELECT u.id, u.timezone FROM users u WHERE u.id = e.user_id AND u.deleted_at IS NULL
    OFFSET 0) p ON true
  WHERE (p.id IS NOT NULL OR e.user_id IS NULL)
    AND NOT EXISTS (SELECT 1 FROM excluded x WHERE x.user_id = e.user_id));
END $$;
