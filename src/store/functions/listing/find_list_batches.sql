-- The batches that contain all of these hashes. Forces a bitmap scan, because the planner underestimates the
-- cost of comparing an array.
--
-- Returns: ListPortionRow[]
CREATE OR REPLACE FUNCTION find_list_batches(workspace uuid, wanted text, hashes integer[])
  RETURNS SETOF list_portions LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_indexscan = off AS $$
  SELECT p.* FROM (SELECT f.* FROM list_portions f WHERE f.grams @> hashes OFFSET 0) p
  WHERE p.workspace_id = workspace AND p.list = wanted
$$;
