import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Descriptions } from '../support/api-description.js';
import type { Elsewhere } from './elsewhere.js';
import { GOOD_CHANNEL } from './guides.js';
import type { Caller } from './stage.js';

/** Rules for the database after any request. Each query finds the rows that violate its rule. */
const RULES: Readonly<Record<string, string>> = {
  'A request with an idempotency key never ended': `SELECT path, key FROM idempotency_keys WHERE status IS NULL`,
  'A message has neither deliveries nor an end': `SELECT id, status FROM messages m WHERE direction = 'outbound'
    AND status IN ('queued', 'sending', 'sent', 'delivered', 'failed')
    AND NOT EXISTS (SELECT FROM deliveries d WHERE d.message_id = m.id)`,
  'A conversation has nobody in it': `SELECT id FROM conversations c
    WHERE NOT EXISTS (SELECT FROM participants p WHERE p.conversation_id = c.id)`,
  'A number of conversations was left out or given twice': `SELECT w.id FROM workspaces w
    WHERE w.conversation_count <> (SELECT count(DISTINCT number) FROM conversations c WHERE c.workspace_id = w.id)`,
  'A broadcast is at work and has no recipients': `SELECT id, status FROM broadcasts b WHERE status IN ('sending', 'paused', 'on_hold')
    AND NOT EXISTS (SELECT FROM broadcast_recipients r WHERE r.broadcast_id = b.id)`,
  'A segment counts wrongly': `SELECT s.id FROM segments s WHERE kind = 'static' AND size <> (SELECT count(*) FROM segment_members m WHERE m.segment_id = s.id)`,
};

const TIMEOUT_MS = 60_000;
const PAGES = 200;

export interface Scene {
  readonly live: Caller;
  readonly test: Caller;
  readonly database: pg.ClientConfig;
  readonly dataDir: string;
  readonly elsewhere: Elsewhere;
  readonly descriptions: Descriptions;
}

/** Whether the service still works: its data, its lists and its background work. */
export async function aftermath(scene: Scene): Promise<string[]> {
  const problems = [...(await workProblems(scene)), ...(await listProblems(scene))];
  const client = new pg.Client(scene.database);
  await client.connect();
  try {
    problems.push(...(await settleProblems(client)), ...(await ruleProblems(client)));
  } finally {
    await client.end();
  }
  const staged = await readdir(join(scene.dataDir, 'media', 'staging')).catch(() => []);
  if (staged.length > 0) problems.push(`${staged.length} files of uploads were left lying`);
  return problems;
}

/** A message is sent, its event reaches a webhook, and the valid guide is available. */
async function workProblems({ live, test, elsewhere }: Scene): Promise<string[]> {
  const text = `canary ${Date.now()}`;
  const hook = await live.create('/api/webhooks', {
    url: `${elsewhere.url}/canary`,
    events: ['message.created'],
  });
  const conversation = await live.create('/openapi/conversations', { type: 'group', participant_ids: [] });
  await live.create('/openapi/messages', { conversation_id: conversation.id, text });
  const opened = await test.create('/openapi/conversations', {
    recipient: { platform: 'sandbox', address: 'sent+canary' },
    message: { text },
  });
  const { id } = opened.last_message as { id: string };
  const sent = await until(async () =>
    /sent|delivered|read/.test(String((await test.call('GET', `/openapi/messages/${id}`)).status)),
  );
  const told = await until(async () => elsewhere.told(text));
  await live.call('DELETE', `/api/webhooks/${hook.id}`);
  const networks = await live.list(`/openapi/tv/networks?filter=id:${GOOD_CHANNEL}`);
  return [
    ...(sent ? [] : ['A message to the sandbox was not sent any more']),
    ...(told ? [] : ['A webhook was not told of a message any more']),
    ...(networks.length === 1 ? [] : ['The good guide is gone']),
  ];
}

/** Reads every list to its end in both versions, and compares it with the description. */
async function listProblems({ live, test, descriptions }: Scene): Promise<string[]> {
  const problems: string[] = [];
  for (const [version, prefix] of [
    ['1.0', '/v1'],
    ['2.0', '/v2'],
  ] as const) {
    const description = descriptions[version];
    const paths = Object.entries(description?.document.paths ?? {});
    const lists = paths.filter(
      ([path, { get }]) =>
        get && !path.includes('{') && /s$|tracking$/.test(path) && !/status|ice-servers/.test(path),
    );
    for (const [path] of lists) {
      for (const api of [live, test]) {
        let cursor: string | null = '';
        for (let page = 0; cursor !== null && page < PAGES; page += 1) {
          const target: string = `${prefix}${path}?limit=100&cursor=${encodeURIComponent(cursor)}`;
          const body: { pagination: { nextCursor: string | null } } = await api.call('GET', target);
          const found = description?.problems('GET', path, 200, body) ?? [];
          if (found.length > 0) problems.push(`${target}: ${found.slice(0, 3).join('; ')}`);
          cursor = body.pagination.nextCursor;
        }
      }
    }
  }
  return problems;
}

/** All committed work is processed. */
async function settleProblems(client: pg.Client): Promise<string[]> {
  const left = async () => {
    const { rows } = await client.query(
      `SELECT topic, count(*)::int AS waiting FROM outbox WHERE run_at IS NULL GROUP BY topic`,
    );
    return rows;
  };
  if (await until(async () => (await left()).length === 0)) return [];
  return [`The outbox does not become empty: ${JSON.stringify(await left())}`];
}

async function ruleProblems(client: pg.Client): Promise<string[]> {
  const problems: string[] = [];
  for (const [rule, query] of Object.entries(RULES)) {
    const { rows } = await client.query(query);
    if (rows.length > 0) problems.push(`${rule}: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
  }
  return problems;
}

async function until(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (const endsAt = Date.now() + TIMEOUT_MS; Date.now() < endsAt; await sleep(100)) {
    if (await isTrue()) return true;
  }
  return false;
}
