-- The users whose conversations the current reader, a restricted member, may see: the member and the members
-- of their teams. See reader_teams.
--
-- Returns: uuid[]
CREATE OR REPLACE FUNCTION reader_assignees() RETURNS uuid[] LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public AS $$
BEGIN
  RETURN ARRAY(SELECT current_reader() UNION SELECT o.user_id
    FROM team_members m JOIN team_members o USING (team_id) WHERE m.user_id = current_reader());
END $$;
