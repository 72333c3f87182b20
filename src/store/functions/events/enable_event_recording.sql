-- Records the events of a workspace from now on, for as long as a stream that opens now can be resumed. With
-- `include_delivery_updates`, also records events called delivery.updated. Returns true if events were not
-- recorded before. In this case, changes that began before this commit may still go unrecorded.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION enable_event_recording(workspace uuid, include_delivery_updates boolean)
  RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  i event_interest;
BEGIN
  SELECT * INTO i FROM event_interest WHERE workspace_id = workspace;
  IF i.until > now() + interval '24 hours'
    AND (NOT include_delivery_updates OR i.moves_until > now() + interval '24 hours') THEN
    RETURN false;
  END IF;
  INSERT INTO event_interest AS x (workspace_id, until, moves_until)
  VALUES (workspace, now() + interval '25 hours',
    CASE WHEN include_delivery_updates THEN now() + interval '25 hours' ELSE '-infinity' END)
  ON CONFLICT (workspace_id) DO UPDATE SET until = greatest(x.until, excluded.until),
    moves_until = greatest(x.moves_until, excluded.moves_until);
  RETURN i.until IS NULL OR i.until <= now() OR (include_delivery_updates AND i.moves_until <= now());
END $$;
