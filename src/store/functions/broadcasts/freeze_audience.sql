-- Stores the recipients of a broadcast, each with a platform and an address or with the reason to skip it. An
-- address takes precedence over a user id. Users are looked up by their ids, regardless of the statistics,
-- because PostgreSQL might otherwise scan a whole index.
--
-- Events: user.created.
-- Returns: BroadcastRow

-- When each time zone of the contacts of a workspace shows a wall clock time. A time that a zone skips uses
-- the offset before the change. A time that occurs twice means the one in standard time.
CREATE OR REPLACE FUNCTION local_times(workspace uuid, shown timestamp) RETURNS jsonb
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_object_agg(z.timezone, shown AT TIME ZONE resolve_time_zone(z.timezone)), '{}')
  FROM (SELECT DISTINCT timezone FROM users WHERE workspace_id = workspace AND timezone IS NOT NULL
    AND deleted_at IS NULL) z
$$;

-- Whether an address is invalid for its platform. forms: a regular expression per platform for valid
-- addresses.
CREATE OR REPLACE FUNCTION is_invalid_address(platform text, address text, forms jsonb) RETURNS boolean
  LANGUAGE sql IMMUTABLE AS $$
  SELECT address ~ '^\s*$' OR address ~ '[[:cntrl:]]' OR coalesce(address !~ (forms->>platform), false)
$$;

-- Whether the direct chat of a contact on a platform is gone.
CREATE OR REPLACE FUNCTION is_chat_gone(contact uuid, on_platform text) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM participants p
    CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = p.conversation_id OFFSET 0) c
    CROSS JOIN LATERAL (SELECT * FROM links x WHERE x.conversation_id = c.id OFFSET 0) l
    WHERE p.user_id = contact AND p.left_at IS NULL AND c.type = 'direct' AND l.platform = on_platform
      AND l.status = 'broken'
      AND l.removed_at IS NULL)
$$;

CREATE OR REPLACE FUNCTION freeze_audience(b broadcasts, filtered found_audience) RETURNS broadcasts
  LANGUAGE plpgsql
SET enable_seqscan = off SET enable_memoize = off AS $$
DECLARE
  purpose text := CASE WHEN b.category = 'marketing' THEN 'marketing' ELSE 'notification' END;
  times jsonb := CASE WHEN b.local THEN local_times(b.workspace_id, wall_clock(b.schedule)) END;
  connected text[] := ARRAY(SELECT DISTINCT platform FROM connections k
    WHERE k.workspace_id = b.workspace_id AND k.enabled
    AND k.deleted_at IS NULL);
  named named_recipient[] := named_recipients(b);
BEGIN
  b.cap := filtered.cap;
  -- Read from the broadcast once, not once per recipient.
  WITH contents AS MATERIALIZED (
    SELECT *, max(to_weight) OVER () AS weights FROM broadcast_contents(b)
  ), entries AS (
    SELECT user_id, platform, address, variables AS vars, opt_out, reachable, n FROM unnest(named)
    UNION ALL
    SELECT m.user_id, i.platform, i.external_id, m.variables, i.opt_out, i.reachable, 1000000 + row_number()
      OVER (ORDER BY m.id)
    FROM segment_members m LEFT JOIN LATERAL (
      SELECT k.* FROM identities k WHERE k.workspace_id = m.workspace_id AND k.platform = m.platform
        AND k.external_id = m.address AND k.user_id = m.user_id OFFSET 0) i ON true
    WHERE m.segment_id IN (SELECT jsonb_array_elements_text(b.audience->'segment_ids')::uuid)
      AND m.workspace_id = b.workspace_id
    UNION ALL
    SELECT id::uuid, NULL, NULL, '{}', NULL, NULL, 200000000 + n
    FROM jsonb_array_elements_text(b.audience->'user_ids') WITH ORDINALITY AS x (id, n)
    UNION ALL
    SELECT id, NULL, NULL, '{}', NULL, NULL, 300000000 + n FROM unnest(filtered.extra_users)
      WITH ORDINALITY AS x (id, n)
  ), excluded AS MATERIALIZED (
    SELECT x.user_id FROM excluded_contacts(b, filtered) AS x (user_id)
  ), included AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY n) AS mention FROM entries e
    WHERE NOT EXISTS (SELECT 1 FROM excluded x WHERE x.user_id = e.user_id)
  ), chosen AS (
    SELECT * FROM included WHERE mention = 1
  ), routed AS (
    -- A recipient with an address is sent to that address or not at all. For other recipients the platforms
    -- are tried in order.
    SELECT c.*, p.person, t.key AS variant, t.names, t.pieces, t.attachments <> '[]' AS attached,
      CASE WHEN c.address IS NULL THEN r.platform WHEN c.reachable
        AND c.platform = ANY (connected) THEN c.platform END AS route_platform,
      coalesce(r.address, c.address) AS route_address,
        CASE WHEN c.address IS NULL THEN r.opt_out ELSE c.opt_out END AS route_opt_out
    FROM chosen c CROSS JOIN LATERAL (SELECT u AS person, u.deleted_at FROM users u
      WHERE u.id = c.user_id OFFSET 0) p
    JOIN contents t ON abs(hashtextextended(c.user_id::text || b.id,
        0)) % t.weights BETWEEN t.from_weight AND t.to_weight - 1
    LEFT JOIN LATERAL (
      SELECT o.platform, o.address, o.opt_out FROM contact_routes(c.user_id, b.platforms) o
      WHERE c.address IS NULL
      ORDER BY purpose = ANY (o.opt_out), o.rank LIMIT 1) r ON true
    WHERE p.deleted_at IS NULL
  ), judged AS (
    SELECT r.*, CASE
      WHEN is_invalid_address(r.platform, r.address, filtered.address_forms) THEN 'invalid_address'
      WHEN block_code(r.person, b.category) = 'opted_out' THEN 'opted_out'
      WHEN block_code(r.person, b.category) IS NOT NULL THEN 'blocked'
      WHEN r.route_platform IS NULL
        THEN CASE WHEN EXISTS (SELECT 1 FROM identities i WHERE i.user_id = r.user_id AND NOT i.reachable
          AND (r.address IS NULL OR (i.platform, i.external_id) = (r.platform, r.address))
          AND NOT is_chat_gone(i.user_id, i.platform)) THEN 'blocked' ELSE 'no_route' END
      WHEN purpose = ANY (r.route_opt_out) THEN 'opted_out'
      WHEN b.cap IS NOT NULL AND is_capped(r.person, b) THEN 'frequency_cap'
      WHEN r.names <> '{}'
        AND is_unsendable_text(r.pieces, r.names, recipient_values(r.vars, b.variables, r.person), r.attached)
        THEN 'missing_variable' END AS reason
    FROM routed r
  ), frozen AS (
    INSERT INTO broadcast_recipients (workspace_id, broadcast_id, user_id, platform, address, variant,
      variables, status,
      skip_reason, due_at)
    SELECT b.workspace_id, b.id, user_id, coalesce(route_platform, platform),
      coalesce(route_address, address), variant,
      vars, CASE WHEN reason IS NULL THEN 'pending' ELSE 'skipped' END, reason,
      CASE WHEN b.local
        AND reason IS NULL THEN coalesce((times->>zone)::timestamptz,
          wall_clock(b.schedule) AT TIME ZONE 'UTC') END
    FROM (SELECT user_id, route_platform, platform, route_address, address, variant, vars, reason, n,
      (person).timezone AS zone
      FROM judged
      UNION ALL SELECT i.user_id, NULL, i.platform, NULL, i.address, NULL, i.vars, 'duplicate', i.n, NULL
      FROM included i WHERE i.mention > 1
        AND (SELECT u.deleted_at IS NULL FROM users u WHERE u.id = i.user_id)) x ORDER BY n
    RETURNING status, skip_reason
  ), totals AS (
    SELECT count(*) AS total, count(*) FILTER (WHERE status = 'pending') AS pending FROM frozen
  )
  UPDATE broadcasts SET updated_at = now(), cap = b.cap,
    counts = counts || jsonb_build_object('total', t.total, 'pending', t.pending,
      'skipped', t.total - t.pending), waiting = t.pending,
    skip_reasons = coalesce((SELECT jsonb_object_agg(skip_reason, n) FROM (
      SELECT skip_reason, count(*) AS n FROM frozen WHERE skip_reason IS NOT NULL GROUP BY 1) x), '{}')
  FROM totals t WHERE id = b.id AND status = b.status AND audience = b.audience RETURNING broadcasts.* INTO b;
  IF NOT FOUND THEN
    -- The broadcast was changed, or a contact of its audience was merged or erased. The job is retried.
    RAISE EXCEPTION 'the broadcast was changed concurrently' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN b;
END $$;
