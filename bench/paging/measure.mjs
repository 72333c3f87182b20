import { hkdfSync } from 'node:crypto';
import pg from 'pg';
import { Cursors } from '../../dist/src/core/listing/cursor.js';
import { loadMasterKey } from '../../dist/src/store/secrets/master-key.js';
import { databaseOf } from '../support/service.mjs';
import { median } from '../support/stats.mjs';
import { firsts, numbered, walks } from './queries.mjs';

const LIMIT = 50;
const TRIES = 11;
const WARM_UP = 2;
/** Maximum time for the repetitions of one query. */
const TIMEOUT_MS = 3_000;
/** The distance of the last page from the end of a list, in rows. */
const LAST_ROWS = 40;

/**
 * The p50 of every query by its name, in milliseconds. `only` selects names that contain it. `limits` gives the rows per page,
 * since pages of different lengths cannot be compared.
 */
export async function measure(
  service,
  dataDir,
  { until, only = '', limits = new Map(), tell = () => undefined },
) {
  const client = new pg.Client({ ...(await databaseOf(dataDir)), options: '-c work_mem=256MB' });
  await client.connect();
  try {
    const tools = await openTools(client, dataDir, until);
    const results = new Map();
    const ask = async (name, address) => {
      if (!name.includes(only)) return;
      const url = await address();
      // A list may be too short to have a middle.
      if (url === undefined) return;
      const limit = Math.max(1, limits.get(name)?.rows ?? LIMIT);
      results.set(name, await time(service, url.replace(/limit=\d+/, `limit=${limit}`)));
      tell(name, results.get(name));
    };
    for (const walk of walks) await measureWalk(tools, walk, ask);
    for (const question of firsts) {
      await ask(nameOf(question), () => urlOf(tools.fill, question, 'cursor='));
    }
    for (const question of numbered) {
      const place = question.query?.startsWith('page') ? undefined : 'page=1';
      await ask(`${nameOf(question)}, numbered`, () => urlOf(tools.fill, question, place));
    }
    return results;
  } finally {
    await client.end();
  }
}

const nameOf = ({ path, query, filter }) => `${path} ${query ?? ''}${filter ?? ''}`.trim();

function urlOf(fill, { path, query, filter }, place) {
  const parts = [query, filter && `filter=${encodeURIComponent(fill(filter))}`, place, `limit=${LIMIT}`];
  return `${fill(path)}${path.includes('?') ? '&' : '?'}${parts.filter(Boolean).join('&')}`;
}

/** The middle and last pages start from cursors made for rows there, because no client reads a hundred thousand pages. */
async function measureWalk({ fill, writeCursor, keyAt }, walk, ask) {
  const url = (cursor) => urlOf(fill, walk, `cursor=${encodeURIComponent(cursor)}`);
  await ask(`${walk.name}, first page`, () => url(''));
  for (const [place, share] of Object.entries({ middle: 0.5, last: 1 })) {
    await ask(`${walk.name}, ${place} page`, async () => {
      const key = await keyAt(fill, walk, share);
      return key && url(writeCursor(new URL(url(''), 'http://x'), key));
    });
  }
}

async function time(service, url) {
  const times = [];
  const startedAt = performance.now();
  for (let n = 0; n < WARM_UP + TRIES && (n < 3 || performance.now() - startedAt < TIMEOUT_MS); n += 1) {
    const askedAt = performance.now();
    const response = await fetch(service.url + url, { headers: { 'x-api-key': service.key } });
    const answer = await response.json();
    if (response.status === 503) return { ms: performance.now() - askedAt, refused: 503 };
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
    if (n >= WARM_UP || performance.now() - startedAt > TIMEOUT_MS / 2)
      times.push({ ms: performance.now() - askedAt, rows: answer.data.length });
  }
  return { ms: median(times.map(({ ms }) => ms)), rows: times[0].rows };
}

async function openTools(client, dataDir, until) {
  const secret = hkdfSync(
    'sha256',
    await loadMasterKey({ configured: undefined, dataDir }),
    '',
    'list cursors',
    32,
  );
  const cursors = new Cursors(Buffer.from(secret));
  const one = async (text, values = []) =>
    Object.values((await client.query(text, values)).rows[0] ?? {})[0] ?? null;
  const workspaceId = await one(`SELECT workspace_id FROM users WHERE username = 'bench'`);
  const ids = await lookUp(one, workspaceId, until);
  return {
    fill: (text) => text.replace(/\{(\w+)\}/g, (_, name) => ids[name]),
    writeCursor: (url, key) =>
      cursors.write(
        { mode: 'after', key, inclusive: false },
        { workspaceId, path: url.pathname, parameters: [...url.searchParams] },
      ),
    async keyAt(
      fill,
      { table, where, key = 'created_at', by = 'created_at DESC, id DESC', query = '' },
      share,
    ) {
      const found = `FROM ${table} WHERE workspace_id = '${workspaceId}' AND ${where === undefined ? 'true' : fill(where)}`;
      const total = Number(await one(`SELECT count(*) ${found}`));
      const place = Math.max(0, Math.floor(total * share) - (share === 1 ? LAST_ROWS : 0));
      const offset = query.endsWith('asc') ? Math.max(0, total - 1 - place) : place;
      const { rows } = await client.query(`SELECT (${key})::text AS key, id FROM ${table} WHERE id = (
        SELECT id ${found} ORDER BY ${by} LIMIT 1 OFFSET ${offset})`);
      return rows[0] && [rows[0].key, rows[0].id];
    },
  };
}

/** The smallest conversation with a delivery. Its size is the same in both populations. */
const SMALLEST = `
  SELECT t.conversation_id FROM message_totals t WHERE t.workspace_id = $1 AND EXISTS (
    SELECT FROM messages m JOIN deliveries d ON d.message_id = m.id WHERE m.conversation_id = t.conversation_id)
  ORDER BY t.amount, t.conversation_id LIMIT 1`;

async function lookUp(one, workspace, until) {
  const at = (share) => new Date(Date.parse(until) - 365 * 86_400_000 * (1 - share)).toISOString();
  const conversation = (n) =>
    one('SELECT id FROM conversations WHERE workspace_id = $1 AND number = $2', [workspace, n]);
  const person = (n) =>
    one(`SELECT id FROM users WHERE workspace_id = $1 AND username = $2`, [workspace, `person.${n}`]);
  return {
    agent: await person(3),
    contact: await person(700),
    person: await person(777),
    absent: '00000000-0000-7000-8000-000000000000',
    large: await conversation(1),
    small: await one(SMALLEST, [workspace]),
    thread: await one('SELECT thread_id FROM messages WHERE thread_id IS NOT NULL LIMIT 1'),
    message: await one('SELECT reply_to_id FROM messages WHERE reply_to_id IS NOT NULL LIMIT 1'),
    broadcast: await one('SELECT id FROM broadcasts LIMIT 1'),
    connection: await one(`SELECT id FROM connections WHERE platform = 'telegram' LIMIT 1`),
    link: await one('SELECT id FROM links WHERE conversation_id = $1', [await conversation(2)]),
    early: at(0.0005),
    middle: at(0.5),
    late: at(0.9995),
  };
}
