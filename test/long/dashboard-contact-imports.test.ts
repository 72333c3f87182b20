import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { postForm } from '../support/forms.js';
import { addMember, asPerson, type OAuthStage, type Person, startOAuthStage } from '../support/oauth.js';
import { startService } from '../support/service.js';

const MAPPING = { columns: ['display_name', 'email', 'consent.marketing'], match_by: 'email' };

const TRUNKLINE_MASTER_KEY = randomBytes(32).toString('base64');

let stage: OAuthStage;

beforeAll(async () => {
  // Workers are separate processes here, so that they can be killed.
  stage = await startOAuthStage({ env: { TRUNKLINE_ROLES: 'api', TRUNKLINE_MASTER_KEY } });
});
afterAll(() => stage?.stop());

function send(method: string, path: string, body?: Json, person: Person = stage.owner): Promise<ApiAnswer> {
  return stage.anonymous.send(method, `/dashboard/api${path}`, {
    headers: asPerson(person),
    ...(body && { body }),
  });
}
const upload = (content: string | Buffer, person: Person = stage.owner) =>
  postForm(
    stage.anonymous,
    '/dashboard/api/contact-imports',
    { file: { name: 'people.csv', content } },
    asPerson(person) as Record<string, string>,
  );
async function started(csv: string): Promise<string> {
  const { status, body } = await upload(csv);
  expect([status, body.status]).toEqual([201, 'uploaded']);
  expect((await send('POST', `/contact-imports/${body.id}/start`, MAPPING)).body.status).toBe('running');
  return String(body.id);
}
const ended = (id: string, status: string) =>
  eventually(
    async () => (await send('GET', `/contact-imports/${id}`)).body,
    (body) => body.status === status,
  );
const startWorker = () =>
  startService({
    env: { DATABASE_URL: stage.database.url, TRUNKLINE_ROLES: 'worker', TRUNKLINE_MASTER_KEY },
    key: stage.service.key,
  });
async function withWorker<T>(work: () => Promise<T>): Promise<T> {
  const worker = await startWorker();
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

describe('an import of contacts', () => {
  it('is uploaded, previewed, started, listed by rows and undone', async () => {
    const id = await withWorker(async () => {
      const { body } = await upload('Name;Mail;News\nAda;ada@example.com;yes\nBob;wrong;no\n');
      expect(body).toMatchObject({ file_name: 'people.csv', header: ['Name', 'Mail', 'News'], rows: 2 });
      const preview = await send('POST', `/contact-imports/${body.id}/preview`, MAPPING);
      expect(preview.body).toMatchObject({ rows: 2, wrong: 1, problems: [{ line: 3 }] });
      const first = await send('POST', `/contact-imports/${body.id}/start`, MAPPING);
      expect(first.status).toBe(200);
      expect(reasonOf(await send('POST', `/contact-imports/${body.id}/start`, MAPPING))).toBe(
        'invalid_state',
      );
      expect(await ended(String(body.id), 'completed')).toMatchObject({ counts: { created: 1, failed: 1 } });
      return String(body.id);
    });
    const { body: rows } = await send('GET', `/contact-imports/${id}/rows?order=asc`);
    const [made, failed] = rows.data as Json[];
    expect([made, failed]).toMatchObject([
      { result: 'created' },
      { result: 'failed', cells: ['Bob', 'wrong', 'no'] },
    ]);
    const only = await send('GET', `/contact-imports/${id}/rows?filter=result:failed`);
    expect((only.body.data as Json[]).map(({ line }) => line)).toEqual([3]);
    const changes = await send('GET', `/contacts/${made?.user_id}/consent-changes`);
    expect(changes.body.data).toMatchObject([
      { category: 'marketing', state: 'granted', source: 'import', actor_id: stage.owner.userId },
    ]);
    const csv = await send('GET', `/contact-imports/${id}/failed-rows`);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.headers['content-disposition']).toBe('attachment; filename="failed-rows.csv"');
    expect(csv.text).toBe('\uFEFFName,Mail,News,import_problem\r\nBob,wrong,no,email: invalid_format\r\n');
    expect((await send('POST', `/contact-imports/${id}/undo`, {})).body.status).toBe('undoing');
    await withWorker(() => ended(id, 'undone'));
    expect((await send('GET', `/openapi/users/${made?.user_id}`)).status).toBe(404);
    expect((await send('DELETE', `/contact-imports/${id}`)).status).toBe(204);
    expect((await send('GET', `/contact-imports/${id}`)).status).toBe(404);
  });

  it('imports each row once when its worker is killed in the middle', async () => {
    const total = 3_000;
    const lines = Array.from({ length: total }, (_, n) => `Killed ${n},killed${n}@example.com,`);
    const id = await started(`n,e,m\n${lines.join('\n')}\n`);
    const victim = await startWorker();
    const createdSoFar = async () =>
      Number(((await send('GET', `/contact-imports/${id}`)).body.counts as Json).created);
    await eventually(createdSoFar, (created) => created > 0);
    await victim.kill();
    const left = await createdSoFar();
    expect(left).toBeLessThan(total);
    expect(left % 50).toBe(0);
    await withWorker(() => ended(id, 'completed'));
    const { rows } = await stage.database.pool.query(
      `SELECT count(*)::int AS contacts, count(DISTINCT email)::int AS addresses FROM users WHERE display_name LIKE 'Killed %'`,
    );
    expect(rows).toEqual([{ contacts: total, addresses: total }]);
  });

  it('refuses files in other encodings, forms without a file and invalid mappings', async () => {
    expect(fieldsOf(await upload(Buffer.from('n,e,m\nJörg,j@example.com,\n', 'latin1')))).toEqual([
      ['file', 'malformed'],
    ]);
    expect(fieldsOf(await upload('n,e,m\n'))).toEqual([['file', 'required']]);
    const none = await postForm(
      stage.anonymous,
      '/dashboard/api/contact-imports',
      {},
      asPerson(stage.owner) as Record<string, string>,
    );
    expect(fieldsOf(none)).toEqual([['file', 'required']]);
    const { body } = await upload('n,e,m\nAda,a@example.com,\n');
    for (const [mapping, problem] of [
      [{ columns: ['display_name'] }, ['columns', 'invalid_value']],
      [{ columns: ['email', 'email', null] }, ['columns', 'duplicate']],
      [{ columns: ['locale', null, null] }, ['columns', 'required']],
      [{ columns: ['email', 'password', null] }, ['columns.1', 'invalid_value']],
      [{ columns: ['email', null, null], match_by: 'phone' }, ['match_by', 'invalid_value']],
    ] as const)
      expect(fieldsOf(await send('POST', `/contact-imports/${body.id}/start`, mapping as Json))).toEqual([
        problem,
      ]);
  });

  it('is visible to a viewer, who cannot upload or start one', async () => {
    const viewer = await addMember(stage, 'viewer');
    const { body } = await upload('n,e,m\nAda,a@example.com,\n');
    expect((await send('GET', `/contact-imports/${body.id}`, undefined, viewer)).status).toBe(200);
    expect((await upload('n,e,m\nAda,a@example.com,\n', viewer)).status).toBe(403);
    expect((await send('POST', `/contact-imports/${body.id}/start`, MAPPING, viewer)).status).toBe(403);
  });

  it('is refused when 20 uploads are waiting', async () => {
    await stage.database.pool.query(
      `INSERT INTO contact_imports (id, workspace_id, created_by, file_name, header)
       SELECT uuid7(), $1, $2, 'x.csv', '{a}' FROM generate_series(1, 20)`,
      [stage.workspaceId, stage.owner.userId],
    );
    expect(reasonOf(await upload('n,e,m\nAda,a@example.com,\n'))).toBe('limit_reached');
  });
});

describe('the export of contacts', () => {
  it('contains all pages of the filtered contacts, and escapes cells that a spreadsheet would run', async () => {
    const { body } = await send('POST', '/openapi/users', {
      display_name: '=HYPERLINK("http://evil.example")',
      email: 'evil@example.com',
      phone: '+4915112345678',
      metadata: { plan: 'pro' },
    });
    const { text, headers, status } = await send('GET', '/contacts/export?filter=email:evil@example.com');
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const [title, line, ...more] = text.split('\r\n');
    expect(title).toMatch(/^\uFEFFid,display_name,/);
    expect(line).toContain(`${body.id},"'=HYPERLINK(""http://evil.example"")",`);
    expect(line).toContain(',+4915112345678,active,');
    expect(line).toContain('"{""plan"":""pro""}"');
    expect(more).toEqual(['']);
    const killed = await send(
      'GET',
      `/contacts/export?filter=${encodeURIComponent('display_name:~"Killed "')}`,
    );
    const ids = killed.text
      .split('\r\n')
      .slice(1, -1)
      .map((row) => row.split(',')[0]);
    expect([ids.length, new Set(ids).size]).toEqual([3_000, 3_000]);
    expect((await send('GET', '/contacts/export?filter=nothing:x')).status).toBe(400);
    const head = await stage.anonymous.send('HEAD', '/dashboard/api/contacts/export', {
      headers: asPerson(stage.owner),
    });
    expect([head.status, head.text]).toEqual([200, '']);
  });
});
