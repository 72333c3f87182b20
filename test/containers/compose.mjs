import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { freePort, until } from '../../examples/check/processes.mjs';
import { equal, noWarnings, section } from './checks.mjs';
import { Service } from './service.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TRUNKLINE = ['node', 'bin/trunkline.mjs'];
const PUBLIC_URL = 'https://localhost';
const PROXY_ADDRESS = '172.30.83.2';
/** An address for documentation, which a client claims to have. */
const CLAIMED_ADDRESS = '203.0.113.9';
const PROFILES = ['--profile', 'tls', '--profile', 'calls'];
/** A program that SIGTERM ends without a shutdown of its own. */
const BY_SIGTERM = { relay: '143' };
/** The pause between two messages. One page of the list has all messages of a restart. */
const PAUSE_MS = 200;

/** All services of compose.yaml, one profile after another. */
export async function checkCompose(docker, folder) {
  const stage = await prepare(docker, join(folder, 'compose'));
  for (const checks of [basic, proxied, relayed, restarted, separated, ended]) await section(checks(stage));
}

/** A folder with compose.yaml, the files that it names, and an .env like the one in docs/deployment.md. */
async function prepare(docker, cwd) {
  await mkdir(cwd);
  for (const path of ['compose.yaml', 'deploy/compose'])
    await cp(join(ROOT, path), join(cwd, path), { recursive: true });
  const node = async (...words) => (await docker.run('run', '--rm', 'trunkline', 'node', ...words)).trim();
  const random = (form) => node('--print', `crypto.randomBytes(32).toString('${form}')`);
  const env = {
    PORT: String(await freePort()),
    POSTGRES_PASSWORD: await random('hex'),
    TRUNKLINE_MASTER_KEY: await random('base64'),
    TURN_SECRET: await random('hex'),
    TURN_URLS: 'turn:localhost:3478',
    DOMAIN: 'localhost',
    PUBLIC_URL,
    TRUNKLINE_BOOTSTRAP_EMAIL: 'you@example.com',
    TRUNKLINE_BOOTSTRAP_PASSWORD: await random('hex'),
    TRUNKLINE_BOOTSTRAP_API_KEY: await node('bin/trunkline.mjs', 'keys', 'generate', '--test'),
  };
  const key = env.TRUNKLINE_BOOTSTRAP_API_KEY;
  const stage = {
    docker,
    key,
    compose: (...words) => docker.compose(cwd, ...words),
    direct: new Service(`http://localhost:${env.PORT}`, key),
    /** Changes .env. */
    set: async (more) => {
      Object.assign(env, more);
      const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
      await writeFile(join(cwd, '.env'), lines.join(''));
    },
  };
  await stage.set({});
  return stage;
}

/** The container of a service, or one of several. */
const container = async ({ compose }, service) =>
  (await compose('ps', '--quiet', service)).trim().split('\n')[0];

const basic = (stage) => ({
  'compose.yaml starts the service, PostgreSQL and Redis': async () => {
    await stage.compose('up', '--detach', '--no-build');
    await stage.direct.untilReady();
  },
  'Docker finds all three healthy': async () => {
    for (const service of ['postgres', 'redis', 'app'])
      await stage.docker.untilHealthy(await container(stage, service));
  },
  'it delivers a message in the sandbox': () => stage.direct.talk('deliver+1'),
});

const proxied = (stage) => ({
  'the profile "tls" adds a proxy with a certificate': async () => {
    await stage.compose(...PROFILES, 'up', '--detach', '--no-build');
    const authority = '/data/caddy/pki/authorities/local/root.crt';
    const read = () => stage.compose('exec', '-T', 'proxy', 'cat', authority).catch(() => undefined);
    stage.authority = await until('the proxy has a certificate', read);
    stage.service = new Service(PUBLIC_URL, stage.key, stage.authority);
    await stage.service.untilReady();
  },
  'the proxy has its fixed address, and offers no HTTP/3, whose port is closed': async () => {
    const networks = JSON.parse(
      await stage.docker.inspect(await container(stage, 'proxy'), 'json .NetworkSettings.Networks'),
    );
    equal(
      'addresses',
      Object.values(networks).map(({ IPAddress }) => IPAddress),
      [PROXY_ADDRESS],
    );
    equal('alt-svc', (await stage.service.fetch('/readyz')).headers.get('alt-svc'), null);
  },
  'the service sees the address of the client, regardless of the header that the client sends': async () => {
    const headers = { 'x-api-key': 'tl_live_no', 'x-forwarded-for': CLAIMED_ADDRESS };
    equal('status', (await stage.service.fetch('/v1/openapi/users', { headers })).status, 401);
    const refused = (await stage.docker.log(await container(stage, 'app'))).filter(({ refused }) => refused);
    const addresses = refused.map(({ address }) => address);
    equal('refused requests', addresses.length, 1);
    if ([PROXY_ADDRESS, CLAIMED_ADDRESS].includes(addresses[0])) throw new Error(`It saw ${addresses[0]}.`);
  },
  'each event of a stream passes the proxy as it happens': () => events(stage),
  'the WebSocket of calls opens through the proxy': async () => {
    const options = { ca: stage.authority, headers: { 'x-api-key': stage.key } };
    const socket = new WebSocket('wss://localhost/openapi/rtc', ['trunkline.rtc.v1'], options);
    const [frame] = await once(socket, 'message');
    socket.terminate();
    equal('frame', JSON.parse(String(frame)).type, 'ready');
  },
});

async function events({ service }) {
  const stream = await service.fetch('/v1/openapi/events/stream?events=user.created');
  let seen = '';
  const reading = (async () => {
    for await (const chunk of stream.body) seen += Buffer.from(chunk);
  })();
  reading.catch(() => undefined);
  await until('the stream begins', () => seen.includes('retry:'));
  for (const display_name of ['Ada', 'Grace']) {
    const { id } = await service.call('POST', '/users', { display_name });
    await until('the event arrives', () => seen.includes(id));
  }
  await service.close();
}

const relayed = (stage) => {
  /** The output of a client that asks the relay for a way to this machine. */
  const ask = async (change) => {
    const { ice_servers } = await stage.direct.call('GET', '/rtc/ice-servers');
    const { username, credential } = ice_servers[0];
    const who = ['-u', username, '-w', `${credential}${change}`];
    const call = ['turnutils_uclient', '-v', ...who, '-X', '-c', '-n', '1', '-e', '127.0.0.1', '127.0.0.1'];
    const image = ['--network', 'host', '--entrypoint', 'timeout', 'coturn/coturn:4.6', '10'];
    return stage.docker.all('run', '--rm', ...image, ...call);
  };
  return {
    'the relay accepts credentials of the service, and refuses private peers': async () => {
      const output = await ask('');
      if (!/Received relay addr: .*:49[12]\d\d$/m.test(output) || !output.includes('403 (Forbidden IP)'))
        throw new Error(output);
    },
    'the relay refuses other credentials': async () => {
      const output = await ask('A');
      if (!output.includes('Cannot complete Allocation')) throw new Error(output);
    },
  };
};

const restarted = (stage) => ({
  'clients that repeat requests send each message once while the service restarts': async () => {
    const conversation = await stage.service.talk('deliver+2');
    const texts = ['Hello'];
    let isOver = false;
    const restart = stage.compose('restart', '--timeout', '40', 'app').finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const text = `Message ${texts.length}`;
      await stage.service.sendSurely(conversation, text);
      texts.push(text);
      await sleep(PAUSE_MS);
    }
    await restart;
    await stage.service.untilReady();
    equal('texts', (await stage.service.texts(conversation)).sort(), texts.sort());
  },
  'the service continues after PostgreSQL and Redis restart': async () => {
    await stage.compose('restart', 'postgres', 'redis');
    await stage.service.untilReady();
    await stage.service.talk('deliver+3');
  },
});

const separated = (stage) => ({
  'the profile "roles" runs the roles apart': async () => {
    await stage.set({ TRUNKLINE_ROLES: 'api' });
    await stage.compose(
      ...PROFILES,
      '--profile',
      'roles',
      'up',
      '--detach',
      '--no-build',
      '--scale',
      'worker=2',
    );
    await stage.service.untilReady();
    const role = async (service) => (await stage.docker.log(await container(stage, service))).at(-1).role;
    equal(
      'roles',
      [await role('app'), await role('worker'), await role('gateway')],
      ['api', 'worker', 'gateway'],
    );
    equal('workers', (await stage.compose('ps', '--quiet', 'worker')).trim().split('\n').length, 2);
    await stage.service.talk('deliver+4');
  },
  'Docker finds the worker and the gateway healthy': async () => {
    for (const service of ['worker', 'gateway'])
      await stage.docker.untilHealthy(await container(stage, service));
  },
  'a worker that is killed is started again': async () => {
    const name = await container(stage, 'worker');
    // Process 1 is the one of Docker.
    await stage.docker.run('exec', name, 'sh', '-c', 'kill -KILL $(cat /proc/1/task/1/children)');
    const isBack = async () => (await stage.docker.inspect(name, '.RestartCount')) === '1';
    await until('the worker is started again', isBack);
    await stage.service.talk('deliver+5');
    await stage.docker.untilHealthy(name);
  },
  '"trunkline doctor" and "trunkline backup" work in the container': async () => {
    // The container does not reach itself at https://localhost.
    equal('problems', await stage.docker.problems(await container(stage, 'app')), ['PUBLIC_URL']);
    const backup = await stage.compose('exec', '-T', 'app', ...TRUNKLINE, 'backup', '-');
    if (backup.length < 1000) throw new Error(`The backup has ${backup.length} bytes.`);
  },
});

const ended = (stage) => ({
  'SIGTERM ends all containers in time': async () => {
    const names = (await stage.compose(...PROFILES, '--profile', 'roles', 'ps', '--quiet'))
      .trim()
      .split('\n');
    await stage.compose(...PROFILES, '--profile', 'roles', 'stop');
    const codes = [];
    for (const name of names) {
      const [service, code] = [
        await stage.docker.inspect(name, 'index .Config.Labels "com.docker.compose.service"'),
        await stage.docker.inspect(name, '.State.ExitCode'),
      ];
      if (code !== '0' && code !== BY_SIGTERM[service]) codes.push(`${service} ${code}`);
    }
    equal('exit codes', codes, []);
  },
  'the logs of the service have no warning': async () => {
    for (const service of ['app', 'worker', 'gateway'])
      noWarnings(await stage.docker.log(await container(stage, service)));
  },
  'the containers and volumes are removed': () =>
    stage.compose(...PROFILES, '--profile', 'roles', 'down', '--volumes'),
});
