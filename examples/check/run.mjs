// Tests the examples from end to end. Each is built against the packed program, packed, installed into an empty folder,
// started by its documented command, and bridged with Telegram's simulator over an independent server.
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort, lastWords, run, start, stopAll, until } from './processes.mjs';
import { emailStage } from './servers/email.mjs';
import { ircStage } from './servers/irc.mjs';
import { xmppStage } from './servers/xmpp.mjs';
import { follow } from './tutorial.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STAGES = { irc: ircStage, xmpp: xmppStage, email: emailStage };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  // A folder in which the program is installed. Skips packing while you write an example.
  options: { app: { type: 'string' } },
});
const NAMES = positionals.length > 0 ? positionals : Object.keys(STAGES);
const NPM = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

let passed = 0;
let failed = 0;

async function check(title, work) {
  const began = Date.now();
  try {
    await work();
    passed += 1;
    console.log(`ok   ${title} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${title}\n${error.stack}\n${lastWords()}`);
  }
}

/** Packs the program as npm would publish it. */
async function pack(folder) {
  const [packed] = JSON.parse(
    await run('npm', ['pack', '--silent', '--json', '--pack-destination', folder], { cwd: ROOT }),
  );
  return packed.filename;
}

/** Builds, tests and packs an example next to the installed program, so that it finds the packed types. */
async function build(name, app) {
  const folder = join(app, 'build', name);
  await rm(folder, { recursive: true, force: true });
  await cp(join(ROOT, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/\/(node_modules|dist)$/.test(path),
  });
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const own = await readdir(join(app, 'node_modules'));
  for (const dependency of Object.keys({ ...dependencies, ...devDependencies })) {
    if (own.includes(dependency)) continue;
    const link = join(folder, 'node_modules', dependency);
    await mkdir(join(link, '..'), { recursive: true });
    await symlink(join(ROOT, 'node_modules', dependency), link);
  }
  const env = { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` };
  for (const script of ['build', 'test']) await run('npm', ['run', '--silent', script], { cwd: folder, env });
  const [packed] = JSON.parse(await run('npm', ['pack', '--silent', '--json'], { cwd: folder }));
  return join(folder, packed.filename);
}

/** Starts the service by its documented command. Resolves with a function that calls its API. */
async function serve(app) {
  const port = await freePort();
  const apiKey = (await run('npx', ['trunkline', 'keys', 'generate'], { cwd: app })).trim();
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    TRUNKLINE_BOOTSTRAP_EMAIL: 'owner@example.test',
    TRUNKLINE_BOOTSTRAP_PASSWORD: 'correct horse battery',
    TRUNKLINE_BOOTSTRAP_API_KEY: apiKey,
  };
  let listening = false;
  start('npx', ['trunkline', 'start'], {
    cwd: app,
    env,
    onLine: (line) => {
      listening ||= line.includes('"listening"');
    },
  });
  await until('the service listens', () => listening, 60_000);
  return async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/openapi${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const result = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(result)}`);
    return result.data ?? result;
  };
}

async function connect(api, platform, body) {
  const { id } = await api('POST', `/platforms/${platform}/connections`, body);
  await until(`${platform} is connected`, async () => {
    const connection = await api('GET', `/platforms/connections/${id}`);
    if (connection.status === 'error') throw new Error(JSON.stringify(connection.health));
    return connection.status === 'connected';
  });
  return id;
}

/** Bridges one conversation and checks that a message in each direction arrives exactly once. */
async function bridge(api, telegram, stage) {
  const chat = telegram.chats().find(({ kind }) => kind === 'group');
  const connectionId = await connect(api, stage.platform, stage.connection);
  const links = [
    { connection_id: telegram.connectionId, external_id: chat.id },
    { connection_id: connectionId, external_id: stage.externalId },
  ];
  const conversation = await api('POST', '/conversations', {
    title: `Telegram and ${stage.platform}`,
    links,
  });
  const there = `Hello ${stage.platform}, from Telegram ${randomBytes(4).toString('hex')}`;
  await telegram.post({ chatId: chat.id, sender: 'Ada', text: there });
  await until(`${stage.platform} receives the message from Telegram`, () => stage.heard(`Ada: ${there}`));
  const back = `Hello Telegram, from ${stage.platform} ${randomBytes(4).toString('hex')}`;
  await stage.say(back);
  const seen = () => telegram.messages(chat.id).filter(({ text }) => text.includes(back));
  await until(`Telegram receives the message from ${stage.platform}`, () => seen().length > 0);
  const [first] = seen();
  if (first.text !== `${stage.sender}: ${back}`)
    throw new Error(`Telegram shows ${JSON.stringify(first.text)}.`);
  const copies = [seen().length, stage.copies(there)];
  if (copies.some((count) => count !== 1)) throw new Error(`Copies: ${copies.join(' and ')}.`);
  await broadcast(api, stage);
  await stage.prove?.({ api, telegram, chat, stage: { ...stage, connectionId } });
  await api('DELETE', `/conversations/${conversation.id}`).catch(() => undefined);
}

/** Checks that a broadcast reaches a recipient exactly once. Only the package describes the platform. */
async function broadcast(api, { platform, address, copies }) {
  const text = `News for ${platform} ${randomBytes(4).toString('hex')}`;
  const recipients = [{ platform, address }];
  const made = { name: 'News', category: 'transactional', text, audience: { recipients } };
  const { id } = await api('POST', '/broadcasts', made);
  const done = await until(`the broadcast over ${platform} is completed`, async () => {
    const now = await api('GET', `/broadcasts/${id}`);
    return now.status === 'completed' && now;
  });
  if (done.counts.sent !== 1) throw new Error(`The broadcast ended with ${JSON.stringify(done.counts)}.`);
  await until(`the broadcast arrives on ${platform}`, () => copies(text) > 0);
  if (copies(text) !== 1) throw new Error(`The broadcast arrived ${copies(text)} times.`);
}

const folder = await mkdtemp(join(tmpdir(), 'trunkline-examples-'));
try {
  const app = values.app ?? join(folder, 'bridge');
  if (values.app === undefined) {
    await check('the program packs', () => pack(folder));
    // The page starts with an empty folder and ends with an adapter that is written, tested, installed and connected.
    await check('docs/writing-an-adapter.md can be followed word for word', () =>
      follow(join(ROOT, 'docs/writing-an-adapter.md'), folder),
    );
  }
  const packages = [];
  for (const name of NAMES) {
    await check(`${name} builds against the packed types and packs`, async () => {
      packages.push(await build(name, app));
    });
  }
  let api;
  let telegram;
  await check('the adapters are installed and loaded by their documented commands', async () => {
    await run('npm', ['install', ...NPM, ...packages], { cwd: app });
    const adapters = NAMES.map((name) => `trunkline-adapter-${name}`);
    await writeFile(join(app, 'trunkline.config.json'), JSON.stringify({ adapters }));
    const simulator = join(app, 'node_modules/trunkline/dist/adapters/telegram/simulator/index.js');
    const { TelegramSimulator } = await import(pathToFileURL(simulator).href);
    telegram = new TelegramSimulator();
    await telegram.start();
    api = await serve(app);
    const ids = (await api('GET', '/protocols')).map(({ id }) => id);
    for (const name of NAMES) if (!ids.includes(name)) throw new Error(`${ids} do not include ${name}.`);
    telegram.connectionId = await connect(api, 'telegram', { name: 'Telegram', ...telegram.account() });
  });
  for (const name of NAMES) {
    await check(
      `a message crosses between Telegram and ${name} in each direction, and a broadcast arrives`,
      async () => {
        const stage = await STAGES[name](folder);
        try {
          await bridge(api, telegram, stage);
        } finally {
          await stage.leave?.();
        }
      },
    );
  }
  await telegram?.stop();
} finally {
  await stopAll();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
console.log(`${passed} passed, ${failed} failed`);
// Clients that remain after a failure would keep the process running.
process.exit(failed > 0 ? 1 : 0);
