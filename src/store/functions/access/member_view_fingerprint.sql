-- A fingerprint of the conversations that a restricted member may see. It changes with the members of their
-- teams. Null for every other user.
--
-- Returns: string | null
CREATE OR REPLACE FUNCTION member_view_fingerprint(person uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN is_restricted(person) THEN coalesce((
    SELECT md5(string_agg(o.team_id::text || o.user_id, ' ' ORDER BY o.team_id, o.user_id))
    FROM team_members m JOIN team_members o USING (team_id) WHERE m.user_id = person), 'none') END
$$;
