-- Whether a user can see an event through a token: events of their own conversations, and of people they
-- share a conversation with.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION is_event_visible(e events, viewer uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN split_part(e.type, '.', 1) = 'user' THEN
    coalesce(e.data->>'user_id', e.data->>'id')::uuid = viewer OR EXISTS (
      SELECT FROM participants mine JOIN participants theirs ON theirs.conversation_id = mine.conversation_id
      WHERE mine.user_id = viewer AND mine.left_at IS NULL AND theirs.left_at IS NULL
        AND theirs.user_id = coalesce(e.data->>'user_id', e.data->>'id')::uuid)
  ELSE EXISTS (
    SELECT FROM participants p WHERE p.user_id = viewer AND p.left_at IS NULL
      AND p.conversation_id = coalesce(e.conversation_id, (e.data->>'conversation_id')::uuid))
  END
$$;
