import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseOf, makeWorkspace } from '../support/service.mjs';

const CHATS = 1_000;
const PER_SECOND = 10;
const POLL_MS = 50;

const MESSAGES = `
  INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status, platform, expires_at)
  SELECT uuid7(), c.workspace_id, c.id, c.number, c.created_by, 'Your order has left.', 'outbound', 'queued', 'telegram', now() + interval '7 days'
  FROM conversations c CROSS JOIN generate_series(1, $2::int) WHERE c.workspace_id = $1`;

const DELIVERIES = `
  INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id, status, expires_at)
  SELECT m.workspace_id, m.id, m.conversation_id, l.id, l.connection_id, l.platform, l.external_id, 'queued', m.expires_at
  FROM messages m JOIN links l ON l.conversation_id = m.conversation_id WHERE m.workspace_id = $1 AND m.status = 'queued'`;

/**
 * Inserts `rows` deliveries of another workspace to a thousand chats, behind a connection with a limit of ten per second.
 * Resolves when the first is sent.
 */
export async function queueDeliveries(service, { dataDir, simulator, rows }) {
  const client = new pg.Client(await databaseOf(dataDir));
  await client.connect();
  try {
    const workspace = await makeWorkspace(service, client, 1);
    const connection = await connect(workspace, simulator.info.account);
    const addresses = await simulator.ask({ question: 'addresses', count: CHATS });
    for (const address of addresses) {
      await workspace.call('POST', '/openapi/conversations', {
        links: [{ connection_id: connection, external_id: address }],
      });
    }
    await client.query(MESSAGES, [workspace.workspaceId, Math.ceil(rows / CHATS)]);
    // Without new statistics the planner expects few messages.
    await client.query('VACUUM (ANALYZE) messages, links');
    await client.query(DELIVERIES, [workspace.workspaceId]);
    await client.query('VACUUM (ANALYZE) messages, deliveries');
    await client.query('SELECT wake_connections(ARRAY[$1::uuid])', [connection]);
  } finally {
    await client.end();
  }
  const sent = async () => (await simulator.ask({ question: 'sends' })).count;
  while ((await sent()) === 0) await sleep(POLL_MS);
  return {
    async during(work) {
      const before = await sent();
      const result = await work();
      if ((await sent()) === before) throw new Error('Nothing was sent during the measurement.');
      return result;
    },
  };
}

async function connect(workspace, { credentials, settings }) {
  const { id } = await workspace.call('POST', '/openapi/platforms/telegram/connections', {
    name: 'Bench',
    credentials,
    settings: { ...settings, rate_per_second: PER_SECOND },
  });
  while ((await workspace.call('GET', `/openapi/platforms/connections/${id}`)).status !== 'connected') {
    await sleep(POLL_MS);
  }
  return id;
}
