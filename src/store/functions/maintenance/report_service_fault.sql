-- Reports a fault of the installation in the workspaces of its active operators, at most once in 15 minutes
-- for each `about`. Returns false if the fault was reported within that time.
--
-- Events: service.backlog_grown, service.backup_failed.
-- Arguments: data: ServiceFault
-- Returns: boolean
CREATE OR REPLACE FUNCTION report_service_fault(event text, about text, data jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO service_faults AS f (fault, reported_at) VALUES (event || ' ' || about, now())
  ON CONFLICT (fault) DO UPDATE SET reported_at = now() WHERE f.reported_at < now() - interval '15 minutes';
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO events (workspace_id, type, data)
  SELECT u.workspace_id, event, data::json FROM users u
  WHERE u.operator AND u.status = 'active' AND u.deleted_at IS NULL AND u.live_user_id IS NULL
  GROUP BY u.workspace_id;
  RETURN true;
END $$;
