-- Creates contacts for the addresses without one, in one statement. Returns the recipients with their
-- contacts.
--
-- Events: user.created.
-- Returns: NamedRecipient[]
CREATE OR REPLACE FUNCTION create_audience_contacts(workspace uuid, named named_recipient[])
  RETURNS named_recipient[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_nestloop = off AS $$
DECLARE
  created uuid[];
  phones text[] := (SELECT phone_platforms FROM installation);
BEGIN
  WITH made AS MATERIALIZED (
    SELECT uuid7() AS id, platform, address
    FROM (SELECT DISTINCT platform, address FROM unnest(named)
      WHERE user_id IS NULL ORDER BY platform, address) unknown
  ), stored AS (
    INSERT INTO users (id, workspace_id, kind, username, display_name, phone)
    SELECT id, workspace, 'contact', contact_username(platform, address) || right(id::text, 4),
      left(address, 128),
      CASE WHEN platform = ANY (phones) THEN address END FROM made
  ), linked AS (
    INSERT INTO identities (workspace_id, user_id, platform, external_id)
    SELECT workspace, id, platform, address FROM made
    RETURNING user_id, platform, external_id, opt_out, reachable
  )
  SELECT array_agg(ROW(e.n, e.platform, e.address, e.variables, coalesce(e.user_id, l.user_id),
      coalesce(e.opt_out, l.opt_out),
    coalesce(e.reachable, l.reachable))::named_recipient), (SELECT array_agg(user_id) FROM linked)
      INTO named, created
  FROM unnest(named) e LEFT JOIN linked l ON l.platform = e.platform AND l.external_id = e.address;
  IF has_subscribers(workspace) THEN
    INSERT INTO events (workspace_id, type, data)
    SELECT workspace, 'user.created', user_record(u) FROM users u WHERE u.id = ANY (created) ORDER BY u.id;
  END IF;
  RETURN named;
EXCEPTION WHEN unique_violation THEN
  -- Another transaction has just created one of them. The retry of the job finds it.
  RAISE EXCEPTION 'an address was taken concurrently' USING ERRCODE = 'serialization_failure';
END $$;
