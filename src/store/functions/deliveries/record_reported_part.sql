-- Stores the platform's id of a part from a report that names the part, because the response to its create
-- may be lost or not recorded yet. Returns whether the id was stored. A part with another id keeps that id.
-- Later parts were never sent, because each part is written after the previous one is recorded.
--
-- Locks: messages.
-- Returns: boolean
CREATE OR REPLACE FUNCTION record_reported_part(connection uuid, chat text, remote_id text, reference text)
  RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  n record;
  d deliveries;
BEGIN
  n := referenced_part(connection, chat, reference);
  IF n.delivery IS NULL THEN RETURN false; END IF;
  PERFORM 1 FROM messages WHERE id = (SELECT message_id FROM deliveries WHERE id = n.delivery)
  FOR NO KEY UPDATE;
  SELECT * INTO d FROM deliveries WHERE id = n.delivery;
  IF EXISTS (SELECT FROM delivery_parts p WHERE p.delivery_id = d.id AND p.index = n.part
    AND p.external_id IS NOT NULL) THEN
    RETURN false;
  END IF;
  IF d.status IN ('queued', 'sending', 'uncertain') THEN
    INSERT INTO delivery_parts (delivery_id, index, kind, status)
    SELECT d.id, g, 'text', 'pending' FROM generate_series(n.part + 1, n.last_part) g ON CONFLICT DO NOTHING;
  END IF;
  PERFORM record_parts(ARRAY[ROW(d.id, n.part,
        coalesce((SELECT p.kind FROM delivery_parts p WHERE p.delivery_id = d.id AND p.index = n.part),
        'text'),
    'sent', remote_id, NULL)::known_part]);
  RETURN true;
END $$;
