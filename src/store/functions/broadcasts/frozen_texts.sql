-- The rendered text for each pending recipient of a frozen broadcast.
--
-- Returns: { id: string; user_id: string; platform: string; text: string }[]
CREATE OR REPLACE FUNCTION frozen_texts(broadcast uuid)
  RETURNS TABLE (id uuid, user_id uuid, platform text, text text)
LANGUAGE sql STABLE AS $$
  SELECT r.id, r.user_id, r.platform,
    render_pieces(t.pieces, t.names, recipient_values(r.variables, b.variables, u))
  FROM broadcasts b JOIN broadcast_recipients r ON r.broadcast_id = b.id AND r.status = 'pending'
    JOIN users u ON u.id = r.user_id
  CROSS JOIN LATERAL broadcast_contents(b) t WHERE b.id = broadcast AND t.key IS NOT DISTINCT FROM r.variant
$$;
