import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.js';

const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: the file, which the tests look into.
const compose = async (): Promise<{ services: Record<string, any>; networks: any }> =>
  parse(await read('compose.yaml'), { merge: true });

describe('compose.yaml', () => {
  it('publishes the service on this machine only, the proxy to all, and neither database nor queue', async () => {
    const { services } = await compose();
    expect(services.app.ports).toEqual([expect.stringMatching(/^\$\{BIND:-127\.0\.0\.1\}:/)]);
    expect(services.proxy.ports).toEqual(['80:80', '443:443']);
    expect([services.postgres.ports, services.redis.ports]).toEqual([undefined, undefined]);
  });

  it('starts the proxy, the relay and processes of one role on request only', async () => {
    const { services } = await compose();
    const profiles = Object.entries(services).map(([name, { profiles }]) => [name, profiles?.[0]]);
    expect(Object.fromEntries(profiles)).toEqual({
      ...{ app: undefined, postgres: undefined, redis: undefined },
      ...{ proxy: 'tls', relay: 'calls', worker: 'roles', gateway: 'roles' },
    });
  });

  it.each(['app', 'worker', 'gateway', 'proxy', 'relay'])(
    'gives %s no capabilities, and a read-only file system',
    async (name) => {
      expect((await compose()).services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    },
  );

  it.each(['worker', 'gateway'])('runs the role %s as the service, without ports', async (role) => {
    const { services } = await compose();
    const { profiles, ports, environment, ...same } = services[role];
    const { ports: published, environment: settings, ...app } = services.app;
    expect([profiles, ports, published.length]).toEqual([['roles'], [], 1]);
    expect(same).toEqual(app);
    expect(environment).toEqual({ ...settings, TRUNKLINE_ROLES: role });
  });

  it('passes only settings that exist, and a service without values of .env reads them as defaults', async () => {
    const { services } = await compose();
    const names = Object.keys(services.app.environment);
    const known = await read('src/environment.ts');
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known.includes(`  ${name}: `))).toEqual([]);
    const given = { POSTGRES_PASSWORD: 'secret' };
    const values = Object.entries<string>(services.app.environment).map(([name, value]) => [
      name,
      value.replaceAll(
        /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
        (_, variable: string, kind, other) =>
          (given as Record<string, string>)[variable] ?? (kind === '-' ? other : ''),
      ),
    ]);
    const config = readConfig(Object.fromEntries(values));
    expect(config).toMatchObject({ port: 8080, roles: ['api', 'worker', 'gateway'] });
    expect(config.databaseUrl).toBe('postgres://trunkline:secret@postgres:5432/trunkline');
    const [, port] = /:(\d+)$/.exec(services.app.ports[0]) ?? [];
    expect(await read('Dockerfile')).toContain(`PORT=${port} `);
  });

  it('publishes the proxy for TCP, and the proxy offers no HTTP/3', async () => {
    const { services } = await compose();
    expect(services.proxy.ports.filter((port: string) => port.endsWith('/udp'))).toEqual([]);
    expect(await read('deploy/compose/Caddyfile')).toMatch(/^\t\tprotocols h1 h2$/m);
  });

  it('starts the service and the relay below a process that passes signals on', async () => {
    const { services } = await compose();
    expect(['app', 'worker', 'gateway', 'relay'].filter((name) => services[name].init !== true)).toEqual([]);
  });

  it('makes the service trust only the address of the proxy', async () => {
    const { services, networks } = await compose();
    const address = services.proxy.networks.proxy.ipv4_address;
    expect(services.app.environment.TRUST_PROXY).toBe(`\${TRUST_PROXY:-${address}/32}`);
    expect(networks.proxy.ipam.config[0].subnet).toBe('172.30.83.0/24');
    expect(address.startsWith('172.30.83.')).toBe(true);
  });

  const hasCaddy = spawnSync('caddy', ['version']).status === 0;
  it.runIf(hasCaddy)('has a configuration that Caddy accepts and that leads to the service', () => {
    const { status, stdout, stderr } = spawnSync(
      'caddy',
      ['adapt', '--adapter', 'caddyfile', '--config', 'deploy/compose/Caddyfile', '--validate'],
      { env: { ...process.env, DOMAIN: 'bridge.example' }, encoding: 'utf8' },
    );
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('"host":["bridge.example"]');
    expect(stdout).toContain('"dial":"app:8080"');
  });

  it('contains no password for the database', async () => {
    const passwords = (await read('compose.yaml')).match(/\$\{POSTGRES_PASSWORD[^}]*\}/g) ?? [];
    expect(passwords.length).toBeGreaterThan(1);
    for (const password of passwords) expect(password).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
    expect(await read('compose.yaml')).not.toMatch(/POSTGRES_(?:PASSWORD|HOST_AUTH_METHOD): (?!\$\{)/);
  });
});

describe('the image', () => {
  it('runs as an unprivileged user, checks its health, and installs no packages in its final stage', async () => {
    const [build = '', final = ''] = (await read('Dockerfile')).split(/^(?=FROM )/m).slice(-2);
    expect(build).toMatch(/^FROM \S+ AS build$/m);
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^HEALTHCHECK [\s\S]*"healthcheck"\]$/m);
    expect(final).not.toMatch(/npm (?:ci|install)/);
  });
});

describe('the context of the image', () => {
  it('contains each file that the Dockerfile copies from it', async () => {
    const copied = [...(await read('Dockerfile')).matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, names = '']) => names.split(' '),
    );
    const allowed: string[] = (await read('.dockerignore')).match(/(?<=^!)[^/\n]+/gm) ?? [];
    expect(copied.length).toBeGreaterThan(8);
    expect(copied.filter((name) => !allowed.includes(name) || !existsSync(name))).toEqual([]);
  });
});

describe('the supported versions of Node', () => {
  it('are 24 in the image and for developers, and 20.19 at least', async () => {
    expect((await read('.nvmrc')).trim()).toBe('24');
    const images = [...(await read('Dockerfile')).matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set(['node:24-bookworm-slim']));
    expect(JSON.parse(await read('package.json')).engines.node).toBe('>=20.19');
  });
});
