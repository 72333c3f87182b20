import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Audiences } from '../../../src/core/broadcasts/audience.js';
import { RunBroadcast } from '../../../src/core/broadcasts/run.js';
import { PostgresMembers } from '../../../src/store/access/members.js';
import { PostgresBroadcasts } from '../../../src/store/broadcasts/broadcasts.js';
import { PostgresBroadcastWork } from '../../../src/store/broadcasts/recipients.js';
import { Retention } from '../../../src/store/maintenance/retention.js';
import { PostgresUsers } from '../../../src/store/people/users.js';
import { PostgresSegments } from '../../../src/store/segments/segments.js';
import { type BridgeStage, bridgeStage, ended, sent } from '../../support/bridge.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitFor } from '../../support/wait-for.js';

let database: TestDatabase;
let stage: BridgeStage;
let users: PostgresUsers;
let sms: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  users = new PostgresUsers(database.pool);
  sms = await stage.connection('sms');
});
afterAll(() => database.drop());

const query = <T>(text: string, ...parameters: unknown[]) => values<T>(database.pool, text, parameters);
const clean = () => new Retention(database.pool, { envelopes: 30, attempts: 90, messages: undefined }).run();
const open = () => query<string>('SELECT user_id FROM erasures WHERE workspace_id = $1', stage.workspaceId);

/** An erasure ends once all transactions that began before it are over. */
const cleanUntilErased = () =>
  waitFor(async () => {
    await query('UPDATE erasures SET look_at = now() RETURNING id');
    await clean();
    expect(await open()).toEqual([]);
  });

/** The places in which the database still contains a word. Texts of messages belong to their conversation. */
async function placesOf(word: string): Promise<string[]> {
  const tables = await query<string>("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  const found = await Promise.all(
    tables.map((table) =>
      query<string>(
        `SELECT DISTINCT concat('${table}.', key, ' ' || (r->>'type')) FROM (SELECT to_jsonb(t) AS r FROM ${table} t) x
         CROSS JOIN LATERAL jsonb_each_text(r) AS field (key, value)
         WHERE value ILIKE '%' || $1 || '%' AND NOT ('${table}' = 'messages' AND key = 'text')`,
        word,
      ),
    ),
  );
  return found.flat();
}

/** The first message of a person in their own chat. */
async function arrival(address: string, name: string) {
  const { message } = await stage.inbound.receive(
    sms,
    { dedupeKey: uuidv7(), lane: address, payload: { From: address, ProfileName: name } },
    [
      {
        type: 'message',
        at: '2026-01-01T00:00:00.000Z',
        chat: { id: address, kind: 'direct', title: name },
        sender: { id: address, displayName: name },
        content: { text: 'Hello', spans: [], attachments: [] },
        messageId: uuidv7(),
      } as never,
    ],
    'processed',
  );
  return stage.message(message!.id);
}

/** A broadcast to addresses, up to the freezing of its audience. */
async function broadcastTo(named: { address: string; name: string }[], begun = true): Promise<string> {
  const { id } = await new PostgresBroadcasts(database.pool).create({
    id: uuidv7(),
    workspace_id: stage.workspaceId,
    created_by: stage.memberId,
    name: 'News',
    category: 'transactional',
    text: 'Dear {{name}}',
    content_type: 'text',
    draft: !begun,
    audience: {
      recipients: named.map(({ address, name }) => ({ platform: 'sms', address, variables: { name } })),
    },
  } as never);
  const audiences = new Audiences(new PostgresSegments(database.pool));
  if (begun) await new RunBroadcast(new PostgresBroadcastWork(database.pool), audiences).execute(id);
  return id;
}

const namedBy = async (broadcast: string) => {
  const [list = []] = await query<{ address: string }[]>(
    "SELECT audience->'recipients' FROM broadcasts WHERE id = $1",
    broadcast,
  );
  return list.map(({ address }) => address);
};

/** An import without any imported contact. Returns its id. */
async function failedRows(...rows: string[][]): Promise<string> {
  const [id = ''] = await query<string>(
    `INSERT INTO contact_imports (id, workspace_id, created_by, file_name, header, created_at)
     VALUES (uuid7(), $1, uuid7(), 'x.csv', '{Name,Phone}', now() - interval '1 minute') RETURNING id`,
    stage.workspaceId,
  );
  await query(
    `INSERT INTO contact_import_rows (import_id, number, workspace_id, line, cells, result)
     SELECT $1, n, $2, n, ARRAY(SELECT jsonb_array_elements_text(cells)), 'failed'
     FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS r (cells, n) RETURNING id`,
    ...[id, stage.workspaceId, JSON.stringify(rows)],
  );
  return id;
}

describe('the data of an erased contact', () => {
  it('is removed from every column of every table, both the address and the name', async () => {
    const [address, name] = ['+49170555001', 'Annabel Person'];
    const first = await arrival(address, name);
    await users.change(stage.workspaceId, first.sender_id, { phone: address, display_name: `${name} II` });
    await query(
      `INSERT INTO locations (id, workspace_id, user_id, latitude, longitude, source, recorded_at)
       VALUES ($1, $2, $3, 1, 2, 'manual', now()) RETURNING id`,
      uuidv7(),
      stage.workspaceId,
      first.sender_id,
    );
    await stage.send(first.conversation_id, 'Answer');
    await stage.deliveries.settle([sent(await stage.claimOne(sms))]);
    await stage.send(first.conversation_id, 'Refused');
    const refusal = { code: 'unknown', permanent: true, platform_code: '21211' };
    const error = { ...refusal, message: `'To' ${address} is not valid` };
    const refused = ended(await stage.claimOne(sms), 'failed', { error });
    await stage.deliveries.settle([{ ...refused, error } as never]);
    const others = [{ address: '+49170555009', name: 'Somebody Else' }];
    const begun = await broadcastTo([{ address, name }, ...others]);
    const draft = await broadcastTo([...others, { address, name }], false);
    const failed = await failedRows([name, '+49 (170) 555-001'], ['Somebody Else', others[0]?.address ?? '']);
    await users.delete(stage.workspaceId, first.sender_id);
    expect(await namedBy(draft)).toEqual(['+49170555009']);
    await cleanUntilErased();
    expect(await placesOf(address.slice(1))).toEqual([]);
    expect(await placesOf('Annabel')).toEqual([]);
    expect(await namedBy(begun)).toEqual(['+49170555009']);
    const cells = await query(
      'SELECT cells FROM contact_import_rows WHERE import_id = $1 ORDER BY number',
      failed,
    );
    expect(cells).toEqual([null, ['Somebody Else', '+49170555009']]);
    expect(
      await query('SELECT count(*)::int FROM locations WHERE workspace_id = $1', stage.workspaceId),
    ).toEqual([0]);
  });

  it('includes open deliveries, once they have ended', async () => {
    const address = '+49170555011';
    const first = await arrival(address, 'Bettina Busy');
    await stage.send(first.conversation_id, 'Nobody knows');
    await stage.deliveries.settle([ended(await stage.claimOne(sms), 'uncertain')]);
    await stage.send(first.conversation_id, 'Under way');
    const underWay = await stage.claimOne(sms);
    await users.delete(stage.workspaceId, first.sender_id);
    await clean();
    expect(await open()).toEqual([first.sender_id]);
    await stage.deliveries.settle([sent(underWay)]);
    await query(
      `SELECT move_deliveries(jsonb_agg(jsonb_build_object('id', id, 'from', '["uncertain"]'::jsonb, 'to', 'failed')))::text
       FROM deliveries WHERE workspace_id = $1 AND status = 'uncertain'`,
      stage.workspaceId,
    );
    await cleanUntilErased();
    expect(await placesOf(address.slice(1))).toEqual([]);
    expect(await placesOf('Bettina')).toEqual([]);
  });

  it('includes events, which are reduced to their ids; those of others stay', async () => {
    const first = await arrival('+49170001', 'Ann Example');
    await arrival('+491700019', 'Somebody Else');
    await users.delete(stage.workspaceId, first.sender_id);
    await cleanUntilErased();
    const told = await query<object>(
      "SELECT data FROM events WHERE workspace_id = $1 AND type IN ('user.created', 'message.created') ORDER BY position",
      stage.workspaceId,
    );
    expect(told).toEqual([
      { id: first.sender_id, truncated: true },
      {
        id: first.id,
        conversation_id: first.conversation_id,
        sender_id: first.sender_id,
        reply_to_id: null,
        thread_id: null,
        broadcast_id: null,
        truncated: true,
      },
      expect.objectContaining({ display_name: 'Somebody Else' }),
      expect.objectContaining({ text: 'Hello' }),
    ]);
  });

  it('in an envelope that is still to be applied is erased afterwards, without blocking other work', async () => {
    const [one, other] = [await arrival('+49170002', 'Ann'), await arrival('+49170003', 'Bob')];
    await query("UPDATE envelopes SET status = 'pending' WHERE lane = '+49170002' RETURNING id");
    for (const { sender_id: id } of [one, other]) await users.delete(stage.workspaceId, id);
    await waitFor(async () => {
      await clean();
      expect(await open()).toEqual([one.sender_id]);
    });
    await query("UPDATE envelopes SET status = 'dead' WHERE lane = '+49170002' RETURNING id");
    await cleanUntilErased();
    expect(await query('SELECT payload FROM envelopes WHERE workspace_id = $1', stage.workspaceId)).toEqual([
      null,
      null,
    ]);
  });
});

it('the data of a merged contact stays with the other contact, and is erased together with it', async () => {
  const [source, target] = [
    await arrival('+49170666001', 'Sourcename'),
    await arrival('+49170666002', 'Targetname'),
  ];
  await broadcastTo([
    { address: '+49170666001', name: 'Sourcename' },
    { address: '+49170666002', name: 'Targetname' },
  ]);
  await users.merge(stage.workspaceId, target.sender_id, source.sender_id);
  await cleanUntilErased();
  expect(await placesOf('49170666001')).toEqual(
    expect.arrayContaining(['identities.external_id', 'links.external_id', 'envelopes.payload']),
  );
  expect(
    await query(
      "SELECT count(*)::int FROM events WHERE type LIKE 'user.%' AND data::text LIKE '%Sourcename%'",
    ),
  ).toEqual([0]);
  await users.delete(stage.workspaceId, target.sender_id);
  await cleanUntilErased();
  expect([await placesOf('49170666001'), await placesOf('49170666002')]).toEqual([[], []]);
  expect([await placesOf('Sourcename'), await placesOf('Targetname')]).toEqual([[], []]);
});

/** An envelope that mentions something, from a person without a contact. */
const mention = (text: string) =>
  stage.inbound.receive(sms, { dedupeKey: uuidv7(), lane: 'x', payload: { text } }, [], 'unsupported');

it('the phone number and e-mail address of a merged contact are erased if the other contact has its own', async () => {
  const [source, target] = [
    await arrival('+49170666011', 'Sourcename'),
    await arrival('+49170666012', 'Targetname'),
  ];
  const own = { phone: '+49170666013', email: 'former@example.test' };
  await users.change(stage.workspaceId, source.sender_id, own);
  const current = { phone: '+49170666019', email: 'current@example.test' };
  await users.change(stage.workspaceId, target.sender_id, current);
  for (const text of [own, current].flatMap(Object.values)) await mention(text);
  await users.merge(stage.workspaceId, target.sender_id, source.sender_id);
  await cleanUntilErased();
  expect(await Promise.all(Object.values(own).map(placesOf))).toEqual([[], []]);
  for (const text of Object.values(current)) expect(await placesOf(text)).toContain('envelopes.payload');
  expect(await placesOf('49170666011')).toContain('envelopes.payload');
});

it('a merge of two contacts with the same phone number and e-mail address erases neither', async () => {
  const [source, target] = [
    await arrival('+49170666014', 'Sourcename'),
    await arrival('+49170666015', 'Targetname'),
  ];
  const shared = { phone: '+49170666016', email: 'both@example.test' };
  for (const { sender_id: id } of [source, target]) await users.change(stage.workspaceId, id, shared);
  for (const text of Object.values(shared)) await mention(text);
  expect(await users.merge(stage.workspaceId, target.sender_id, source.sender_id)).toMatchObject(shared);
  await cleanUntilErased();
  for (const text of Object.values(shared)) expect(await placesOf(text)).toContain('envelopes.payload');
});

it('the erasure of a contact does not remove a phone number that another contact has', async () => {
  const writer = await arrival('+49170666017', 'Writer');
  const other = await arrival('+49170666018', 'Othername');
  await users.change(stage.workspaceId, other.sender_id, { phone: '+49170666017' });
  const draft = await broadcastTo([{ address: '+49170666017', name: 'Writer' }], false);
  await users.delete(stage.workspaceId, other.sender_id);
  await cleanUntilErased();
  expect(await placesOf('49170666017')).toEqual(
    expect.arrayContaining(['identities.external_id', 'envelopes.payload', 'broadcasts.audience']),
  );
  expect(await placesOf('49170666018')).toEqual([]);
  await users.delete(stage.workspaceId, writer.sender_id);
  await cleanUntilErased();
  expect(await placesOf('49170666017')).toEqual([]);
  expect(await namedBy(draft)).toEqual([]);
});

it('a removed member leaves no address in events', async () => {
  const id = uuidv7();
  const members = new PostgresMembers(database.pool);
  await members.create({
    id,
    workspace_id: stage.workspaceId,
    created_by: stage.memberId,
    kind: 'member',
    role: 'viewer',
    email: 'mia.member@example.test',
    username: null,
    suggested: 'mia',
    display_name: 'Mia Member',
    token_hash: Buffer.from(id),
    days: 7,
  } as never);
  await members.remove(stage.workspaceId, id);
  await cleanUntilErased();
  expect([await placesOf('mia.member'), await placesOf('Mia Member')]).toEqual([[], []]);
});

it('one pass through a workspace handles all erased contacts, and workspaces take turns', async () => {
  const people = [await arrival('+49170777001', 'Ann'), await arrival('+49170777002', 'Bob')];
  await query(
    "INSERT INTO events (workspace_id, type, data) SELECT $1, 'message.sent', '{}' FROM generate_series(1, 30) RETURNING 1",
    stage.workspaceId,
  );
  for (const { sender_id: id } of people) await users.delete(stage.workspaceId, id);
  const here = stage;
  stage = await bridgeStage(database.pool);
  sms = await stage.connection('sms');
  const elsewhere = await arrival('+49170777003', 'Eve');
  await users.delete(stage.workspaceId, elsewhere.sender_id);
  // Both scans begin. Open transactions on the server delay both, and this workspace would otherwise catch up.
  await query('SELECT continue_erasures(10)');
  await waitFor(async () =>
    expect(
      await query('SELECT until <= pg_snapshot_xmin(pg_current_snapshot()) FROM erasure_scans'),
    ).not.toContain(false),
  );
  // Batches of ten: the other workspace finishes before this one.
  const step = async () => {
    await query('SELECT continue_erasures(10)');
    expect(await open()).toEqual([]);
  };
  await waitFor(step);
  expect(
    await query('SELECT count(*)::int FROM erasures WHERE workspace_id = $1 AND scanned', here.workspaceId),
  ).toEqual([2]);
  stage = here;
  await cleanUntilErased();
  expect([await placesOf('49170777001'), await placesOf('49170777002')]).toEqual([[], []]);
});
