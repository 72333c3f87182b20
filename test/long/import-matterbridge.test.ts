import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { SynchronousSimulator } from '../../src/contract/simulation/index.js';
import type { ApiClient } from '../support/api-client.js';
import { CommandHost } from '../support/command-line.js';
import { values } from '../support/people.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';
import { serviceEnvironment } from '../support/service-process.js';

const SLACK_TOKEN = 'xoxb-a-secret-of-slack';
const SIGNING_SECRET = 'a-signing-secret-of-slack';
const SECRETS = [SLACK_TOKEN, SIGNING_SECRET, 'a-secret-of-irc', 'hook-secret'];

const telegram = new TelegramSimulator();
const discord = new DiscordSimulator();
let database: TestDatabase;
let service: Service;
let api: ApiClient;
let host: CommandHost;

const chatOf = (simulator: SynchronousSimulator) =>
  simulator.chats().find(({ kind }) => kind === 'group')?.id ?? '';
const tokenOf = (simulator: SynchronousSimulator) =>
  String((simulator.account().credentials as { bot_token: string }).bot_token);

const toml = () => `
[general]
RemoteNickFormat="[{PROTOCOL}] <{NICK}> "
MediaDownloadSize=1000000

[telegram.main]
Token="${tokenOf(telegram)}"
MessageFormat="HTMLNick :"
[discord.game]
Token="Bot ${tokenOf(discord)}"
Server="yourserver"
AutoWebhooks=true
[slack.hobby]
Token="${SLACK_TOKEN}"
IgnoreNicks="spammer"
[irc.libera]
Server="irc.libera.chat:6697"
Nick="bridge"
NickServPassword="a-secret-of-irc"
[telegram.idle]
Token="1:idle"
[api.local]
BindAddress="127.0.0.1:4242"

[[gateway]]
name="operations"
enable=true
[[gateway.inout]]
account="telegram.main"
channel="${chatOf(telegram)}"
[[gateway.inout]]
account="Discord.Game"
channel="ID:${chatOf(discord)}"
[gateway.inout.options]
WebhookURL="https://discord.com/api/webhooks/1/hook-secret"
[[gateway.in]]
account="slack.hobby"
channel="general"
[[gateway.out]]
account="irc.libera"
channel="#ops"
[gateway.out.options]
key="channel key"

[[gateway]]
name="again"
enable=true
[[gateway.inout]]
account="telegram.main"
channel="${chatOf(telegram)}"

[[gateway]]
name="off"
[[gateway.inout]]
account="telegram.main"
channel="-1"

[[samechannelgateway]]
name="same"
enable=true
accounts=["telegram.main", "nowhere.else"]
channels=["-100200300"]
`;

interface Report {
  readonly connections: readonly { account: string; status: string; reason: string | null }[];
  readonly conversations: readonly {
    gateway: string;
    status: string;
    reason: string | null;
    links: readonly { account: string; status: string; reason: string | null; direction: string }[];
  }[];
  readonly options: readonly { path: string; reason: string }[];
  readonly totals: Readonly<Record<string, number>>;
}

/** Runs the command next to the running service; no output has a secret. */
async function run(text: string, ...args: string[]) {
  const file = join(service.dataDir, 'matterbridge.toml');
  await writeFile(file, text);
  const environment = serviceEnvironment(service.dataDir, service.key, {
    DATABASE_URL: database.url,
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
  });
  const ended = await host.run(
    ['import', 'matterbridge', file, '--disabled', ...args],
    environment as Record<string, string>,
  );
  for (const secret of [...SECRETS, tokenOf(telegram), tokenOf(discord)])
    expect(ended.out + ended.err).not.toContain(secret);
  return ended;
}

async function report(text: string, ...args: string[]): Promise<Report> {
  const { code, out, err } = await run(text, '--json', ...args);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Report;
}

const count = async (table: string) =>
  Number((await values(database.pool, `SELECT count(*)::int FROM ${table}`))[0]);
const rows = async () => Promise.all(['connections', 'conversations', 'links', 'audit_log'].map(count));
const statuses = ({ connections }: Report) =>
  Object.fromEntries(connections.map(({ account, status }) => [account, status]));

beforeAll(async () => {
  host = new CommandHost();
  database = await testDatabase();
  await telegram.start();
  await discord.start();
  service = await startService({ env: { DATABASE_URL: database.url } });
  api = service.client();
  // The connections already exist under the names of the file, because simulators have other addresses than the platforms.
  for (const [name, simulator] of [
    ['main', telegram],
    ['game', discord],
  ] as const)
    await api.must(201, 'POST', `/openapi/platforms/${simulator.platform}/connections`, {
      name,
      ...simulator.account(),
    });
});

afterAll(async () => {
  await service?.stop();
  await telegram.stop();
  await discord.stop();
  await host?.stop();
  await database?.drop();
});

describe('trunkline import matterbridge', () => {
  it('reports with --dry-run what it would create, and changes nothing', async () => {
    const before = await rows();
    const { code, out } = await run(toml(), '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/^Dry run: nothing was changed\.\n/);
    expect(out).toContain('+ gateway operations: conversation "operations"');
    expect(out).toContain('- account irc.libera: No adapter for irc is installed.');
    expect(await rows()).toEqual(before);
  });

  it('creates linked conversations from gateways, and lists everything that it skips', async () => {
    const result = await report(toml());
    expect(statuses(result)).toEqual({
      'telegram.main': 'unchanged',
      'discord.game': 'unchanged',
      'slack.hobby': 'skipped',
      'irc.libera': 'skipped',
      'telegram.idle': 'skipped',
      'api.local': 'skipped',
    });
    const slack = result.connections.find(({ account }) => account === 'slack.hobby')?.reason;
    expect(slack).toContain('--credential slack.hobby.signing_secret=ENV:NAME');
    const [operations, again, off, same] = result.conversations;
    expect(operations?.links.map(({ account, status }) => [account, status])).toEqual([
      ['telegram.main', 'create'],
      ['discord.game', 'create'],
      ['slack.hobby', 'skipped'],
      ['irc.libera', 'skipped'],
    ]);
    expect([again?.status, again?.links[0]?.reason]).toEqual([
      'skipped',
      expect.stringContaining('a chat has one conversation'),
    ]);
    expect(off?.reason).toBe('It is not enabled.');
    expect(same?.links.map(({ status }) => status)).toEqual(['create', 'skipped']);
    expect(
      await values(database.pool, 'SELECT attribution FROM links ORDER BY platform, created_at'),
    ).toEqual(['persona', 'prefix', 'prefix']);
    const paths = result.options.map(({ path }) => path);
    for (const path of [
      'general.RemoteNickFormat',
      'telegram.main.MessageFormat',
      'slack.hobby.IgnoreNicks',
      'irc.libera.NickServPassword',
      'gateway.operations.out.irc.libera/#ops.options.key',
    ])
      expect(paths).toContain(path);
    expect(paths).not.toContain('discord.game.AutoWebhooks');
  });

  it('relays between the chats of an imported gateway', async () => {
    const chatId = chatOf(telegram);
    void telegram.post({ chatId, sender: 'Ada', text: 'across the imported bridge' });
    await expect
      .poll(() => discord.messages(chatOf(discord)).map(({ text }) => text))
      .toContainEqual(expect.stringContaining('across the imported bridge'));
  });

  it('changes nothing the second time', async () => {
    const before = await rows();
    const { totals } = await report(toml());
    expect([totals.create, totals.change]).toEqual([0, 0]);
    expect(await rows()).toEqual(before);
  });

  it('adds an account when its missing credential is given, and its named channel by the given id', async () => {
    const given = [
      ['--credential', 'slack.hobby.signing_secret=ENV:SLACK_SIGNING_SECRET'],
      ['--channel', 'slack.hobby/general=C0123456789'],
    ].flat();
    const result = await report(toml(), ...given);
    expect(statuses(result)['slack.hobby']).toBe('create');
    expect(result.conversations[0]).toMatchObject({ gateway: 'operations', status: 'change' });
    const found = await values<object>(
      database.pool,
      `SELECT json_build_object('chat', external_id, 'direction', direction) FROM links WHERE platform = 'slack'`,
    );
    expect(found).toEqual([{ chat: 'C0123456789', direction: 'inbound' }]);
    const [connection] = await values<{ enabled: boolean; settings: Record<string, unknown> }>(
      database.pool,
      `SELECT to_json(k) FROM connections k WHERE platform = 'slack'`,
    );
    expect(connection).toMatchObject({
      enabled: false,
      settings: { unlinked_chats: 'ignore', ingress: 'webhook' },
    });
    const { totals } = await report(toml(), ...given);
    expect([totals.create, totals.change]).toEqual([0, 0]);
  });

  it('replaces terminal control characters in the names that it shows', async () => {
    const { code, out } = await run('["slack"."a\\u001b[2Jb"]\nToken="x"\n', '--dry-run');
    expect(code).toBe(0);
    expect(out).toContain('slack.a?[2Jb');
    expect(out).not.toContain('\u001b');
  });

  it('refuses a file or an option that it cannot read, with exit code 2', async () => {
    const missing = await run('[[gateway]]\nenable=true\n');
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('"name" must be a text')]);
    const option = await run(toml(), '--credential', 'slack.hobby.signing_secret=plain');
    expect([option.code, option.err]).toEqual([2, expect.stringContaining('ACCOUNT.FIELD=ENV:NAME')]);
    const workspace = await run(toml(), '--workspace', 'Nowhere');
    expect([workspace.code, workspace.err]).toEqual([2, expect.stringContaining('no such workspace')]);
  });
});
