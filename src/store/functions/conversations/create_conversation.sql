-- Creates a conversation with its participants, under the next number. The caller adds the links and then
-- calls announce_conversation. A contact whose message starts the conversation has the role customer, like
-- all contacts. extra: team, labels, priority, metadata.
--
-- Returns: ConversationRow

-- The field of a request that names a recipient whose conversation the caller does not see.
CREATE OR REPLACE FUNCTION hidden_recipient_field(input jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(input->'recipient') = 'object'
    THEN coalesce(input->>'recipient_field', 'recipient') ELSE 'participant_ids' END
$$;

CREATE OR REPLACE FUNCTION create_conversation(workspace uuid, id uuid, kind text, title text, creator uuid,
  participant_ids uuid[],
  extra jsonb) RETURNS conversations LANGUAGE plpgsql
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  c conversations;
  next bigint;
  team uuid := find_or_create_team(workspace, extra->>'team');
  others uuid[] := array_remove(ARRAY(SELECT DISTINCT unnest(participant_ids)), creator);
BEGIN
  -- A key with a grant can't create conversations, because its grant would not include them. The response is
  -- the same as for a recipient whose conversation the key does not see.
  IF is_granted_key(current_reader()) THEN
    PERFORM refuse(json_build_object('problem', 'not_found', 'field', hidden_recipient_field(extra)));
  END IF;
  IF cardinality(others) > 249 THEN PERFORM refuse('{"problem":"limit_reached","limit":250}'); END IF;
  IF (SELECT count(*) FROM users u WHERE u.id = ANY (others) AND u.workspace_id = workspace
    AND u.deleted_at IS NULL)
    < cardinality(others) THEN PERFORM refuse('{"problem":"not_found","field":"participant_ids"}'); END IF;
  UPDATE workspaces w SET conversation_count = conversation_count + 1 WHERE w.id = workspace
  RETURNING conversation_count INTO next;
  INSERT INTO conversations (id, workspace_id, number, type, title, team_id, labels, priority,
    created_by, metadata, assignee_id)
  VALUES (create_conversation.id, workspace, next, kind, create_conversation.title,
    team,
    ARRAY(SELECT jsonb_array_elements_text(extra->'labels')), coalesce(extra->>'priority', 'none'), creator,
    coalesce(extra->'metadata', '{}'),
    -- Assigned to a restricted member who would not see the conversation otherwise.
    CASE WHEN current_reader() IS NOT NULL AND NOT is_of_own_teams(current_reader(), team, NULL)
      THEN current_reader() END)
  RETURNING * INTO c;
  INSERT INTO participants (conversation_id, user_id, workspace_id, role)
  SELECT c.id, u.id, workspace, CASE WHEN u.id = creator AND u.kind <> 'contact' THEN 'owner'
    ELSE default_role(u.kind) END
  FROM users u WHERE u.id = ANY (others || creator) ORDER BY u.id = creator DESC, u.id;
  RETURN c;
END $$;
