import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iceServers } from '../../src/core/calls/ice-servers.js';
import { freePort } from '../support/free-port.js';
import { waitUntil } from '../support/wait-for.js';

const SECRET = 'a secret of forty characters and a half.';
const hasRelay = spawnSync('turnserver', ['--help']).error === undefined;

describe.runIf(hasRelay)('the relay of compose.yaml', () => {
  let relay: ChildProcess;
  let folder: string;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    folder = await mkdtemp(join(tmpdir(), 'trunkline-relay-'));
    const listen = ['--listening-ip=127.0.0.1', `--listening-port=${port}`];
    relay = spawn('sh', ['deploy/compose/turnserver.sh', ...listen], {
      env: { PATH: process.env.PATH, TMPDIR: folder, TURN_SECRET: SECRET },
      stdio: 'ignore',
    });
    const answer = () =>
      spawnSync('turnutils_stunclient', ['-p', String(port), '127.0.0.1'], { timeout: 5_000 });
    await waitUntil(() => String(answer().stdout).includes('reflexive addr: 127.0.0.1'));
  });

  afterAll(async () => {
    const exited = once(relay, 'exit');
    relay.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  });

  /** The output of a client that allocates an address with the credentials of a service and sends to this machine through it. */
  function relayed(turnSecret: string): string {
    const turn = { stunUrls: [], turnUrls: [`turn:127.0.0.1:${port}`], turnSecret };
    const [server] = iceServers(turn, 'ann', Date.now()).ice_servers;
    const who = ['-u', String(server?.username), '-w', String(server?.credential)];
    const call = ['-X', '-c', '-n', '1', '-p', String(port), '-e', '127.0.0.1', '127.0.0.1'];
    const { stdout, stderr } = spawnSync('turnutils_uclient', [...who, ...call], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    return `${stdout}${stderr}`;
  }

  it('accepts credentials that the service issues, and refuses private peers', () => {
    expect(relayed(SECRET)).toContain('error 403 (Forbidden IP)');
  });

  it('refuses credentials that were made with another secret', () => {
    expect(relayed('another secret')).toContain('Cannot complete Allocation');
  });

  it('does not start without a secret', () => {
    const env = { PATH: process.env.PATH, TURN_SECRET: '' };
    const { status, stdout } = spawnSync('sh', ['deploy/compose/turnserver.sh'], { env, encoding: 'utf8' });
    expect(stdout).toContain('Set TURN_SECRET in .env');
    expect(status).toBe(1);
  });
});
