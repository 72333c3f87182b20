// Describes everything that the SQL files of src/store make in a database, and prints a hash of it.
//
//   node scripts/fingerprint.mjs                  a new database, made by the SQL files of this checkout
//   node scripts/fingerprint.mjs postgres://…     an existing database
//   node scripts/fingerprint.mjs --list […]       the description instead of the hash, to compare two databases with diff
//
// Equal hashes mean equal databases on the same version of PostgreSQL. The rows of tables are not part of it.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { build } from './build.mjs';

/** The installer's own records, which say how the database was made. */
const RECORDS = 'schema_migrations';

const OURS = `n.nspname = 'public' AND NOT EXISTS (SELECT FROM pg_depend x WHERE x.deptype = 'e' AND x.objid = o.oid)`;
const RELATIONS = `FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace
  WHERE ${OURS} AND o.relname <> '${RECORDS}'`;
const OF_RELATIONS = `JOIN (SELECT o.oid, o.relname AS name, o.relkind ${RELATIONS}) r`;

/** Grants in a fixed order. The catalog keeps them in the order in which they were given. */
const grants = (
  acl,
) => `(SELECT string_agg(format('%s=%s%s by %s', CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
    privilege_type, CASE WHEN is_grantable THEN '*' ELSE '' END, grantor::regrole), ', '
    ORDER BY grantee::regrole::text, privilege_type, grantor::regrole::text) FROM aclexplode(${acl}))`;

/** What to describe, by kind: queries for a name, which is unique in its kind, and a definition. */
const DESCRIPTIONS = {
  schema: `SELECT nspname AS name, format('owner %s, grants %s', nspowner::regrole, ${grants('nspacl')}) AS definition
    FROM pg_namespace WHERE nspname = 'public'`,
  relation: `SELECT o.relname AS name, format('%s, owner %s, persistence %s, options %s, row security %s, forced %s, grants %s',
      o.relkind, o.relowner::regrole, o.relpersistence, o.reloptions, o.relrowsecurity, o.relforcerowsecurity,
      ${grants('o.relacl')}) AS definition
    ${RELATIONS} AND o.relkind NOT IN ('i', 'I')`,
  column: `SELECT format('%s %s %s', r.name, lpad(a.attnum::text, 4, '0'), a.attname) AS name,
      concat_ws(' ', format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END,
        'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), 'GENERATED ' || nullif(a.attgenerated::text, ''),
        'IDENTITY ' || nullif(a.attidentity::text, ''), 'COLLATE ' || nullif(a.attcollation, t.typcollation)::regcollation::text,
        'STORAGE ' || a.attstorage::text, 'COMPRESSION ' || nullif(a.attcompression::text, ''),
        'STATISTICS ' || nullif(a.attstattarget, -1)::text, 'OPTIONS ' || a.attoptions::text, 'GRANTS ' || ${grants('a.attacl')}) AS definition
    FROM pg_attribute a ${OF_RELATIONS} ON r.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped AND r.relkind NOT IN ('i', 'I')`,
  'dropped column': `SELECT format('%s %s', r.name, a.attnum) AS name, '' AS definition
    FROM pg_attribute a ${OF_RELATIONS} ON r.oid = a.attrelid WHERE a.attisdropped`,
  constraint: `SELECT format('%s %s', r.name, c.conname) AS name, format('%s, validated %s, index %s', pg_get_constraintdef(c.oid),
      c.convalidated, nullif(c.conindid, 0)::regclass) AS definition
    FROM pg_constraint c ${OF_RELATIONS} ON r.oid = c.conrelid`,
  index: `SELECT o.relname AS name, format('%s, valid %s, primary %s, options %s', pg_get_indexdef(o.oid), i.indisvalid, i.indisprimary,
      o.reloptions) AS definition
    FROM pg_index i JOIN pg_class o ON o.oid = i.indexrelid ${OF_RELATIONS} ON r.oid = i.indrelid`,
  statistics: `SELECT o.stxname AS name, pg_get_statisticsobjdef(o.oid) AS definition
    FROM pg_statistic_ext o JOIN pg_namespace n ON n.oid = o.stxnamespace WHERE ${OURS}`,
  sequence: `SELECT sequencename AS name, format('%s from %s by %s, %s to %s, cache %s, cycle %s', data_type, start_value, increment_by,
      min_value, max_value, cache_size, cycle) AS definition
    FROM pg_sequences WHERE schemaname = 'public'`,
  view: `SELECT o.relname AS name, pg_get_viewdef(o.oid) AS definition ${RELATIONS} AND o.relkind IN ('v', 'm')`,
  rule: `SELECT format('%s %s', r.name, w.rulename) AS name, pg_get_ruledef(w.oid) AS definition
    FROM pg_rewrite w ${OF_RELATIONS} ON r.oid = w.ev_class`,
  trigger: `SELECT format('%s %s', r.name, t.tgname) AS name, format('%s, enabled %s', pg_get_triggerdef(t.oid), t.tgenabled) AS definition
    FROM pg_trigger t ${OF_RELATIONS} ON r.oid = t.tgrelid WHERE NOT t.tgisinternal`,
  policy: `SELECT format('%s %s', p.tablename, p.policyname) AS name, format('%s for %s to %s using %s check %s', p.permissive, p.cmd,
      p.roles, p.qual, p.with_check) AS definition
    FROM pg_policies p WHERE p.schemaname = 'public'`,
  type: `SELECT o.typname AS name, format('%s %s, owner %s, base %s, labels %s, grants %s', o.typtype, o.typcategory, o.typowner::regrole,
      format_type(nullif(o.typbasetype, 0), o.typtypmod),
      (SELECT array_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = o.oid), ${grants('o.typacl')}) AS definition
    FROM pg_type o JOIN pg_namespace n ON n.oid = o.typnamespace WHERE ${OURS} AND o.typname NOT IN ('${RECORDS}', '_${RECORDS}')`,
  function: `SELECT o.oid::regprocedure::text AS name, format('%s-- owner %s, grants %s', pg_get_functiondef(o.oid), o.proowner::regrole,
      ${grants('o.proacl')}) AS definition
    FROM pg_proc o JOIN pg_namespace n ON n.oid = o.pronamespace WHERE ${OURS} AND o.prokind IN ('f', 'p', 'w')`,
  'default privileges': `SELECT format('%s %s', defaclrole::regrole, defaclobjtype) AS name, ${grants('defaclacl')} AS definition
    FROM pg_default_acl WHERE defaclnamespace IN (0, 'public'::regnamespace)`,
  role: `SELECT rolname AS name, format('super %s, inherits %s, creates roles %s, databases %s, login %s, replicates %s, bypasses %s, limit %s',
      rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit) AS definition
    FROM pg_roles WHERE rolname LIKE 'trunkline%'`,
  member: `SELECT format('%s in %s, granted by %s', member::regrole, roleid::regrole, grantor::regrole) AS name,
      (to_jsonb(m) - '{oid,member,roleid,grantor}'::text[])::text AS definition
    FROM pg_auth_members m JOIN pg_roles g ON g.oid = roleid WHERE g.rolname LIKE 'trunkline%'`,
  setting: `SELECT format('%s %s', setrole, setdatabase) AS name, setconfig::text AS definition FROM pg_db_role_setting
    WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  extension: 'SELECT extname AS name, extversion AS definition FROM pg_extension',
  comment: `SELECT pg_describe_object(classoid, objoid, objsubid) AS name, description AS definition FROM pg_description
    WHERE objoid >= 16384 AND classoid <> 'pg_database'::regclass`,
};

/** The whole database as text: one paragraph for each object, by kind and name. */
async function describe(connection) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const paragraphs = [];
    for (const [kind, query] of Object.entries(DESCRIPTIONS)) {
      const { rows } = await client.query(
        `SELECT name, definition FROM (${query}) o ORDER BY name COLLATE "C"`,
      );
      paragraphs.push(...rows.map(({ name, definition }) => `${kind} ${name}: ${definition}\n`));
    }
    return paragraphs.join('');
  } finally {
    await client.end();
  }
}

/** Describes a database that only the installer has changed. */
async function describeNew() {
  await build();
  const [{ startEmbeddedPostgres }, { install }, { createPool }] = await Promise.all(
    ['embedded/start.js', 'install.js', 'connection/pools.js'].map(
      (file) => import(`../dist/src/store/${file}`),
    ),
  );
  const nothing = () => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  const dataDir = await mkdtemp(join(tmpdir(), 'trunkline-fingerprint-'));
  const server = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
  try {
    const pool = createPool({ ...server.connection, max: 1 }, log);
    await install(pool, { log, release: 'fingerprint' }).finally(() => pool.end());
    return await describe(server.connection);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [address] = positionals;
const description = await (address === undefined ? describeNew() : describe({ connectionString: address }));
process.stdout.write(
  values.list ? description : `${createHash('sha256').update(description).digest('hex')}\n`,
);
