import pg from 'pg';
import { databaseOf } from '../support/service.mjs';

/** Measures and groups as docs/analytics.md defines them. */
const COUNTED = `
  SELECT CASE WHEN grouping(platform) = 0 THEN 'platform' WHEN grouping(status) = 0 THEN 'status'
      WHEN grouping(agent) = 0 THEN 'agent' ELSE '' END AS by, coalesce(platform, status, agent) AS of, direction,
    count(*)::int AS amount, (count(*) FILTER (WHERE status IN ('failed', 'expired', 'blocked')))::int AS failed
  FROM (SELECT platform, status, direction, CASE WHEN direction <> 'inbound' THEN sender_id::text END AS agent
    FROM messages WHERE created_at >= $1 AND created_at < $2) m
  GROUP BY GROUPING SETS ((direction), (platform, direction), (status, direction), (agent, direction))`;

const GROUPS = ['', 'platform', 'status', 'agent'];

/** Throws unless the response for a year equals the counts of the messages, in total and per group. */
export async function verify(service, dataDir, { from, to }) {
  const expected = await counted(dataDir, { from, to });
  for (const by of GROUPS) {
    const query = new URLSearchParams({ from, to, interval: 'day', ...(by !== '' && { group_by: by }) });
    const found = new Map();
    for (const { group, values } of (await service.call('GET', `/openapi/analytics/messages?${query}`))
      .series)
      for (const [measure, amount] of Object.entries(values)) add(found, [by, group, measure], amount);
    const wanted = [...expected].filter(([name, amount]) => JSON.parse(name)[0] === by && amount > 0);
    const answered = [...found].filter(([, amount]) => amount > 0);
    const sides = [wanted, answered].map((side) => JSON.stringify(side.sort()));
    if (sides[0] !== sides[1])
      throw new Error(`Sums by ${by || 'nothing'}: ${sides[1]}. Counted messages: ${sides[0]}.`);
  }
}

async function counted(dataDir, { from, to }) {
  const client = new pg.Client(await databaseOf(dataDir));
  await client.connect();
  try {
    const sums = new Map();
    const { rows } = await client.query(COUNTED, [from, to]);
    for (const { by, of, direction, amount, failed } of rows) {
      add(sums, [by, of, direction], amount);
      add(sums, [by, of, 'failed'], failed);
    }
    return sums;
  } finally {
    await client.end();
  }
}

function add(sums, name, amount) {
  const key = JSON.stringify(name);
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
