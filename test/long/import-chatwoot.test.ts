import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { BEGAN, chatwootAccount } from '../support/chatwoot-account.js';
import { ChatwootServer } from '../support/chatwoot-server.js';
import { CommandHost } from '../support/command-line.js';
import { values } from '../support/people.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';
import { PROGRAM, serviceEnvironment } from '../support/service-process.js';

interface Report {
  readonly totals: Readonly<Record<string, { created: number; existing: number; skipped: number }>>;
  readonly reasons: Readonly<Record<string, number>>;
  readonly rows: readonly { record: string; id: number | null; reason: string }[];
  readonly inboxes: readonly { name: string; connection: string | null }[];
}

const telegram = new TelegramSimulator();
const chatwoot = new ChatwootServer(3, chatwootAccount());
let database: TestDatabase;
let service: Service;
let api: ApiClient;
let host: CommandHost;

const environment = () =>
  serviceEnvironment(service.dataDir, service.key, {
    DATABASE_URL: database.url,
    CHATWOOT_TOKEN: chatwoot.token,
  }) as Record<string, string>;
const args = (...more: string[]) => [
  'import',
  'chatwoot',
  '--url',
  chatwoot.url,
  '--account',
  '3',
  '--inbox',
  'Shop=Support',
  ...more,
];

async function report(...more: string[]): Promise<Report> {
  const { code, out, err } = await host.run(args('--json', ...more), environment());
  // On a slow machine the command reports its progress.
  expect([code, err]).toEqual([0, expect.stringMatching(/^(?:\d+ contacts, .*\n)*$/)]);
  expect(out).not.toContain(chatwoot.token);
  return JSON.parse(out) as Report;
}

const count = async (table: string, where = 'true') =>
  Number((await values(database.pool, `SELECT count(*)::int FROM ${table} WHERE ${where}`))[0]);
const TABLES = ['users', 'identities', 'conversations', 'messages', 'links', 'deliveries', 'media_uses'];
const rows = async () =>
  Object.fromEntries(await Promise.all(TABLES.map(async (t) => [t, await count(t)] as const)));
const conversation = async (number: number) =>
  (
    await values<Json>(
      database.pool,
      `SELECT to_jsonb(c) FROM conversations c WHERE metadata->>'chatwoot_id' = '${number}'`,
    )
  )[0] as Json & { id: string };
const unread = async (number: number) =>
  (await api.must<Json>(200, 'GET', `/openapi/conversations/${(await conversation(number)).id}`))
    .unread_count;
const messagesOf = async (number: number) =>
  values<Json>(
    database.pool,
    `SELECT to_jsonb(m) FROM messages m WHERE conversation_id = '${(await conversation(number)).id}'
     ORDER BY created_at, id`,
  );

beforeAll(async () => {
  host = new CommandHost();
  database = await testDatabase();
  await telegram.start();
  await chatwoot.start();
  const text = JSON.stringify(chatwoot.data, (_key, value: unknown) =>
    typeof value === 'string' ? value.replace('{base}', chatwoot.url) : value,
  );
  const data = JSON.parse(text) as typeof chatwoot.data;
  // One contact is a person of the simulator.
  const inboxes = [{ source_id: person(), inbox: { id: 1 } }];
  const contacts = data.contacts.map((each) =>
    each.id === 9 ? { ...each, contact_inboxes: inboxes } : each,
  );
  chatwoot.data = { ...data, contacts, files: chatwoot.data.files };
  service = await startService({ env: { DATABASE_URL: database.url } });
  api = service.client();
  await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
    name: 'Support',
    ...telegram.account(),
  });
});

afterAll(async () => {
  await service?.stop();
  await telegram.stop();
  await chatwoot.stop();
  await host?.stop();
  await database?.drop();
});

const person = () => telegram.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
const askedAt = () => Number(chatwoot.data.conversations[0]?.messages[0]?.created_at);

describe('trunkline import chatwoot', () => {
  it('reports with --dry-run what it would create, and changes nothing', async () => {
    const before = await rows();
    const { totals, inboxes } = await report('--dry-run');
    expect(totals.contacts).toMatchObject({ created: 35, skipped: 0 });
    expect(totals.conversations).toMatchObject({ created: 30, skipped: 0 });
    expect(inboxes.map(({ name, connection }) => [name, connection])).toEqual([
      ['Shop', 'Support'],
      ['Site', null],
    ]);
    expect(await rows()).toEqual(before);
  });

  it('resumes after it was killed in the middle, and creates nothing twice', async () => {
    const reached = chatwoot.stall(/conversations\/2\/messages$/);
    chatwoot.fail(/^\/rails\//, 429, { 'retry-after': '1' });
    const before = chatwoot.asked.length;
    const child = spawn(process.execPath, [PROGRAM, ...args('--json')], {
      env: environment(),
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await reached;
    child.kill('SIGKILL');
    await ended;
    const [refused, ...later] = chatwoot.asked.slice(before).filter(({ path }) => path.startsWith('/rails/'));
    const repeated = later.find(({ path }) => path === refused?.path);
    // Timers may be early by a few milliseconds.
    expect((repeated?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(990);
    const half = await rows();
    expect([half.conversations, half.messages]).toEqual([2, 10]);

    chatwoot.fail(/contacts$/, 429, { 'retry-after': '1' });
    chatwoot.fail(/conversations\/2\/messages$/, 500);
    const { totals, reasons, rows: left } = await report();
    // The list has no contact without address and identifier; a conversation after the kill has it.
    expect(totals.contacts).toEqual({ created: 1, existing: 34, skipped: 0 });
    expect(totals.conversations).toEqual({ created: 28, existing: 2, skipped: 0 });
    // Eight messages of the first conversation were there; one of them has three parts.
    expect(totals.messages?.existing).toBe(8);
    expect(await count('messages')).toBe(10 + 230 + 28);
    expect(await count('conversations')).toBe(30);
    expect(await count('users', "kind = 'contact'")).toBe(35);
    expect(left).toContainEqual({
      record: 'contact',
      id: 33,
      reason: 'Its e-mail address is not valid.',
    });
    expect(reasons['Its assignee is not a member of the workspace.']).toBe(1);
  });

  it('changes nothing the second time', async () => {
    const before = await rows();
    const { totals } = await report();
    expect(Object.values(totals).map(({ created }) => created)).toEqual([0, 0, 0, 0]);
    expect(await rows()).toEqual(before);
  });

  it('sends nothing: it creates no deliveries and no events, and sends only GET requests to Chatwoot', async () => {
    expect(await count('deliveries')).toBe(0);
    expect(await count('events', "type LIKE 'message.%' OR type LIKE 'conversation.%'")).toBe(0);
    expect(await count('events', "type = 'user.created' AND data->>'kind' = 'contact'")).toBe(0);
    for (const { id } of telegram.chats()) expect(telegram.messages(id).filter(({ own }) => own)).toEqual([]);
    expect(new Set(chatwoot.asked.map(({ method }) => method))).toEqual(new Set(['GET']));
    for (const { path, token } of chatwoot.asked)
      expect([path, token]).toEqual([path, path.startsWith('/rails/') ? undefined : chatwoot.token]);
  });

  it('keeps times, authors, replies, notes, files and long texts', async () => {
    const all = await messagesOf(1);
    expect(all.map(({ direction, status, note }) => [direction, status, note])).toEqual([
      ['inbound', 'received', false],
      ['outbound', 'delivered', false],
      ['internal', 'sent', true],
      ['outbound', 'sent', false],
      ...Array.from({ length: 6 }, () => ['inbound', 'received', false]),
    ]);
    const [question, answer, note, greeting, picture, place, hostile, ...parts] = all;
    expect(Date.parse(String(question?.created_at))).toBe(askedAt() * 1_000);
    expect(answer?.reply_to_id).toBe(question?.id);
    const [owner] = await values(
      database.pool,
      "SELECT id FROM users WHERE role = 'owner' AND live_user_id IS NULL",
    );
    expect([answer?.sender_id, note?.sender_id, greeting?.sender_id]).toEqual([owner, owner, owner]);
    expect(picture?.attachments).toHaveLength(1);
    expect(place?.attachments).toMatchObject([{ type: 'location', latitude: 52.5, longitude: 13.4 }]);
    expect(String(hostile?.text)).not.toContain('\u0000');
    expect(parts.map(({ text }) => text).join('')).toBe('word '.repeat(4_500));
    const message = await api.must<Json>(200, 'GET', `/openapi/messages/${picture?.id}`);
    const shown = message.attachments as { url: string; state: string }[];
    expect(shown[0]?.state).toBe('ready');
    expect((await fetch(String(shown[0]?.url))).status).toBe(200);
    const texts = (await messagesOf(2)).map(({ text }) => text);
    expect(texts).toEqual(Array.from({ length: 230 }, (_, index) => `line ${index}`));
  });

  it('keeps status, labels, priority, team, assignee and attributes of conversations', async () => {
    const first = await api.must<Json>(200, 'GET', `/openapi/conversations/${(await conversation(1)).id}`);
    expect(first).toMatchObject({
      status: 'resolved',
      labels: ['billing', 'vip'],
      priority: 'high',
      team: 'sales',
      metadata: { chatwoot_id: 1, chatwoot_inbox: 'Shop', order: 17 },
    });
    expect(first.assignee_id).not.toBeNull();
    expect(Date.parse(String(first.created_at))).toBe((BEGAN + 1) * 1_000);
    expect((await conversation(6)).status).toBe('snoozed');
    const [contact] = await values<Json>(
      database.pool,
      `SELECT to_jsonb(u) FROM users u WHERE metadata->>'chatwoot_id' = '1'`,
    );
    expect(contact).toMatchObject({
      display_name: 'Contact 1',
      email: 'contact1@example.test',
      metadata: { chatwoot_identifier: 'crm-1', plan: 'gold', seats: 1 },
    });
  });

  it('links the chat of a mapped inbox to its latest conversation, and links no chat of another inbox', async () => {
    const links = async (number: number) =>
      count('links', `conversation_id = '${(await conversation(number)).id}'`);
    expect([await links(1), await links(3), await links(4), await links(5)]).toEqual([0, 1, 1, 0]);
    expect(
      await values(
        database.pool,
        `SELECT external_id FROM links WHERE conversation_id = '${(await conversation(3)).id}'`,
      ),
    ).toEqual(['5001']);
  });

  it('leaves nothing unread', async () => {
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', '/openapi/conversations?limit=100&cursor=');
    const imported = data.filter(({ metadata }) => (metadata as Json).chatwoot_id !== undefined);
    expect(imported).toHaveLength(30);
    expect(imported.filter(({ unread_count: unread }) => unread !== 0)).toEqual([]);
  });

  it('continues the imported conversation when the person writes again', async () => {
    void telegram.post({ chatId: person(), sender: 'Ada', text: 'I am back' });
    await expect
      .poll(async () => (await messagesOf(9)).map(({ text }) => text))
      .toEqual(['hello 1', 'I am back']);
    const authors = (await messagesOf(9)).map(({ sender_id }) => sender_id);
    expect(new Set(authors).size).toBe(1);
    expect(await unread(9)).toBe(1);
  });

  it('makes imported texts searchable', async () => {
    const { data } = await api.must<{ data: Json[] }>(
      200,
      'GET',
      '/openapi/messages?filter=text:~%22my%20order%22',
    );
    expect(data.map(({ text }) => text)).toEqual(['Where is my order?']);
  });

  it('adds new messages of Chatwoot, and resets the progress of the search index', async () => {
    const [workspace] = await values(database.pool, 'SELECT workspace_id FROM conversations LIMIT 1');
    await database.pool.query(
      `INSERT INTO list_progress AS p (workspace_id, messages_until, counted_until, conversations, made_at)
       VALUES ($1, now(), now(), 30, now() - interval '1 hour')
       ON CONFLICT (workspace_id) DO UPDATE SET messages_until = excluded.messages_until,
         counted_until = excluded.counted_until, conversations = 30, made_at = excluded.made_at`,
      [workspace],
    );
    const conversations = chatwoot.data.conversations.map((each) =>
      each.id === 7
        ? { ...each, messages: [...each.messages, { ...each.messages[0], id: 90_000, content: 'one more' }] }
        : each,
    );
    chatwoot.data = { ...chatwoot.data, conversations };
    const { totals } = await report();
    expect([totals.messages?.created, totals.conversations?.created]).toEqual([1, 0]);
    expect((await messagesOf(7)).map(({ text }) => text)).toEqual(['x', 'one more']);
    expect(await unread(7)).toBe(0);
    expect(
      await count('list_progress', "messages_until = '-infinity' AND conversations = 0"),
    ).toBeGreaterThan(0);
  });

  it('exits with an error that names the cause, and shows no token', async () => {
    const run = async (more: string[], env: Record<string, string>) => {
      const ended = await host.run([...args(), ...more], { ...environment(), ...env });
      expect(ended.out + ended.err).not.toContain(chatwoot.token);
      return [ended.code, ended.err] as const;
    };
    expect(await run([], { CHATWOOT_TOKEN: 'wrong' })).toEqual([
      1,
      expect.stringContaining('refuses the token (401)'),
    ]);
    expect(await run([], { CHATWOOT_TOKEN: '' })).toEqual([
      2,
      expect.stringContaining('CHATWOOT_TOKEN or with --token-file'),
    ]);
    expect(await run(['--inbox', 'Nowhere=Support'], {})).toEqual([
      1,
      expect.stringContaining('no inbox of Chatwoot'),
    ]);
    expect(await run([], { ALLOW_PRIVATE_TARGETS: '' })).toEqual([
      1,
      expect.stringContaining('ALLOW_PRIVATE_TARGETS'),
    ]);
    const path = join(service.dataDir, 'token');
    await writeFile(path, `${chatwoot.token}\n`);
    expect((await run(['--dry-run', '--token-file', path], { CHATWOOT_TOKEN: '' }))[0]).toBe(0);
  });
});
