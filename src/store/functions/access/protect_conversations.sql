-- Restricts the role of restricted readers to the conversations of their teams or of their grant: the member
-- or the API key is in the session setting `trunkline.reader_id`. Every table with a conversation_id has the
-- policy, and so have tables whose rows belong to a row of such a table. The policies of other roles do not
-- change, so their reads cost the same.
--
-- Runs after each installation.
-- Returns: void

-- The condition that a row belongs to a conversation that the reader sees. Null for a table without data of
-- conversations. The tables in the subqueries are filtered by their own policies.
CREATE OR REPLACE FUNCTION conversation_policy(of_table name, has_conversation boolean) RETURNS text
  LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE of_table
    WHEN 'conversations' THEN $rule$
      team_id = ANY ((SELECT reader_teams())::uuid[])
      OR assignee_id = ANY ((SELECT reader_assignees())::uuid[])
      OR id = ANY ((SELECT reader_conversations())::uuid[])$rule$
    WHEN 'message_versions' THEN 'EXISTS (SELECT FROM messages x WHERE x.id = message_id)'
    WHEN 'reactions' THEN 'EXISTS (SELECT FROM messages x WHERE x.id = message_id)'
    WHEN 'reaction_copies' THEN 'EXISTS (SELECT FROM messages x WHERE x.id = message_id)'
    WHEN 'remote_messages' THEN 'EXISTS (SELECT FROM messages x WHERE x.id = message_id)'
    WHEN 'broadcast_recipients' THEN
      'message_id IS NULL OR EXISTS (SELECT FROM messages x WHERE x.id = message_id)'
    WHEN 'delivery_parts' THEN 'EXISTS (SELECT FROM deliveries x WHERE x.id = delivery_id)'
    WHEN 'attempts' THEN 'EXISTS (SELECT FROM deliveries x WHERE x.id = delivery_id)'
    WHEN 'call_participants' THEN 'EXISTS (SELECT FROM calls x WHERE x.id = call_id)'
    WHEN 'call_signals' THEN 'EXISTS (SELECT FROM calls x WHERE x.id = call_id)'
    WHEN 'locations' THEN 'tracking_session_id IS NULL
      OR EXISTS (SELECT FROM tracking_sessions x WHERE x.id = tracking_session_id)'
    -- Tables with texts of any conversation, or with counts over all conversations.
    WHEN 'envelopes' THEN 'false'
    WHEN 'parked_events' THEN 'false'
    WHEN 'webhook_deliveries' THEN 'false'
    WHEN 'webhook_answers' THEN 'false'
    WHEN 'insight_counts' THEN 'false'
    WHEN 'insight_changes' THEN 'false'
    WHEN 'insight_days' THEN 'false'
    WHEN 'staff_alerts' THEN 'false'
    WHEN 'approval_requests' THEN 'false'
    ELSE CASE WHEN has_conversation THEN
      'conversation_id IS NULL OR EXISTS (SELECT FROM conversations x WHERE x.id = conversation_id)' END
  END
$$;

CREATE OR REPLACE FUNCTION protect_conversations() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t record;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'trunkline_restricted') THEN RETURN; END IF;
  FOR t IN
    SELECT r.* FROM (
      SELECT c.oid, c.oid::regclass AS name, conversation_policy(c.relname, EXISTS (SELECT FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attname = 'conversation_id' AND NOT a.attisdropped)) AS rule
      FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace) r
    WHERE r.rule IS NOT NULL
      -- The comment of a policy stores its rule. A policy whose rule a release has changed is replaced.
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = r.oid AND p.polname = 'own_teams'
        AND obj_description(p.oid, 'pg_policy') = r.rule)
  LOOP
    EXECUTE format('DROP POLICY IF EXISTS own_teams ON %s', t.name);
    EXECUTE format('CREATE POLICY own_teams ON %s AS RESTRICTIVE FOR SELECT TO trunkline_restricted
      USING (%s)', t.name, t.rule);
    EXECUTE format('COMMENT ON POLICY own_teams ON %s IS %L', t.name, t.rule);
  END LOOP;
END $$;
