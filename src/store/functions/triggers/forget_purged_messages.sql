-- Removes purged messages from the search index and from the counts of lists.
--
-- Locks: list_progress.
-- Returns: trigger
CREATE OR REPLACE FUNCTION forget_purged_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM list_progress WHERE workspace_id IN (SELECT workspace_id FROM purged)
  ORDER BY workspace_id FOR UPDATE;
  UPDATE list_portions p SET grams = NULL, stale = true
  FROM (SELECT DISTINCT x.workspace_id, x.start FROM purged g CROSS JOIN LATERAL (
    SELECT workspace_id, start, until FROM list_portions
    WHERE workspace_id = g.workspace_id AND list = 'messages'
      AND start <= g.created_at ORDER BY start DESC LIMIT 1) x WHERE x.until > g.created_at) o
  WHERE p.workspace_id = o.workspace_id AND p.list = 'messages' AND p.start = o.start AND NOT p.stale;
  UPDATE message_totals t SET amount = t.amount - g.amount
  FROM (SELECT m.conversation_id, count(*) AS amount FROM purged m JOIN list_progress l USING (workspace_id)
    WHERE m.created_at < l.counted_until GROUP BY 1) g
  WHERE t.conversation_id = g.conversation_id;
  DELETE FROM message_totals WHERE amount = 0 AND conversation_id IN (SELECT conversation_id FROM purged);
  RETURN NULL;
END $$;
