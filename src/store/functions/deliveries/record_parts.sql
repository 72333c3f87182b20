-- Records known parts of deliveries and adds them to the id map.
--
-- Returns: void
CREATE OR REPLACE FUNCTION record_parts(parts known_part[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery_parts (delivery_id, index, kind, status, external_id, sent_at)
  SELECT p.delivery_id, p.index, p.kind, p.status, p.external_id, CASE WHEN p.status = 'sent' THEN now() END
  FROM unnest(parts) p WHERE p.status <> 'removed'
  -- A report of the platform may have recorded a part before its worker does. The worker may still have the
  -- part as pending, or may have lost the response.
  ON CONFLICT (delivery_id, index) DO UPDATE SET kind = excluded.kind,
    status = CASE WHEN delivery_parts.status = 'sent'
      AND excluded.status IN ('pending', 'uncertain') THEN 'sent' ELSE excluded.status END,
    external_id = coalesce(excluded.external_id, delivery_parts.external_id),
    sent_at = coalesce(delivery_parts.sent_at, excluded.sent_at);
  IF EXISTS (SELECT FROM unnest(parts) p WHERE p.status = 'removed') THEN
    DELETE FROM delivery_parts x USING unnest(parts) p
    WHERE p.status = 'removed' AND x.delivery_id = p.delivery_id AND x.index = p.index;
  END IF;
  INSERT INTO remote_messages (connection_id, external_chat_id, external_id, workspace_id, message_id,
    delivery_id, part_index,
    external_thread_id)
  SELECT d.connection_id, d.external_chat_id, p.external_id, d.workspace_id, d.message_id, d.id,
    p.index, p.thread
  FROM unnest(parts) p JOIN deliveries d ON d.id = p.delivery_id
  WHERE p.external_id IS NOT NULL AND p.status = 'sent'
  ON CONFLICT (connection_id, external_chat_id, external_id) DO UPDATE SET message_id = excluded.message_id,
    delivery_id = excluded.delivery_id, part_index = excluded.part_index, alias = false,
    external_thread_id = coalesce(excluded.external_thread_id, remote_messages.external_thread_id);
END $$;

-- The same for one delivery, with parts as JSON.
CREATE OR REPLACE FUNCTION record_parts(delivery uuid, parts jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT record_parts(ARRAY(SELECT ROW(delivery, p.index, p.kind, p.status, p.external_id,
        p.thread)::known_part
    FROM jsonb_to_recordset(parts) p (index smallint, kind text, status text, external_id text, thread text)))
$$;
