-- Deliveries among `ids` that must not be sent although they are queued or about to be: the message was
-- deleted, the chat was unlinked, the broadcast is paused or ends, another platform has replaced the
-- delivery, or the recipient has refused. A delivery that was uncertain when its broadcast was canceled is
-- withheld too. A retry by a user clears the resolution and is not withheld.
--
-- Returns: { id: string; reason: string; error: unknown; ends: Date | null }[]
CREATE OR REPLACE FUNCTION unsendable_deliveries(ids uuid[])
  RETURNS TABLE (id uuid, reason text, error jsonb, ends timestamptz) LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
  SELECT x.* FROM (
    SELECT d.id, CASE WHEN d.removal IS NOT NULL OR m.deleted_at IS NOT NULL
      OR l.removed_at IS NOT NULL THEN 'canceled'
        WHEN d.superseded_by IS NOT NULL OR b.status = 'canceling' OR b.status = 'canceled'
          AND d.resolution IS NOT NULL THEN 'canceled'
        WHEN k.block IS NOT NULL THEN 'blocked' WHEN b.status IN ('paused', 'on_hold') THEN 'held'
          END AS reason,
      k.block, (b.schedule->>'expires_at')::timestamptz
    FROM deliveries d JOIN messages m ON m.id = d.message_id JOIN conversations c ON c.id = m.conversation_id
    JOIN links l ON l.id = d.link_id LEFT JOIN broadcasts b ON b.id = m.broadcast_id
    LEFT JOIN LATERAL message_blocks(m, c) k (block) ON NOT m.metadata ? 'notice'
    WHERE d.id = ANY (ids)) x
  WHERE x.reason IS NOT NULL
$$;
