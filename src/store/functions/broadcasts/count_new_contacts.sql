-- The number of addresses in a broadcast that is being prepared, if at least an eighth of a sample (every
-- hundredth) has no contact yet. Otherwise 0.
--
-- Returns: number
CREATE OR REPLACE FUNCTION count_new_contacts(broadcast uuid) RETURNS int LANGUAGE sql STABLE
  SET enable_seqscan = off AS $$
  SELECT coalesce(max(n.named) FILTER (WHERE n.unknown * 8 >= n.looked_at), 0) FROM (
    SELECT max(r.named) AS named, count(*) AS looked_at, count(*) FILTER (WHERE NOT EXISTS (
      SELECT FROM identities i WHERE i.workspace_id = r.workspace_id AND i.platform = r.recipient->>'platform'
        AND i.external_id = r.recipient->>'address' OFFSET 0)) AS unknown
    FROM (SELECT a.workspace_id, a.named, a.recipients->place AS recipient FROM (
        SELECT workspace_id, audience->'recipients' AS recipients,
          jsonb_array_length(audience->'recipients') AS named
        FROM broadcasts WHERE id = broadcast AND status = 'preparing' OFFSET 0) a
      CROSS JOIN LATERAL generate_series(0, a.named - 1, 100) AS place) r) n
$$;
