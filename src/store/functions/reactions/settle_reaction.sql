-- Records the result of a leased reaction: {"message_id", "link_id", "emoji", "token", "wanted": as claimed,
-- "outcome": done, later or never, "at", "counted", "single"}. A reaction that changed since the claim is
-- due again. If the account can show only a single reaction per message, an added reaction replaces the
-- shown one, and after a removal the latest other wanted reaction is due.
--
-- Arguments: input: ReactionTask & ReactionOutcome & { single: boolean }
-- Returns: void
CREATE OR REPLACE FUNCTION settle_reaction(input jsonb) RETURNS void LANGUAGE sql AS $$
  UPDATE reaction_copies o SET
    shown = CASE WHEN (input->>'wanted')::boolean THEN false ELSE o.shown END,
    next_attempt_at = CASE WHEN (input->>'wanted')::boolean THEN NULL ELSE now() END, tries = 0
  FROM reaction_copies x
  WHERE (input->>'single')::boolean AND input->>'outcome' = 'done'
    AND x.message_id = (input->>'message_id')::uuid AND x.link_id = (input->>'link_id')::uuid
    AND x.emoji = input->>'emoji'
    AND x.leased_until = (input->>'token')::timestamptz
    AND o.message_id = x.message_id AND o.link_id = x.link_id AND o.emoji <> x.emoji
    AND CASE WHEN (input->>'wanted')::boolean THEN o.shown ELSE o.emoji = (
      SELECT c.emoji FROM reaction_copies c
      WHERE c.message_id = x.message_id AND c.link_id = x.link_id AND c.emoji <> x.emoji AND c.wanted
        AND NOT c.shown
      ORDER BY (SELECT max(r.created_at) FROM reactions r
            WHERE r.message_id = c.message_id AND r.emoji = c.emoji) DESC LIMIT 1) END;
  UPDATE reaction_copies SET leased_until = NULL,
    shown = CASE WHEN input->>'outcome' = 'done' THEN (input->>'wanted')::boolean ELSE shown END,
    tries = CASE WHEN coalesce((input->>'counted')::boolean, true) THEN tries ELSE tries - 1 END,
    next_attempt_at = CASE
      WHEN wanted <> (input->>'wanted')::boolean THEN now()
      WHEN input->>'outcome' = 'later' THEN (input->>'at')::timestamptz END
  WHERE message_id = (input->>'message_id')::uuid AND link_id = (input->>'link_id')::uuid
    AND emoji = input->>'emoji'
    AND leased_until = (input->>'token')::timestamptz
$$;
