import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RehearsalReport } from '../../src/app/backup/rehearse.js';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { CommandHost } from '../support/command-line.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';

/** Backups that former builds made (test/fossils/README.md), and their schemas. */
const BACKUPS = [
  ['schema-38.backup', 38],
  ['0.2.0.backup', 39],
] as const;
const TEXT = 'It arrives on Tuesday.';

describe.each(BACKUPS)('An installation of a former build, %s', (name, schema) => {
  const backup = resolve('test/fossils/backups', name);
  let database: TestDatabase;
  let service: Service;
  let api: ApiClient;
  let folder: string;
  const host = new CommandHost();

  const environment = () => ({
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    TRUNKLINE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATA_DIR: folder,
    DATABASE_URL: database.url,
  });
  const run = (...args: string[]) => host.run(args, environment());
  const list = async (path: string) => (await api.must<{ data: Json[] }>(200, 'GET', path)).data;

  beforeAll(async () => {
    database = await testDatabase({ empty: true });
    folder = await mkdtemp(join(tmpdir(), 'trunkline-former-'));
  });
  afterAll(async () => {
    await service?.stop();
    await host.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('passes the rehearsal of the upgrade, and loses no row', async () => {
    const { code, out } = await run('upgrade', '--rehearse', backup, '--json', '--embedded');
    const report = JSON.parse(out) as RehearsalReport;
    expect(report).toMatchObject({ result: 'passed', backup: { schema }, changed: [] });
    expect([code, report.rows]).toEqual([0, report.restored?.rows]);
  });

  it('is restored and upgraded by this version, and its conversations answer', async () => {
    expect(await run('restore', backup)).toMatchObject({ code: 0 });
    service = await startService({ dataDir: folder, env: environment() });
    const made = await service.run(
      'keys',
      'create',
      '--user',
      'owner@example.test',
      '--name',
      'Test',
      '--scopes',
      'all',
    );
    api = service.client(made.trim().split('\n').at(-1));
    expect((await list('/openapi/conversations')).length).toBe(4);
    const messages = await list('/openapi/messages?limit=100');
    const tuesday = messages.find(({ text }) => text === TEXT);
    expect(tuesday).toMatchObject({ status: 'sent', edited_at: expect.any(String) });
    expect(messages.filter(({ text }) => text === 'We are open until 20:00.')).toHaveLength(4);
    const [plan] = messages.flatMap(({ attachments }) => attachments as Json[]);
    expect((await fetch(String(plan?.url))).headers.get('content-type')).toBe('image/png');
    expect(await list('/openapi/users?filter=metadata.plan:gold')).toMatchObject([
      { display_name: 'Grace Hopper', timezone: 'America/New_York' },
    ]);
    expect(await list('/openapi/broadcasts')).toMatchObject([{ name: 'Opening hours', status: 'completed' }]);
    expect(await list('/api/webhooks')).toMatchObject([{ url: 'https://shop.example/hooks/trunkline' }]);
  });

  it('stays paused until it is declared to be the real one, and then works', async () => {
    await service.run('resume');
    const [conversation] = await list('/openapi/conversations');
    const body = { conversation_id: conversation?.number, text: 'Sent after the upgrade', internal: true };
    const { id } = await eventually(
      async () => (await api.send('POST', '/openapi/messages', { body })).body,
      (answer) => answer.id !== undefined,
    );
    expect(await api.must(200, 'GET', `/openapi/messages/${id}`)).toMatchObject({ text: body.text });
    const { out } = await run('doctor', '--json');
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    expect(findings.find(({ check }) => check === 'Migrations')).toMatchObject({ level: 'ok' });
  });
});
