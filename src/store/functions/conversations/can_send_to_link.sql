-- Whether messages of a conversation are sent to a link, except those that came through it.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION can_send_to_link(l links) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT l.removed_at IS NULL AND l.status = 'active' AND l.direction IN ('two_way', 'outbound')
$$;
