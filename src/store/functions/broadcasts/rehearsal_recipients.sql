-- The text and the chat for each of these pending recipients of a frozen broadcast, in the order of the ids.
-- `chat` is null for a recipient whose chat accepts no messages. `address` is set if the chat must be opened
-- first.
--
-- Returns: { id: string; user_id: string; platform: string; variant: string | null; due_at: Date | null;
--   text: string; connection_id: string | null; chat: string | null; address: string | null;
--   is_new: boolean }[]
CREATE OR REPLACE FUNCTION rehearsal_recipients(broadcast uuid, ids uuid[])
  RETURNS TABLE (id uuid, user_id uuid, platform text, variant text, due_at timestamptz, text text,
    connection_id uuid, chat text, address text, is_new boolean)
LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  WITH named AS MATERIALIZED (
    SELECT b, k.known, k.usable FROM broadcasts b CROSS JOIN LATERAL known_recipient_chats(b, ids) k
    WHERE b.id = broadcast
  ), chats AS MATERIALIZED (
    SELECT u.* FROM named n CROSS JOIN LATERAL unnest(n.usable)
      AS u (recipient_id, link_id, conversation_id, connection_id, external_id)
  ), known AS MATERIALIZED (
    SELECT u.id FROM named n CROSS JOIN LATERAL unnest(n.known) AS u (id)
  ), firsts AS MATERIALIZED (
    -- The first connection of a platform opens its new chats.
    SELECT DISTINCT ON (k.platform) k.platform, k.id FROM named n
      JOIN connections k ON k.workspace_id = (n.b).workspace_id
    WHERE k.deleted_at IS NULL ORDER BY k.platform, k.enabled DESC, k.created_at, k.id
  ), contents AS MATERIALIZED (
    SELECT t.* FROM named n CROSS JOIN LATERAL broadcast_contents(n.b) t
  )
  SELECT r.id, r.user_id, r.platform, r.variant, r.due_at,
    render_pieces(t.pieces, t.names, recipient_values(r.variables, (n.b).variables, u)),
    coalesce(c.connection_id, f.id),
    CASE WHEN c.recipient_id IS NOT NULL THEN c.external_id WHEN w.id IS NULL THEN r.address END,
    CASE WHEN c.recipient_id IS NOT NULL THEN l.address WHEN w.id IS NULL THEN r.address END,
    c.recipient_id IS NULL
  FROM unnest(ids) WITH ORDINALITY AS i (id, n) CROSS JOIN named n
  JOIN broadcast_recipients r ON r.id = i.id JOIN users u ON u.id = r.user_id
  JOIN contents t ON t.key IS NOT DISTINCT FROM r.variant
  LEFT JOIN chats c ON c.recipient_id = r.id LEFT JOIN links l ON l.id = c.link_id
  LEFT JOIN known w ON w.id = r.id LEFT JOIN firsts f ON f.platform = r.platform
  ORDER BY i.n
$$;
