import type { Pool } from 'pg';
import type { Scene } from './agent-attempts.js';
import type { Json } from './api-client.js';

interface State {
  readonly messages: readonly string[];
  readonly proposals: readonly string[];
  readonly counts: Json;
}

/** The state that an action could have changed. */
export async function stateOf(pool: Pool): Promise<State> {
  const list = async (text: string) =>
    (await pool.query<{ row: string }>(text)).rows.map(({ row }) => String(row));
  const { rows } = await pool.query<{ counts: Json }>(`SELECT json_build_object(
    'conversations', (SELECT count(*) FROM conversations WHERE deleted_at IS NULL),
    'participants', (SELECT count(*) FROM participants WHERE left_at IS NULL),
    'links', (SELECT count(*) FROM links), 'users', (SELECT count(*) FROM users),
    'sessions', (SELECT count(*) FROM sessions), 'webhooks', (SELECT count(*) FROM webhooks),
    'connections', (SELECT count(*) FROM connections), 'broadcasts', (SELECT count(*) FROM broadcasts),
    'calls', (SELECT count(*) FROM calls),
    'decided', (SELECT count(*) FROM proposals WHERE status <> 'pending'),
    'released', (SELECT count(*) FROM audit_log WHERE action = 'agent.released')) AS counts`);
  return {
    messages: await list(`SELECT conversation_id || ' ' || text AS row FROM messages ORDER BY id`),
    proposals: await list('SELECT conversation_id AS row FROM proposals ORDER BY id'),
    counts: rows[0]?.counts ?? {},
  };
}

/** New messages and proposals that were not granted. Only text in the own conversation without the secret is granted. */
export function outside(before: State, after: State, { own, secret }: Scene): string[] {
  const granted = (row: string) => row.startsWith(String(own.id)) && !row.includes(secret);
  const added = (name: 'messages' | 'proposals') => after[name].slice(before[name].length);
  return [...added('messages'), ...added('proposals')].filter((row) => !granted(row));
}
