-- The teams of the restricted member who reads. Policies ask this once for each query. Runs as its owner, so
-- that no query has to plan the policies of the tables that it reads.
--
-- Returns: uuid[]
CREATE OR REPLACE FUNCTION reader_teams() RETURNS uuid[] LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public AS $$
BEGIN
  RETURN ARRAY(SELECT m.team_id FROM team_members m WHERE m.user_id = current_reader());
END $$;
