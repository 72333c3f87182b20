import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import { PostgresStaffChats } from '../../../src/store/workspaces/staff-chats.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let chats: PostgresStaffChats;
let staff: string;
let slack: string;
let broken: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  chats = new PostgresStaffChats(pool);
  slack = await stage.connection('slack');
  broken = await stage.connection('telegram');
  staff = await stage.conversation();
  await stage.link(staff, slack, 'C1');
  await stage.link(staff, await stage.connection('telegram'), '-100');
});

async function choose(conversation = staff) {
  const [number] = await values<string>(stage.pool, 'SELECT number FROM conversations WHERE id = $1', [
    conversation,
  ]);
  return chats.set(stage.workspaceId, stage.memberId, Number(number), false);
}
/** The time of a new alert is rounded to milliseconds, up to half of one after now. */
const makeDue = () => stage.pool.query(`UPDATE staff_alerts SET next_at = next_at - interval '1 ms'`);
async function move(connection: string, target: string, message: string) {
  await stage.pool.query(`SELECT move_connection($1, $2, $3, $4, NULL, NULL)`, [
    connection,
    ['connected', 'error', 'connecting'],
    target,
    JSON.stringify({ code: target, message, fix: 'Enter a new token.' }),
  ]);
  await makeDue();
}
const breakDown = (connection = broken) => move(connection, 'error', 'The token was revoked.');
const repair = (connection = broken) => move(connection, 'connected', 'Connected.');
const queue = () =>
  values<string>(stage.pool, 'SELECT text FROM staff_alerts WHERE handled_at IS NULL AND workspace_id = $1', [
    stage.workspaceId,
  ]);
const sent = () =>
  values<string>(stage.pool, 'SELECT text FROM messages WHERE conversation_id = $1 ORDER BY id', [staff]);
async function sendAll() {
  while (await chats.send());
}

it('A connection in error creates one message, which is sent to each chat of the conversation.', async () => {
  await choose();
  await breakDown();
  await sendAll();
  expect(await sent()).toEqual([
    expect.stringMatching(
      /^Trunkline: the connection ".*" \(telegram\) is in error\. The token was revoked\. /,
    ),
  ]);
  const deliveries = await values<string>(
    stage.pool,
    'SELECT external_chat_id FROM deliveries WHERE conversation_id = $1 ORDER BY 1',
    [staff],
  );
  expect(deliveries).toEqual(['-100', 'C1']);
});

it('Several processes that send at the same time send an alert once.', async () => {
  await choose();
  await breakDown();
  const answers = await Promise.all(Array.from({ length: 8 }, () => chats.send()));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await sent()).toHaveLength(1);
});

it('An alert is sent once by the next process when the first one died before its commit.', async () => {
  await choose();
  await breakDown();
  const client = await stage.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT send_alert()');
    expect(await chats.send()).toBeNull();
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
  expect(await sent()).toEqual([]);
  await sendAll();
  expect(await sent()).toHaveLength(1);
});

it('A connection that fails repeatedly creates one alert in 15 minutes.', async () => {
  await choose();
  for (let times = 0; times < 5; times += 1) {
    await breakDown();
    await repair();
  }
  expect(await queue()).toHaveLength(1);
  await stage.pool.query(`UPDATE staff_alerts SET created_at = created_at - interval '16 minutes'`);
  await breakDown();
  expect(await queue()).toHaveLength(2);
});

it('A workspace has 30 alerts in an hour at most.', async () => {
  await choose();
  const connections = await Promise.all(Array.from({ length: 32 }, () => stage.connection('sms')));
  for (const each of connections) await breakDown(each);
  expect(await queue()).toHaveLength(30);
});

it('An alert about the connection of its own chat causes no further alert.', async () => {
  await choose();
  await breakDown(slack);
  await sendAll();
  expect(await sent()).toHaveLength(1);
  expect(await queue()).toEqual([]);
});

it('A disabled webhook creates an alert.', async () => {
  await choose();
  const hook = uuidv7();
  await stage.pool.query(
    `INSERT INTO events (workspace_id, type, data) VALUES ($1, 'webhook.disabled', $2)`,
    [stage.workspaceId, JSON.stringify({ webhook_id: hook, message: 'It answered 410.' })],
  );
  await makeDue();
  await sendAll();
  expect(await sent()).toEqual([`Trunkline: the webhook ${hook} was disabled. It answered 410.`]);
});

it('No alert is sent or queued if the workspace has no chat or its chat was deleted.', async () => {
  await breakDown();
  expect(await queue()).toEqual([]);
  await choose();
  await repair();
  await breakDown();
  await stage.pool.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [staff]);
  await sendAll();
  expect([await sent(), await queue()]).toEqual([[], []]);
  expect(await chats.find(stage.workspaceId)).toEqual({
    conversation_number: null,
    title: null,
    approvals: false,
  });
});

it('The conversation of another workspace cannot be chosen.', async () => {
  const other = await bridgeStage(stage.pool);
  for (let made = 0; made < 3; made += 1) await other.conversation();
  expect(await chats.set(stage.workspaceId, stage.memberId, 3, false)).toBe(false);
  expect(await choose()).toBe(true);
  expect((await chats.find(stage.workspaceId)).conversation_number).toBe(1);
  expect(await chats.set(stage.workspaceId, stage.memberId, null, false)).toBe(true);
  expect((await chats.find(stage.workspaceId)).conversation_number).toBeNull();
});

it('An alert whose message raises an error does not delay those of other workspaces.', async () => {
  await choose();
  await breakDown();
  const other = await bridgeStage(stage.pool);
  const elsewhere = await other.conversation();
  await chats.set(other.workspaceId, other.memberId, 1, false);
  await move(await other.connection('telegram'), 'error', 'It was revoked as well.');
  await stage.pool.query(`
    CREATE FUNCTION refuse_alert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'No more space.'; END $$`);
  await stage.pool.query(`
    CREATE TRIGGER refused BEFORE INSERT ON messages FOR EACH ROW WHEN (NEW.conversation_id = '${staff}')
    EXECUTE FUNCTION refuse_alert()`);
  expect(await chats.send()).toMatchObject({ tries: 1, problem: 'No more space.' });
  expect(await chats.send()).toMatchObject({ tries: 0, problem: null });
  expect(await chats.send()).toBeNull();
  const there = 'SELECT text FROM messages WHERE conversation_id = $1';
  expect(await values<string>(stage.pool, there, [elsewhere])).toEqual([
    expect.stringContaining('It was revoked as well.'),
  ]);
  for (let tries = 2; tries <= 6; tries += 1) {
    await stage.pool.query(
      `UPDATE staff_alerts SET next_at = now() - interval '1 s' WHERE handled_at IS NULL`,
    );
    expect(await chats.send()).toMatchObject({ tries, problem: 'No more space.' });
  }
  expect(await queue()).toEqual([]);
});

it('An alert that failed is sent once the reason is gone.', async () => {
  await choose();
  await breakDown();
  await stage.pool.query(
    `UPDATE staff_alerts SET tries = 3, problem = 'No more space.', next_at = now() + interval '8 minutes'`,
  );
  expect(await chats.send()).toBeNull();
  await stage.pool.query(`UPDATE staff_alerts SET next_at = now() - interval '1 s'`);
  expect(await chats.send()).toMatchObject({ tries: 3, problem: null });
  expect(await sent()).toHaveLength(1);
});

it('An alert does not wait for a conversation that is locked, and is sent later.', async () => {
  await choose();
  await breakDown();
  const client = await stage.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [staff]);
    expect(await chats.send()).toMatchObject({ tries: 0, problem: null });
    expect(await queue()).toHaveLength(1);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  await stage.pool.query(`UPDATE staff_alerts SET next_at = now() - interval '1 s'`);
  await sendAll();
  expect(await sent()).toHaveLength(1);
});

it.each([
  ['was suspended', `UPDATE users SET status = 'suspended' WHERE id = $1`],
  ['was removed', `UPDATE users SET status = 'deleted', role = NULL, deleted_at = now() WHERE id = $1`],
])('If the member who chose the chat %s, the first owner sends the alert.', async (_, change) => {
  await choose();
  const owner = uuidv7();
  await stage.pool.query(
    `INSERT INTO users (id, workspace_id, kind, role, username, display_name) VALUES ($1, $2, 'member', 'owner', 'second', 'Second')`,
    [owner, stage.workspaceId],
  );
  await breakDown();
  await stage.pool.query(change, [stage.memberId]);
  await sendAll();
  const senders = 'SELECT sender_id FROM messages WHERE conversation_id = $1';
  expect(await values<string>(stage.pool, senders, [staff])).toEqual([owner]);
});

it('Alerts are deleted after a week.', async () => {
  await choose();
  await breakDown();
  await sendAll();
  await stage.pool.query(`UPDATE staff_alerts SET created_at = now() - interval '8 days'`);
  await stage.pool.query('SELECT purge_expired()');
  expect(await values(stage.pool, 'SELECT event_id FROM staff_alerts', [])).toEqual([]);
});
