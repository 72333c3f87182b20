import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run, start, until } from '../../examples/check/processes.mjs';

/** Debian's programs come first, because another installation of Docker can have a different version. */
const PATH = `/usr/bin:/usr/sbin:${process.env.PATH}`;

/**
 * Starts a Docker daemon of this test alone. Its images, containers, volumes and networks are in `folder`. It uses the bridge
 * "docker0", so no other daemon may run.
 */
export async function startDocker(folder) {
  if (await exists('/sys/class/net/docker0'))
    throw new Error(
      'The network interface docker0 exists. Stop the other Docker daemon: "ip link delete docker0".',
    );
  await mkdir(folder, { recursive: true });
  const socket = `unix://${join(folder, 'docker.sock')}`;
  const env = {
    ...process.env,
    PATH,
    DOCKER_HOST: socket,
    DOCKER_BUILDKIT: '1',
    COMPOSE_DOCKER_CLI_BUILD: '1',
  };
  start(
    'dockerd',
    [
      ...['--host', socket, '--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
      ...['--pidfile', join(folder, 'pid'), '--oom-score-adjust', '0'],
    ],
    { env },
  );
  const docker = new Docker(env);
  await until('the Docker daemon answers', () => docker.succeeds('version'), 60_000);
  return docker;
}

/** The commands of Docker, on the daemon of the test. */
class Docker {
  #env;

  constructor(env) {
    this.#env = env;
  }

  /** Runs `docker` with these arguments. Resolves with its standard output, and rejects if it fails. */
  run(...args) {
    return run('docker', args, { env: this.#env });
  }

  succeeds(...args) {
    return this.run(...args).then(
      () => true,
      () => false,
    );
  }

  /** The standard output and error of a command that may fail. */
  all(...args) {
    return run('sh', ['-c', 'docker "$@" 2>&1 || true', 'sh', ...args], { env: this.#env });
  }

  /** Runs docker-compose in a folder. */
  compose(cwd, ...args) {
    return run('docker-compose', ['--no-ansi', ...args], { cwd, env: this.#env });
  }

  /** Runs `docker` with this standard input. Resolves with its standard output as a buffer. */
  async pipe(input, ...args) {
    const child = spawn('docker', args, { env: this.#env, stdio: ['pipe', 'pipe', 'pipe'] });
    const exited = once(child, 'close');
    const errors = child.stderr.toArray();
    child.stdin.on('error', () => undefined).end(input);
    const output = Buffer.concat(await child.stdout.toArray());
    const [code] = await exited;
    if (code === 0) return output;
    throw new Error(`docker ${args.join(' ')} ended with ${code}:\n${Buffer.concat(await errors)}`);
  }

  async inspect(name, format) {
    return (await this.run('inspect', '--format', `{{${format}}}`, name)).trim();
  }

  /** The checks of `trunkline doctor` in a container that have problems. */
  async problems(name) {
    const output = await this.all('exec', name, 'node', 'bin/trunkline.mjs', 'doctor', '--json');
    const { findings } = JSON.parse(output);
    return findings.filter(({ level }) => level === 'problem').map(({ check }) => check);
  }

  /** Waits for the health check of a container. */
  untilHealthy(name) {
    const isHealthy = async () => (await this.inspect(name, '.State.Health.Status')) === 'healthy';
    return until(`${name} is healthy`, isHealthy, 120_000);
  }

  /** The log of a container: JSON lines of the service, without the other lines. */
  async log(name) {
    return (await this.all('logs', name))
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  }
}

const exists = (path) =>
  access(path).then(
    () => true,
    () => false,
  );
