-- The teams of the current reader, a restricted member. Policies call this once per query. It runs with the
-- rights of its owner, so that queries do not have to plan the policies of the tables that it reads.
--
-- Returns: uuid[]
CREATE OR REPLACE FUNCTION reader_teams() RETURNS uuid[] LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public AS $$
BEGIN
  RETURN ARRAY(SELECT m.team_id FROM team_members m WHERE m.user_id = current_reader());
END $$;
