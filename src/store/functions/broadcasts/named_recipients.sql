-- The recipients that an audience lists by address: all, or those from one position up to another
-- (exclusive). Each address is looked up separately, regardless of the statistics.
--
-- Events: user.created.
-- Returns: NamedRecipient[]
CREATE OR REPLACE FUNCTION named_recipients(b broadcasts, first int DEFAULT 1, before int DEFAULT NULL)
  RETURNS named_recipient[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_memoize = off AS $$
DECLARE
  named named_recipient[];
  unknown boolean;
BEGIN
  SELECT array_agg(ROW(r.n, r.platform, r.address, coalesce(r.variables, '{}'), i.user_id, i.opt_out,
      i.reachable)::named_recipient),
    bool_or(i.user_id IS NULL) INTO named, unknown
  FROM ROWS FROM (jsonb_to_recordset(b.audience->'recipients') AS (platform text, address text,
      variables jsonb)) WITH ORDINALITY
    AS r (platform, address, variables, n)
  LEFT JOIN LATERAL (SELECT k.user_id, k.opt_out, k.reachable FROM identities k
    WHERE k.workspace_id = b.workspace_id AND k.platform = r.platform AND k.external_id = r.address
      OFFSET 0) i ON true
  WHERE r.n >= first AND (before IS NULL OR r.n < before);
  RETURN CASE WHEN unknown THEN create_audience_contacts(b.workspace_id, named) ELSE named END;
END $$;
