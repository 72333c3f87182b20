// The minimal cost of a POST: Fastify without a schema, one prepared INSERT into a similar table, its row as the answer.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { answer } from '../support/answering.mjs';

const [database] = process.argv.slice(2);
// The same number of connections as the service.
const pool = new pg.Pool({ ...JSON.parse(database), max: 16 });

await pool.query('CREATE SCHEMA IF NOT EXISTS bench');
await pool.query(`
  CREATE TABLE IF NOT EXISTS bench.messages (
    id uuid PRIMARY KEY, conversation_id uuid NOT NULL, text text NOT NULL, content_type text NOT NULL,
    status text NOT NULL, attachments jsonb NOT NULL, metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now())`);
await pool.query(
  'CREATE INDEX IF NOT EXISTS messages_conversation ON bench.messages (conversation_id, created_at)',
);

const INSERT = `
  INSERT INTO bench.messages (id, conversation_id, text, content_type, status, attachments, metadata)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *`;

const server = Fastify();
server.post('/messages', async (request, reply) => {
  const { conversation_id: conversation, text } = request.body;
  const { rows } = await pool.query({
    name: 'insert',
    text: INSERT,
    values: [randomUUID(), conversation, text, 'text', 'queued', '[]', '{}'],
  });
  reply.code(201);
  return rows[0];
});

const url = await server.listen({ port: 0, host: '127.0.0.1' });
answer(
  { url },
  async () => undefined,
  async () => {
    await server.close();
    await pool.end();
  },
);
