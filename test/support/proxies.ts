import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'selfsigned';
import { freePort } from './free-port.js';

/** A real reverse proxy with the example of `deploy/` as its configuration, and with the test's ports and certificate. */
export interface RunningProxy {
  readonly url: string;
  readonly certificate: string;
  stop(): Promise<void>;
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  readonly behind: number;
}

/** False, with a warning, if the program is not installed. */
export function hasProxy(program: 'nginx' | 'caddy'): boolean {
  if (spawnSync(program, [program === 'nginx' ? '-v' : 'version']).status === 0) return true;
  console.warn(`SKIPPED: the example of deploy/ for ${program} needs ${program} in the PATH.`);
  return false;
}

/** Starts the proxy on `port` in front of the service on `behind`. */
export async function startProxy(
  program: 'nginx' | 'caddy',
  port: number,
  behind: number,
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), `trunkline-${program}-`));
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  const place = { folder, port, plainPort: await freePort(), behind };
  const child = program === 'nginx' ? await nginx(place) : await caddy(place);
  const exited = once(child, 'exit');
  const url = `https://localhost:${port}`;
  await untilItListens(url, cert, child);
  return {
    url,
    certificate: cert,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function nginx({ folder, port, plainPort, behind }: Place): Promise<ChildProcess> {
  const site = changed(await readFile('deploy/nginx/trunkline.conf', 'utf8'), [
    [/^ +listen \[::\].*\n/gm, ''],
    [/listen 80;/, `listen 127.0.0.1:${plainPort};`],
    [/listen 443 ssl/, `listen 127.0.0.1:${port} ssl`],
    [/bridge\.example;/g, 'localhost;'],
    [/\/etc\/letsencrypt\S+fullchain\.pem/, join(folder, 'cert.pem')],
    [/\/etc\/letsencrypt\S+privkey\.pem/, join(folder, 'key.pem')],
    [/127\.0\.0\.1:8080/, `127.0.0.1:${behind}`],
  ]);
  await writeFile(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const main = [
    process.getuid?.() === 0 ? 'user root;' : '',
    'daemon off; worker_processes 1;',
    `pid ${join(folder, 'nginx.pid')}; error_log stderr error;`,
    'events { worker_connections 256; }',
    `http { access_log off; ${temporary.join(' ')} include ${join(folder, 'site.conf')}; }`,
  ];
  await writeFile(join(folder, 'main.conf'), main.join('\n'));
  return spawn('nginx', ['-p', folder, '-c', join(folder, 'main.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function caddy({ folder, port, plainPort, behind }: Place): Promise<ChildProcess> {
  const site = changed(await readFile('deploy/caddy/Caddyfile', 'utf8'), [
    [
      /^bridge\.example \{/m,
      `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${join(folder, 'cert.pem')} ${join(folder, 'key.pem')}`,
    ],
    [/127\.0\.0\.1:8080/, `127.0.0.1:${behind}`],
  ]);
  const general = `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n\tauto_https off\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n`;
  const config = join(folder, 'Caddyfile');
  await writeFile(config, general + site);
  const home = join(folder, 'home');
  await mkdir(home);
  const env = { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  return spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
}

/** Throws if a replacement does not apply, because the test would then not cover the example. */
function changed(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((before, [pattern, value]) => {
    const after = before.replace(pattern, value);
    if (after === before) throw new Error(`The example no longer contains ${pattern}.`);
    return after;
  }, text);
}

async function untilItListens(url: string, ca: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The proxy ended with ${child.exitCode}.`);
    const asked = request(url, { ca, family: 4, agent: false });
    asked.end();
    const status = await once(asked, 'response').then(
      ([answer]) => {
        answer.resume();
        return Number(answer.statusCode);
      },
      () => 0,
    );
    if (status > 0) return;
    await sleep(50);
  }
}
