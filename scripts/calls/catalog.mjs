// Reads the functions of a database from its catalog: arguments and results, with their types.

/** A type: its SQL name, whether it is a row type, and the type of an array's elements. */
const TYPE = (oid) => `(SELECT json_build_object('name', format_type(t.oid, NULL), 'isRow', t.typtype = 'c',
    'isArray', t.typcategory = 'A', 'element', format_type(nullif(t.typelem, 0), NULL),
    'isArrayOfRows', coalesce(e.typtype = 'c', false))
  FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A' WHERE t.oid = ${oid})`;

/** Mode i is an argument of the caller; modes o and t are columns of the result. */
const FUNCTIONS = `
  SELECT p.proname AS name, p.proretset AS "isSet", ${TYPE('p.prorettype')} AS result, (
      SELECT coalesce(json_agg(json_build_object('name', p.proargnames[a.n], 'mode', coalesce(p.proargmodes[a.n], 'i'),
        'type', ${TYPE('a.oid')}) ORDER BY a.n), '[]')
      FROM unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY AS a (oid, n)) AS arguments,
    p.pronargdefaults AS defaults, (
      SELECT coalesce(json_agg(json_build_object('name', c.attname, 'type', ${TYPE('c.atttypid')}) ORDER BY c.attnum), '[]')
      FROM pg_type r JOIN pg_attribute c ON c.attrelid = r.typrelid
      WHERE r.oid = p.prorettype AND c.attnum > 0 AND NOT c.attisdropped) AS columns
  FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f'
  ORDER BY p.proname COLLATE "C", p.oid`;

/** The functions of a database by name. A name with overloads has several. */
export async function readCatalog(client) {
  const { rows } = await client.query(FUNCTIONS);
  const functions = new Map();
  for (const one of rows.map(toFunction)) functions.set(one.name, [...(functions.get(one.name) ?? []), one]);
  return functions;
}

function toFunction({ name, isSet, result, arguments: all, defaults, columns }) {
  const given = all.filter(({ mode }) => mode === 'i');
  const firstDefault = given.length - defaults;
  const returned = all.filter(({ mode }) => mode === 'o' || mode === 't');
  return {
    name,
    isSet,
    result,
    arguments: given.map(({ name: argument, type }, n) => ({
      name: argument,
      type,
      hasDefault: n >= firstDefault,
    })),
    /** Only for a result with columns. A single OUT argument is a plain value. */
    columns: returned.length > 1 || (isSet && returned.length > 0) ? returned : columns,
  };
}
