import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { eventually, type Json } from '../support/api-client.js';
import { ownerBrowser } from '../support/browser.js';
import { values } from '../support/people.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';

const MASTER_KEY = randomBytes(32).toString('base64');
const slack = new SlackSimulator({ limits: 'none' });
const telegram = new TelegramSimulator({ limits: 'none' });
const room = () => slack.chats().find(({ kind }) => kind === 'group')?.id ?? '';
let database: TestDatabase;
let service: Service;

const start = (key?: string) =>
  startService({
    env: { DATABASE_URL: database.url, TRUNKLINE_MASTER_KEY: MASTER_KEY },
    ...(key !== undefined && { key }),
  });

async function connect(simulator: SlackSimulator | TelegramSimulator): Promise<string> {
  const api = service.client();
  const path = '/openapi/platforms';
  const made = await api.must<Json>(201, 'POST', `${path}/${simulator.platform}/connections`, {
    name: `Our ${simulator.platform}`,
    ...simulator.account(),
  });
  const shown = () => api.must<Json>(200, 'GET', `${path}/connections/${made.id}`);
  await eventually(shown, ({ status }) => status === 'connected');
  return String(made.id);
}

const rows = (condition: string) =>
  values<string>(database.pool, `SELECT event_id FROM staff_alerts WHERE ${condition}`, []);
const shown = async () => (await slack.messages(room())).map(({ text }) => text);

beforeAll(async () => {
  database = await testDatabase();
  await Promise.all([slack.start(), telegram.start()]);
  service = await start();
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([slack.stop(), telegram.stop()]);
  await database?.drop();
});

it('An alert reaches the chat exactly once if the service is killed between the event and the alert.', async () => {
  const links = [{ connection_id: await connect(slack), external_id: room() }];
  const { number } = await service.client().must(201, 'POST', '/openapi/conversations', { links });
  const owner = await ownerBrowser(service);
  const chosen = { body: { conversation_number: number } };
  expect((await owner.send('PUT', '/workspace/staff-chat', chosen)).status).toBe(200);
  await connect(telegram);

  // While the conversation is locked, the alert waits.
  const lock = await database.pool.connect();
  try {
    await lock.query('BEGIN');
    await lock.query('SELECT FROM conversations FOR UPDATE');
    telegram.revokeToken();
    await eventually(
      () => rows('handled_at IS NULL'),
      (waiting) => waiting.length === 1,
    );
    await service.kill();
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
  expect([await shown(), (await rows('handled_at IS NULL')).length]).toEqual([[], 1]);

  service = await start(service.key);
  await eventually(shown, (texts) => texts.length > 0);
  await service.kill();
  service = await start(service.key);
  await eventually(
    () => values(database.pool, `SELECT status FROM messages WHERE status = 'sent'`, []),
    (sent) => sent.length === 1,
  );
  const text = /^Trunkline: the connection "Our telegram" \(telegram\) is in error\. /;
  expect(await shown()).toEqual([expect.stringMatching(text)]);
  expect(await rows('true')).toHaveLength(1);
});
