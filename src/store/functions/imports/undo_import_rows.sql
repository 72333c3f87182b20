-- Removes up to `batch_size` contacts that an import created, unless they were changed or used since. Returns
-- the status of the import.
--
-- Locks: contact_imports, users, conversations, messages, connections, broadcasts.
-- Events: conversation.participant_removed, user.deleted, conversation.link_removed, delivery.updated,
--   delivery.failed, delivery.uncertain, message.updated, message.sent, message.delivered, message.read,
--   message.failed, broadcast.canceled, broadcast.completed.
-- Returns: ContactImportStatus | null

-- The reason to keep a contact when the import that created it is undone. Null if there is none.
CREATE OR REPLACE FUNCTION reason_to_keep_contact(r contact_import_rows) RETURNS text
  LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN NOT EXISTS (SELECT FROM users u WHERE u.id = r.user_id AND u.deleted_at IS NULL) THEN 'gone'
    WHEN EXISTS (SELECT FROM participants p WHERE p.user_id = r.user_id) THEN 'conversation'
    WHEN EXISTS (SELECT FROM users u JOIN broadcasts b ON b.workspace_id = u.workspace_id
      JOIN broadcast_recipients x ON x.broadcast_id = b.id AND x.user_id = u.id
      WHERE u.id = r.user_id) THEN 'broadcast'
    WHEN EXISTS (SELECT FROM segment_members m JOIN segments s ON s.id = m.segment_id
      AND s.deleted_at IS NULL WHERE m.user_id = r.user_id) THEN 'segment'
    WHEN EXISTS (SELECT FROM tracking_sessions t WHERE t.user_id = r.user_id
        AND t.status IN ('pending', 'active'))
      OR EXISTS (SELECT FROM locations l WHERE l.user_id = r.user_id) THEN 'location'
    WHEN EXISTS (SELECT FROM users u WHERE u.id = r.user_id
      AND u.updated_at <> r.user_updated_at) THEN 'changed' END
$$;

CREATE OR REPLACE FUNCTION undo_import_rows(import uuid, batch_size int) RETURNS text LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  i contact_imports;
  r contact_import_rows;
  numbers int[];
  reason text;
BEGIN
  SELECT * INTO i FROM contact_imports WHERE id = import FOR NO KEY UPDATE;
  IF i.status IS DISTINCT FROM 'undoing' THEN RETURN i.status; END IF;
  -- The audit log attributes the erasures to the member who asked for the undo.
  PERFORM set_config('trunkline.actor',
    json_build_object('type', 'member', 'id', i.undone_by)::text, true);
  numbers := ARRAY(SELECT number FROM contact_import_rows
    WHERE import_id = import AND result = 'created' AND undo IS NULL ORDER BY number LIMIT batch_size);
  PERFORM 1 FROM users WHERE id IN (SELECT user_id FROM contact_import_rows
    WHERE import_id = import AND number = ANY (numbers)) ORDER BY id FOR NO KEY UPDATE;
  FOR r IN SELECT * FROM contact_import_rows WHERE import_id = import AND number = ANY (numbers)
    ORDER BY user_id
  LOOP
    reason := reason_to_keep_contact(r);
    IF reason IS NULL THEN
      PERFORM delete_contact(jsonb_build_object('workspace_id', i.workspace_id, 'id', r.user_id));
    END IF;
    UPDATE contact_import_rows SET undo = CASE WHEN reason IS NULL THEN 'removed' ELSE 'kept' END,
      kept_reason = reason
    WHERE import_id = import AND number = r.number;
    i.removed := i.removed + (reason IS NULL)::int;
    i.kept := i.kept + (reason IS NOT NULL)::int;
  END LOOP;
  IF cardinality(numbers) < batch_size THEN i.status := 'undone'; END IF;
  UPDATE contact_imports SET removed = i.removed, kept = i.kept, status = i.status,
    undone_at = CASE WHEN i.status = 'undone' THEN now() END, look_at = now() + interval '15 s',
    leased_until = CASE i.status WHEN 'undone' THEN '-infinity' ELSE now() + interval '15 s' END
  WHERE id = import;
  RETURN i.status;
END $$;
