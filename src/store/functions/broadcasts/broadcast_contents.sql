-- The content of a broadcast per variant; one row with key null if it has no variants. Weights are ranges of
-- 0 … total − 1.
--
-- Returns: { key: string; from_weight: string; to_weight: string; pieces: string[]; names: string[];
--   attachments: unknown }[]

CREATE OR REPLACE FUNCTION broadcast_contents(b broadcasts)
  RETURNS TABLE (key text, from_weight bigint, to_weight bigint,
  pieces text[], names text[], attachments jsonb) LANGUAGE sql STABLE AS $$
  SELECT v->>'key', sum((v->>'weight')::int) OVER w - (v->>'weight')::int, sum((v->>'weight')::int) OVER w,
    placeholder_pieces(coalesce(v->>'text', b.text, b.template_text)),
    placeholder_names(coalesce(v->>'text', b.text, b.template_text)),
    coalesce(nullif(v->'attachments', 'null'), b.attachments)
  FROM jsonb_array_elements(b.variants) WITH ORDINALITY AS x (v, n) WINDOW w AS (ORDER BY n)
  UNION ALL
  SELECT NULL, 0, 1, placeholder_pieces(coalesce(b.text, b.template_text)),
    placeholder_names(coalesce(b.text, b.template_text)), b.attachments WHERE b.variants = '[]'
$$;
