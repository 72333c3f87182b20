import { fileURLToPath } from 'node:url';
import { freePort, run } from '../../examples/check/processes.mjs';
import { equal, noWarnings, section } from './checks.mjs';
import { Service } from './service.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TRUNKLINE = ['node', 'bin/trunkline.mjs'];
const LOCKED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const NAME = 'service';
const VOLUME = ['--volume', 'trunkline:/data'];

export async function checkBuild(docker) {
  const commit = (await run('git', ['rev-parse', 'HEAD'], { cwd: ROOT })).trim();
  await section({
    'the image is built': () =>
      docker.run('build', '--build-arg', `COMMIT=${commit}`, '--tag', 'trunkline', ROOT),
    'the image has a health check, and no user or volume but "node" and /data': async () => {
      const { Config } = JSON.parse(await docker.inspect('trunkline', 'json .'));
      equal('user', Config.User, 'node');
      equal('volumes', Object.keys(Config.Volumes), ['/data']);
      equal('health check', Config.Healthcheck.Test, ['CMD', ...TRUNKLINE, 'healthcheck']);
      if (!Config.Env.includes(`TRUNKLINE_COMMIT=${commit}`)) throw new Error('The commit is absent.');
    },
    'its user cannot write the program': async () => {
      const writable = await docker.run('run', '--rm', 'trunkline', 'find', '/app', '/data', '-writable');
      equal('writable', writable.trim().split('\n'), ['/data']);
    },
  });
}

/** The service with its embedded database, as `docker run` starts it. */
export async function checkService(docker) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const key = (
    await docker.run('run', '--rm', 'trunkline', ...TRUNKLINE, 'keys', 'generate', '--test')
  ).trim();
  const settings = {
    PUBLIC_URL: url,
    TRUNKLINE_BOOTSTRAP_EMAIL: 'you@example.com',
    TRUNKLINE_BOOTSTRAP_PASSWORD: 'a long one',
    TRUNKLINE_BOOTSTRAP_API_KEY: key,
  };
  const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const service = new Service(url, key);
  const exec = (...words) => docker.run('exec', NAME, ...words);
  const exitCode = () => docker.inspect(NAME, '.State.ExitCode');
  let conversation;
  const start = {
    'the service starts without capabilities on a read-only file system': async () => {
      await docker.run(
        'run',
        '--detach',
        '--name',
        NAME,
        '--publish',
        `127.0.0.1:${port}:8080`,
        ...VOLUME,
        ...LOCKED,
        ...env,
        'trunkline',
      );
      await service.untilReady();
    },
    'it runs as the user "node"': async () => {
      equal('user', (await exec('id', '-u')).trim(), '1000');
    },
    'it delivers a message in the sandbox': async () => {
      conversation = await service.talk('deliver+1');
    },
    '"trunkline docs" prints a page': async () => {
      if (!/^# Deployment$/m.test(await exec(...TRUNKLINE, 'docs', 'deployment')))
        throw new Error('The page is absent.');
    },
    '"trunkline doctor" finds no problem': async () => {
      // The container does not reach the published port at its own address.
      equal('problems', await docker.problems(NAME), ['PUBLIC_URL']);
    },
    'a second container on the volume is refused': async () => {
      if (await docker.succeeds('run', '--rm', ...VOLUME, 'trunkline', ...TRUNKLINE, 'backup', '-'))
        throw new Error('It was accepted.');
    },
    'Docker finds it healthy': () => docker.untilHealthy(NAME),
    'a backup is restored on another volume, without the other container': () => restore(docker),
    'SIGTERM drains it, with exit code 0': async () => {
      await docker.run('stop', '--time', '40', NAME);
      equal('exit code', await exitCode(), '0');
      if (!(await docker.log(NAME)).some(({ msg }) => msg === 'service.draining'))
        throw new Error('No drain.');
    },
    'a new container on the volume has the message': async () => {
      await docker.run('start', NAME);
      await service.untilReady();
      equal('texts', await service.texts(conversation), ['Hello']);
    },
    'it starts after a kill': async () => {
      await docker.run('kill', NAME);
      await docker.run('start', NAME);
      await service.untilReady();
      equal('texts', await service.texts(conversation), ['Hello']);
    },
    'its log has no warning': async () => noWarnings(await docker.log(NAME)),
  };
  await section(start);
  await docker.run('rm', '--force', NAME);
}

async function restore(docker) {
  const backup = await docker.pipe('', 'exec', NAME, ...TRUNKLINE, 'backup', '-');
  const key = (await docker.run('exec', NAME, 'cat', '/data/master.key')).trim();
  await docker.pipe(
    backup,
    ...[
      'run',
      '--rm',
      '--interactive',
      '--volume',
      'restored:/data',
      ...LOCKED,
      '--env',
      `TRUNKLINE_MASTER_KEY=${key}`,
    ],
    ...['trunkline', ...TRUNKLINE, 'restore', '-'],
  );
}
