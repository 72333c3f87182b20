import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, readConfig } from '../../src/config.js';

/** Names and defaults of the variables in the sources. */
function variablesOf(source: string): Record<string, string> {
  const file = ts.createSourceFile('environment.ts', source, ts.ScriptTarget.ES2023, true);
  const found: Record<string, string> = {};
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && /^[A-Z][A-Z_]+$/.test(node.name.getText())) {
      const text = node.initializer.getText();
      const value = /\.default\(('([^']*)'|\d[\d_]*)\)/.exec(text);
      found[node.name.getText()] = (value?.[2] ?? value?.[1] ?? 'absent') || 'none';
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The same in the reference: `| `NAME` | `default` | meaning |`. */
function variablesIn(page: string): Record<string, string> {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| `?([^`|]*?)`? \| .+ \|$/gm)];
  return Object.fromEntries(rows.map(([, name, value]) => [name, value]));
}

describe('docs/configuration.md', () => {
  test('lists the variables of src/environment.ts with their defaults', () => {
    const variables = variablesOf(readFileSync('src/environment.ts', 'utf8'));
    expect(Object.keys(variables).length).toBeGreaterThan(10);
    expect(variablesIn(readFileSync('docs/configuration.md', 'utf8'))).toEqual(variables);
  });
});

describe('readConfig', () => {
  test('needs no variables, and treats an empty value as unset', () => {
    const config = readConfig({ PORT: '', DATABASE_URL: '', TRUNKLINE_BOOTSTRAP_EMAIL: '' });
    expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', dataDir: './data', bootstrap: undefined });
    expect(config.databaseUrl).toBeUndefined();
    expect(config.roles).toEqual(['api', 'worker', 'gateway']);
  });

  test.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PUBLIC_URL', 'https://bridge.example/'],
    ['DATABASE_URL', 'mysql://localhost/a'],
    ['REDIS_URL', 'localhost:6379'],
    ['TRUNKLINE_MASTER_KEY', 'c2hvcnQ='],
    ['TRUNKLINE_ROLES', 'api,cook'],
    ['TRUNKLINE_PAUSED', 'yes'],
    ['TRUNKLINE_BOOTSTRAP_EMAIL', `${'a'.repeat(250)}@b.example`],
    ['TRUNKLINE_BOOTSTRAP_PASSWORD', 'short'],
    ['TV_REFRESH_MINUTES', '0'],
    ['OIDC_CLIENT_ID', 'x'.repeat(257)],
    ['LOG_LEVEL', 'loud'],
    ['ALLOW_PRIVATE_TARGETS', '127.0.0.0/8,10.0.0.1'],
    ['ALLOW_PRIVATE_TARGETS', '10.0.0.0/33'],
    ['ALLOW_PRIVATE_TARGETS', '10/8'],
    ['ALLOW_PRIVATE_TARGETS', '010.0.0.0/8'],
    ['STUN_URLS', 'stun:a.example,http://b.example'],
    ['TURN_URLS', 'stun:a.example'],
    ['OIDC_ISSUER', 'http://login.example'],
    ['OIDC_ISSUER', 'login.example'],
    ['OIDC_ISSUER', 'https://login.example/?tenant=a'],
    ['OIDC_SCOPES', 'email profile'],
    ['OIDC_CLIENT_AUTH', 'jwt'],
    ['OIDC_ROLE_MAP', 'support=member'],
    ['OIDC_ROLE_MAP', '{"support":"operator"}'],
    ['METRICS_PORT', '-1'],
    ['METRICS_TOKEN', 'short'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '5%'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['DRAIN_NOTICE_SECONDS', '16'],
    ['RETAIN_MESSAGES_DAYS', '0'],
    ['MARKETING_CAP', '3 a week'],
  ])('names %s when its value is invalid: %s', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(new RegExp(`^${name} must `));
  });

  test('requires DATABASE_URL if a process has only some of the roles', () => {
    expect(() => readConfig({ TRUNKLINE_ROLES: 'api, worker' })).toThrow(/TRUNKLINE_ROLES.*DATABASE_URL/);
    const { roles } = readConfig({ TRUNKLINE_ROLES: 'api,api', DATABASE_URL: 'postgres://db/trunkline' });
    expect(roles).toEqual(['api']);
    expect(readConfig({ TRUNKLINE_ROLES: 'gateway,worker,api' }).roles).toHaveLength(3);
  });

  test('does not repeat a value, which may be a secret', () => {
    const read = () => readConfig({ DATABASE_URL: 'mysql://me:hunter22@localhost/a' });
    expect(read).toThrow(/^(?!.*hunter22)/);
  });

  test('requires TURN servers and their secret together', () => {
    const turn = { TURN_URLS: 'turn:a.example, turns:b.example', TURN_SECRET: 'north' };
    expect(readConfig({ ...turn, STUN_URLS: 'stun:a.example' }).ice).toEqual({
      stunUrls: ['stun:a.example'],
      turnUrls: ['turn:a.example', 'turns:b.example'],
      turnSecret: 'north',
    });
    for (const name of ['TURN_URLS', 'TURN_SECRET'] as const) {
      expect(() => readConfig({ [name]: turn[name] })).toThrow('TURN_URLS and TURN_SECRET');
    }
  });

  test('requires the e-mail address of the owner together with the password', () => {
    expect(() => readConfig({ TRUNKLINE_BOOTSTRAP_PASSWORD: 'long enough' })).toThrow(
      'TRUNKLINE_BOOTSTRAP_EMAIL',
    );
    const owner = { TRUNKLINE_BOOTSTRAP_EMAIL: 'a@b.example', TRUNKLINE_BOOTSTRAP_PASSWORD: 'long enough' };
    expect(readConfig(owner).bootstrap).toEqual({ email: 'a@b.example', password: 'long enough' });
  });

  test('reads the sign-in provider, and requires its variables together', () => {
    const variables = { OIDC_ISSUER: 'https://login.example/realm', OIDC_CLIENT_ID: 'trunkline' };
    expect(readConfig({}).openId).toBeNull();
    expect(readConfig(variables).openId).toEqual({
      issuer: 'https://login.example/realm',
      clientId: 'trunkline',
      clientSecret: undefined,
      clientAuth: 'basic',
      scopes: 'openid email profile',
      roles: undefined,
      label: 'Single sign-on',
    });
    const roles = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLE_MAP: '{"crew":"admin"}' };
    expect(readConfig({ ...variables, ...roles }).openId?.roles).toEqual({
      claim: 'groups',
      byValue: new Map([['crew', 'admin']]),
    });
    expect(() => readConfig({ OIDC_ISSUER: variables.OIDC_ISSUER })).toThrow('OIDC_CLIENT_ID');
    expect(() => readConfig({ OIDC_CLIENT_SECRET: 'hunter22' })).toThrow(/^(?!.*hunter22).*OIDC_ISSUER/);
    expect(() => readConfig({ ...variables, OIDC_ROLE_CLAIM: 'groups' })).toThrow('OIDC_ROLE_MAP');
  });
});
