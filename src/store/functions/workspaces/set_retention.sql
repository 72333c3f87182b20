-- Sets for how many days a workspace keeps messages; null applies the retention of the installation.
--
-- Locks: workspaces.
-- Arguments: days: number | null
-- Returns: void
CREATE OR REPLACE FUNCTION set_retention(workspace uuid, days int) RETURNS void LANGUAGE sql AS $$
  UPDATE workspaces SET retain_messages_days = days, updated_at = now()
  WHERE id = workspace AND retain_messages_days IS DISTINCT FROM days
$$;
