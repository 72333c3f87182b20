import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksToRun } from '../support/code-blocks.js';
import { CommandHost } from '../support/command-line.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { values } from '../support/people.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';
import { OWNER_EMAIL, serviceEnvironment } from '../support/service-process.js';

const TOKEN = '424242:a-secret-of-telegram';
const SECRETS = {
  TELEGRAM_TOKEN: TOKEN,
  HOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  NEXT_SECRET: `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
  ACME_PASSWORD: 'a password of Acme',
  ACME_OWNER_PASSWORD: 'another password of Acme',
  ACME_HOOK_SECRET: `whsec_${Buffer.alloc(32, 3).toString('base64')}`,
  ACME_HOOK_TOKEN: 'a-token-of-Acme',
};

let database: TestDatabase;
let service: Service;
let host: CommandHost;
let platform: LoopbackServer & { readonly received: readonly ReceivedRequest[] };

/** Runs the command on a file with this text, with the service running. */
async function apply(text: string, ...args: string[]) {
  const file = join(service.dataDir, 'bridge.yaml');
  await writeFile(file, text);
  const environment = serviceEnvironment(service.dataDir, service.key, {
    DATABASE_URL: database.url,
    ...SECRETS,
  });
  const ended = await host.run(['apply', file, ...args], environment as Record<string, string>);
  for (const secret of Object.values(SECRETS)) expect(ended.out + ended.err).not.toContain(secret);
  return ended;
}

const count = async (table: string, where = 'true') =>
  Number((await values(database.pool, `SELECT count(*)::int FROM ${table} WHERE ${where}`))[0]);

const spec = (more: { token?: string; role?: string; secret?: string; events?: string } = {}) => `version: 1
workspaces:
  - name: Default
    opt_out_keywords: [STOP, HALT]
    members:
      - { email: bob@example.test, role: ${more.role ?? 'viewer'} }
      - { bot: reports, role: member }
    connections:
      - name: Support
        platform: telegram
        credentials: { bot_token: "\${ENV:TELEGRAM_TOKEN}" }
        settings: { api_base_url: ${platform.url.slice(0, -1)} }
    webhooks:
      - url: ${platform.url}hook
        events: [${more.events ?? 'message.created'}]
        secret: \${ENV:${more.secret ?? 'HOOK_SECRET'}}
    keys:
      - { name: Backend, scopes: [platforms:read], user: reports, key_file: backend.key }
      - { name: Shown, scopes: [messages:read] }
  - name: Acme
    owner: { email: ada@acme.test, password: "\${ENV:ACME_PASSWORD}" }
    plan: team
    keys:
      - { name: Backend, scopes: all, rate_limit: 1000, key_file: acme.key }
`;

beforeAll(async () => {
  host = new CommandHost();
  database = await testDatabase();
  platform = await loopbackReceiver((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{"ok":false,"error_code":401,"description":"Unauthorized"}');
  });
  service = await startService({ env: { DATABASE_URL: database.url } });
});

afterAll(async () => {
  await service?.stop();
  await platform?.close();
  await host?.stop();
  await database?.drop();
});

describe('trunkline apply', () => {
  it('shows the difference with --plan, and changes nothing', async () => {
    const { code, out } = await apply(spec(), '--plan');
    expect(code).toBe(0);
    expect(out).toContain('+ connection telegram "Support"');
    expect(out).toContain('credentials.bot_token: (secret)');
    expect(out).toContain('8 to create, 1 to change, 0 to remove.');
    expect(await count('connections')).toBe(0);
    expect(await count('workspaces', "name = 'Acme'")).toBe(0);
  });

  it('changes nothing without a terminal, --plan or --yes', async () => {
    const { code, err } = await apply(spec());
    expect([code, err]).toEqual([2, expect.stringContaining('Use --plan or --yes.')]);
    expect(await count('connections')).toBe(0);
  });

  it('creates missing objects, and the running service uses them', async () => {
    const { code, out, err } = await apply(spec(), '--yes');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^invitation of bob@example\.test: http.*\/dashboard\/invitations\/tl_in_\w+$/m);
    expect(out).toMatch(/^key Shown: tl_live_\w+$/m);
    expect(out).toContain('9 changes were made.');
    await expect.poll(() => platform.received.some(({ path }) => path.includes(TOKEN))).toBe(true);
    const path = join(service.dataDir, 'backend.key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const answer = await fetch(`${service.url}/v1/openapi/platforms/telegram`, {
      headers: { 'x-api-key': (await readFile(path, 'utf8')).trim() },
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('"Support"');
    const actions = await values<string>(database.pool, 'SELECT action FROM audit_log');
    for (const action of ['member.invited', 'connection.created', 'webhook.created', 'api_key.created'])
      expect(actions).toContain(action);
    expect(await count('events', "type = 'user.created' AND data->>'username' = 'reports'")).toBe(1);
    expect(await values(database.pool, "SELECT plan FROM workspaces WHERE name = 'Acme'")).toEqual(['team']);
  });

  it('changes nothing in a second run, and reports that', async () => {
    const before = await count('audit_log');
    const { code, out } = await apply(spec(), '--yes');
    expect([code, out]).toEqual([0, 'Nothing to change: the database has what the file names.\n']);
    expect(await count('audit_log')).toBe(before);
  });

  it('updates fields that differ, and leaves fields that the file does not name', async () => {
    await database.pool.query("UPDATE webhooks SET description = 'By hand'");
    const { out } = await apply(
      spec({ role: 'admin', secret: 'NEXT_SECRET', events: 'message.created, message.sent' }),
      '--yes',
    );
    expect(out).toContain('~ member bob@example.test\n      role: "viewer" → "admin"');
    expect(out).toContain('events: ["message.created"] → ["message.created","message.sent"]');
    expect(out).toContain('secret: (secret)');
    expect(out).toContain('0 to create, 2 to change, 0 to remove.');
    expect(await values(database.pool, 'SELECT description FROM webhooks')).toEqual(['By hand']);
    expect(await count('webhooks', 'previous_secret IS NOT NULL')).toBe(1);
    expect(await count('audit_log', "action = 'member.role_changed'")).toBe(1);
  });

  it('refuses an invalid file with its name, line and field, and creates nothing from it', async () => {
    const text = spec()
      .replace('name: Shown', 'name: Other')
      .replace('platform: telegram', 'platform: telegrm');
    const { code, err } = await apply(text, '--yes');
    expect(code).toBe(2);
    expect(err).toMatch(
      /bridge\.yaml:10: workspaces\.0\.connections\.0\.platform: this platform is not installed/,
    );
    const unset = await apply(spec().replace('ENV:HOOK_SECRET', 'ENV:NOT_SET'), '--yes');
    expect(unset.err).toMatch(/bridge\.yaml:16: .*The environment variable NOT_SET is not set\./);
    const literal = await apply(spec().replace('"${ENV:TELEGRAM_TOKEN}"', '"111:literal"'), '--yes');
    expect(literal.err).toMatch(/bridge\.yaml:11: .*bot_token: must be a reference/);
    expect(literal.err).not.toContain('111:literal');
    const scopes = await apply(spec().replace('[messages:read]', '[tv:read]'), '--yes');
    expect(scopes.err).toMatch(/bridge\.yaml:19: workspaces\.0\.keys\.1\.scopes: the key has another value/);
    expect(await count('api_keys', "name = 'Other'")).toBe(0);
  });

  it('refuses to suspend a person who has not accepted the invitation, whether invited before or by this file', async () => {
    const before = await count('audit_log');
    const invited = spec().replace('role: viewer }', 'role: viewer, status: suspended }');
    const fresh = invited.replace('bob@example.test', 'eve@example.test');
    for (const text of [invited, fresh]) {
      const { code, err } = await apply(text, '--yes');
      expect(code).toBe(2);
      expect(err).toMatch(
        /bridge\.yaml:6: workspaces\.0\.members\.0\.status: must be active or absent for a person/,
      );
    }
    expect(await count('audit_log')).toBe(before);
    expect(await count('users', "email = 'eve@example.test'")).toBe(0);
  });

  it('suspends a person who has accepted the invitation', async () => {
    const status = () => values(database.pool, "SELECT status FROM users WHERE email = 'bob@example.test'");
    await database.pool.query("UPDATE users SET status = 'active' WHERE email = 'bob@example.test'");
    const text = (to: string) => `version: 1
workspaces:
  - name: Default
    members: [{ email: bob@example.test, role: admin, status: ${to} }]
`;
    expect((await apply(text('suspended'), '--yes')).out).toContain('status: "active" → "suspended"');
    expect(await status()).toEqual(['suspended']);
    await apply(text('active'), '--yes');
    expect(await status()).toEqual(['active']);
  });

  it('reports the number of applied changes when a change fails, and the next run applies the rest', async () => {
    const text = `version: 1
workspaces:
  - name: Default
    members: [{ bot: helper, role: viewer }]
    keys: [{ name: Late, scopes: [messages:read], user: carol@example.test }]
`;
    const failed = await apply(text, '--yes');
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('There is no member carol@example.test. 1 of 2 changes were made.');
    const { out } = await apply(text.replace('carol@example.test', 'helper'), '--yes');
    expect(out).toContain('1 to create, 0 to change, 0 to remove.');
  });

  it('gives a key a grant, changes it and removes it', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const made = await service
          .client()
          .must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
        return String(made.id);
      }),
    );
    const text = (grant: string) => `version: 1
workspaces:
  - name: Default
    keys: [{ name: Agent, scopes: [messages:read], conversation_ids: ${grant}, key_file: agent.key }]
`;
    const granted = () =>
      values(database.pool, "SELECT conversation_ids::text[] FROM api_keys WHERE name = 'Agent'");
    expect((await apply(text(`[${ids[0]}]`), '--yes')).out).toContain('+ key Agent');
    expect(await granted()).toEqual([[ids[0]]]);
    const both = text(`[${ids[1]}, ${ids[0]}]`);
    expect((await apply(both, '--yes')).out).toContain('~ key Agent');
    expect(await granted()).toEqual([[...ids].sort()]);
    expect((await apply(both, '--yes')).out).toContain('Nothing to change');
    const unknown = await apply(text('[0197f3a0-0000-7000-8000-000000000000]'), '--yes');
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining('A conversation of the grant does not exist'),
    ]);
    expect((await apply(text('null'), '--yes')).out).toContain('1 to change');
    expect(await granted()).toEqual([null]);
  });

  it('removes with --prune only objects of the named kinds, and only if the file has a list of that kind', async () => {
    const text = `version: 1
workspaces:
  - name: Default
    members: [{ bot: reports, role: member }]
    keys: [{ name: Backend, scopes: [platforms:read] }]
`;
    const { out } = await apply(text, '--yes', '--prune', 'keys, webhooks');
    expect(out).toContain('- key Shown');
    expect(out).not.toMatch(/- (?:webhook|member|bot|connection)/);
    expect(await count('webhooks', 'deleted_at IS NULL')).toBe(1);
    const members = await apply(text, '--plan', '--prune', 'members');
    expect(members.out).toMatch(/- member bob@example\.test[\s\S]*- bot helper/);
    expect(members.out).not.toContain(OWNER_EMAIL);
    expect((await apply(text, '--plan', '--prune', 'workspaces')).code).toBe(2);
  });

  it('applies the file of docs/apply.md once, and reports a secret in it as the page does', async () => {
    const [page = ''] = blocksToRun('docs/apply.md', 'yaml');
    const file = page
      .replace('name: Acme', 'name: Documented')
      .replace('unlinked_chats: create', `$&, api_base_url: ${platform.url.slice(0, -1)}`);
    await mkdir(join(service.dataDir, 'secrets'));
    await writeFile(join(service.dataDir, 'secrets', 'telegram'), TOKEN);
    expect(await apply(file, '--plan')).toMatchObject({ err: '' });
    expect((await apply(file, '--plan')).out).toContain('6 to create, 0 to change, 0 to remove.');
    const { code, out } = await apply(file, '--yes');
    expect(code).toBe(0);
    for (const made of ['connection telegram "Support bot"', 'webhook https://acme', 'key Backend', 'bob@'])
      expect(out).toContain(made);
    expect((await apply(file, '--yes')).out).toContain('Nothing to change');
    const literal = await apply(file.replace('${FILE:secrets/telegram}', 'in-clear'), '--plan');
    const [message = ''] = blocksToRun('docs/apply.md', 'text');
    expect([literal.code, literal.err]).toEqual([
      2,
      expect.stringContaining(message.replace(/^.*bridge/, 'bridge').trim()),
    ]);
  });
});
