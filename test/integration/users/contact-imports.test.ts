import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smsDefinition } from '../../../adapters/sms/definition.js';
import type { AdapterDefinition } from '../../../src/contract/index.js';
import type { Caller } from '../../../src/core/access/caller.js';
import type { ContactImportRecord, ImportMapping } from '../../../src/core/contact-imports/record.js';
import { RunContactImports } from '../../../src/core/contact-imports/run.js';
import { ManageContactImports } from '../../../src/core/contact-imports/use-cases.js';
import { Addresses } from '../../../src/core/platforms/addresses.js';
import { Platforms } from '../../../src/core/platforms/catalogue.js';
import { PostgresContactImports } from '../../../src/store/people/contact-imports.js';
import { PostgresUsers } from '../../../src/store/people/users.js';
import { silentLog } from '../../support/log.js';
import { makeWorld, values, type World } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const addresses = new Addresses(new Platforms([smsDefinition] as AdapterDefinition[]));
const going = new AbortController().signal;
const BY_EMAIL: ImportMapping = {
  columns: ['display_name', 'email'],
  match_by: 'email',
  existing: 'update',
};

let database: TestDatabase;
let world: World;
let store: PostgresContactImports;
let users: PostgresUsers;
let imports: ManageContactImports;
let caller: Caller;

beforeAll(async () => {
  database = await testDatabase();
  world = await makeWorld(database.pool);
  store = new PostgresContactImports(database.pool);
  users = new PostgresUsers(database.pool);
  imports = new ManageContactImports(store, addresses);
  caller = { workspaceId: world.workspaceId, userId: world.memberId } as Caller;
});
afterAll(() => database.drop());

async function upload(csv: string | Buffer): Promise<ContactImportRecord> {
  const open = async function* () {
    yield Buffer.from(csv);
  };
  return imports.upload(caller, { name: 'people.csv', open }, uuidv7());
}
const started = async (csv: string, mapping: ImportMapping) => {
  const { id } = await upload(csv);
  await imports.start(caller, id, mapping);
  return id;
};
const run = (id: string, signal = going) =>
  new RunContactImports(store, addresses, silentLog).run(id, signal);
async function imported(csv: string, mapping: ImportMapping): Promise<string> {
  const id = await started(csv, mapping);
  await run(id);
  return id;
}
async function undone(id: string): Promise<ContactImportRecord> {
  await imports.undo(caller, id);
  await run(id);
  return imports.get(caller, id);
}
async function rowsOf(id: string) {
  const query = {
    filter: [],
    sort: 'line',
    order: 'asc',
    limit: 100,
    at: { mode: 'first' },
    count: false,
  } as const;
  return (await imports.rows(caller, id, query)).items;
}
const contactsNamed = (name: string) =>
  values<string>(database.pool, 'SELECT id FROM users WHERE display_name = $1 AND deleted_at IS NULL', [
    name,
  ]);
const consentChanges = (id: unknown) =>
  values<string>(
    database.pool,
    `SELECT concat_ws(' ', category, state, source, actor_id) FROM consent_changes WHERE user_id = $1 ORDER BY 1`,
    [id],
  );

describe('an import of contacts', () => {
  it('creates, updates, keeps and refuses contacts row by row, and records each result', async () => {
    const first = await imported('name,mail\nAda,ada@example.com\nGrace,grace@example.com\n', BY_EMAIL);
    expect((await imports.get(caller, first)).counts).toMatchObject({ created: 2, failed: 0 });
    const id = await imported(
      'name,mail\nAda,ada@example.com\nGrace Hopper,grace@example.com\nAlan,alan@example.com\nWrong,no mail\nMore,m@example.com,cell\n',
      BY_EMAIL,
    );
    const rows = await rowsOf(id);
    expect(rows.map(({ line, result, problems }) => [line, result, problems])).toEqual([
      [2, 'unchanged', []],
      [3, 'updated', []],
      [4, 'created', []],
      [5, 'failed', [{ field: 'email', code: 'invalid_format' }]],
      [6, 'failed', [{ code: 'cell_count' }]],
    ]);
    expect(await imports.get(caller, id)).toMatchObject({
      status: 'completed',
      counts: { created: 1, updated: 1, unchanged: 1, failed: 2 },
    });
    expect((await users.find(world.workspaceId, rows[1]?.user_id ?? ''))?.display_name).toBe('Grace Hopper');
  });

  it('writes consent with its history, and never turns a denial into a grant', async () => {
    const mapping: ImportMapping = {
      columns: ['display_name', 'email', 'consent.marketing', 'consent.notification'],
      match_by: 'email',
      existing: 'update',
    };
    const id = await imported(
      'n,e,m,t\nYes,yes@example.com,yes,no\nWhat,what@example.com,perhaps,\n',
      mapping,
    );
    const [made, wrong] = await rowsOf(id);
    const by = world.memberId;
    expect(await consentChanges(made?.user_id)).toEqual([
      `marketing granted import ${by}`,
      `notification denied import ${by}`,
    ]);
    expect(wrong?.problems).toEqual([{ field: 'consent.marketing', code: 'not_consent' }]);
    const again = await imported('n,e,m,t\nYes,yes@example.com,no,granted\n', mapping);
    const [kept] = await rowsOf(again);
    expect(kept).toMatchObject({
      result: 'updated',
      problems: [{ field: 'consent.notification', code: 'consent_kept' }],
    });
    expect((await users.find(world.workspaceId, made?.user_id ?? ''))?.consent).toMatchObject({
      marketing: 'denied',
      notification: 'denied',
    });
  });

  it('adds addresses and metadata to a contact, and fails where another contact has the address', async () => {
    const mapping: ImportMapping = {
      columns: ['email', 'address.sms', 'metadata.customer'],
      match_by: 'email',
      existing: 'update',
    };
    const csv =
      'e,s,c\nk@example.com,+49 151 7000001,17\nl@example.com,+49 151 7000001,18\nm@example.com,12,\n';
    const [made, taken, wrong] = await rowsOf(await imported(csv, mapping));
    expect(made?.result).toBe('created');
    expect(taken?.problems).toEqual([{ code: 'already_exists', user_id: made?.user_id }]);
    expect(wrong?.problems).toEqual([{ field: 'address.sms', code: 'invalid_format' }]);
    await users.change(world.workspaceId, made?.user_id ?? '', { metadata: { kept: 'yes', customer: '1' } });
    await imported('e,s,c\nk@example.com,+491517000002,19\n', mapping);
    const contact = await users.find(world.workspaceId, made?.user_id ?? '');
    expect(contact).toMatchObject({
      display_name: 'k@example.com',
      metadata: { kept: 'yes', customer: '19' },
    });
    expect(contact?.identities.map(({ external_id: address }) => address)).toEqual([
      '+491517000001',
      '+491517000002',
    ]);
  });

  it('fails a row that matches several contacts, and skips existing contacts on request', async () => {
    for (const _ of [1, 2]) await imported('n,e\nTwin,twin@example.com\n', { ...BY_EMAIL, match_by: null });
    const [row] = await rowsOf(await imported('n,e\nOther,twin@example.com\n', BY_EMAIL));
    expect(row).toMatchObject({ result: 'failed', problems: [{ code: 'several_contacts' }] });
    await imported('n,e\nOnce,once@example.com\n', BY_EMAIL);
    const [skipped] = await rowsOf(
      await imported('n,e\nTwice,once@example.com\n', { ...BY_EMAIL, existing: 'skip' }),
    );
    expect(skipped?.result).toBe('unchanged');
    expect(await contactsNamed('Twice')).toEqual([]);
  });

  it('imports each row once when workers run at once, die between steps and are reminded again', async () => {
    const names = Array.from({ length: 230 }, (_, n) => `Many ${n},many${n}@example.com`);
    const id = await started(`n,e\n${names.join('\n')}\n`, { ...BY_EMAIL, match_by: null });
    // A worker that crashes after its first step while it holds the lease.
    await store.claim(id);
    const rows = await store.nextRows(id, 50);
    const entries = rows.map(({ number, cells }) => ({
      number,
      contact: { display_name: cells[0] ?? '' },
      name: 'x',
      match: null,
    }));
    await Promise.all([store.apply(id, entries), store.apply(id, entries)]);
    expect((await imports.get(caller, id)).counts.created).toBe(50);
    await run(id);
    expect((await imports.get(caller, id)).counts.created).toBe(50);
    await database.pool.query(
      `UPDATE contact_imports SET leased_until = '-infinity', look_at = '-infinity' WHERE id = $1`,
      [id],
    );
    await store.sweep();
    const reminders = await values<{ contact_import_id: string }>(
      database.pool,
      `SELECT payload FROM outbox WHERE payload->>'contact_import_id' = $1`,
      [id],
    );
    expect(reminders).toHaveLength(2);
    await Promise.all([run(id), run(id), run(id)]);
    expect(await imports.get(caller, id)).toMatchObject({ status: 'completed', counts: { created: 230 } });
    const [made] = await values<number>(
      database.pool,
      `SELECT count(*)::int FROM users WHERE display_name LIKE 'Many %'`,
    );
    expect(made).toBe(230);
  });

  it('is continued by another process when one stops', async () => {
    const id = await started('n,e\nLate,late@example.com\n', BY_EMAIL);
    await run(id, AbortSignal.abort());
    expect(await contactsNamed('Late')).toEqual([]);
    await run(id);
    expect(await contactsNamed('Late')).toHaveLength(1);
  });
});

describe('the undo of an import', () => {
  it('removes the contacts that were not changed or used since, and says why it keeps others', async () => {
    const names = ['Fresh', 'Edited', 'Segmented', 'Erased', 'Written'];
    const csv = `n,e\n${names.map((name) => `${name},${name.toLowerCase()}@example.com`).join('\n')}\n`;
    const id = await imported(csv, BY_EMAIL);
    const [fresh, edited, segmented, erased, written] = (await rowsOf(id)).map(
      ({ user_id: user }) => user ?? '',
    );
    await users.change(world.workspaceId, edited ?? '', { locale: 'de' });
    await users.delete(world.workspaceId, erased ?? '');
    const segment = uuidv7();
    await database.pool.query(
      `INSERT INTO segments (id, workspace_id, name, kind) VALUES ($1, $2, 's', 'static')`,
      [segment, world.workspaceId],
    );
    await database.pool.query(
      'INSERT INTO segment_members (segment_id, user_id, workspace_id) VALUES ($1, $2, $3)',
      [segment, segmented, world.workspaceId],
    );
    const conversation = uuidv7();
    await database.pool.query(
      `INSERT INTO conversations (id, workspace_id, number, type, created_by) VALUES ($1, $2, 1, 'direct', $3)`,
      [conversation, world.workspaceId, world.memberId],
    );
    await database.pool.query(
      `INSERT INTO participants (conversation_id, user_id, workspace_id, role) VALUES ($1, $2, $3, 'customer')`,
      [conversation, written, world.workspaceId],
    );
    expect(await undone(id)).toMatchObject({ status: 'undone', counts: { removed: 1, kept: 4 } });
    expect(
      (await rowsOf(id)).map(({ undo, kept_reason: reason, cells }) => [undo, reason, cells === null]),
    ).toEqual([
      ['removed', null, true],
      ['kept', 'changed', false],
      ['kept', 'segment', false],
      ['kept', 'gone', true],
      ['kept', 'conversation', false],
    ]);
    expect(await users.find(world.workspaceId, fresh ?? '')).toBeUndefined();
    expect(await users.find(world.workspaceId, edited ?? '')).toMatchObject({ locale: 'de' });
    const audited = await values<string>(
      database.pool,
      `SELECT actor_id FROM audit_log WHERE action = 'contact.erased' AND object_id = $1`,
      [fresh],
    );
    expect(audited).toEqual([world.memberId]);
  });

  it('removes a contact that a later row of the same import changed, and keeps contacts that existed before', async () => {
    await imported('n,e\nBefore,before@example.com\n', BY_EMAIL);
    const filler = Array.from({ length: 60 }, (_, n) => `Filler ${n},filler${n}@example.com`).join('\n');
    const csv = `n,e\nTwo rows,two@example.com\n${filler}\nSecond name,two@example.com\nAfter,before@example.com\n`;
    const id = await imported(csv, BY_EMAIL);
    expect(await undone(id)).toMatchObject({ counts: { created: 61, updated: 2, removed: 61, kept: 0 } });
    expect(await contactsNamed('Second name')).toEqual([]);
    expect(await contactsNamed('After')).toHaveLength(1);
  });

  it('stops an import that is running', async () => {
    const names = Array.from({ length: 120 }, (_, n) => `Stopped ${n},stopped${n}@example.com`);
    const id = await started(`n,e\n${names.join('\n')}\n`, BY_EMAIL);
    await store.claim(id);
    const rows = await store.nextRows(id, 10);
    await store.apply(
      id,
      rows.map(({ number, cells: [name = '', email = ''] }) => ({
        number,
        contact: { display_name: name, email },
        name,
        match: null,
      })),
    );
    await imports.undo(caller, id);
    expect(await store.apply(id, [])).toBe('undoing');
    await store.release(id);
    await run(id);
    expect(await imports.get(caller, id)).toMatchObject({
      status: 'undone',
      counts: { created: 10, removed: 10 },
    });
    await expect(imports.undo(caller, id)).rejects.toMatchObject({ details: { current: 'undone' } });
    await expect(imports.start(caller, id, BY_EMAIL)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('the rows of an import', () => {
  it('are all checked before the start', async () => {
    const { id } = await upload('n;e\nAda;a@example.com\nBob;nothing\n;\n;c@example.com\n');
    expect(await imports.preview(caller, id, BY_EMAIL)).toEqual({
      rows: 3,
      wrong: 1,
      problems: [
        { line: 3, cells: ['Bob', 'nothing'], problems: [{ field: 'email', code: 'invalid_format' }] },
      ],
    });
    expect((await imports.get(caller, id)).status).toBe('uploaded');
    await expect(imports.preview(caller, id, { ...BY_EMAIL, columns: ['email'] })).rejects.toMatchObject({
      details: { fields: [{ field: 'columns' }] },
    });
  });

  it('that failed can be downloaded, corrected and imported again', async () => {
    const mapping: ImportMapping = { ...BY_EMAIL, columns: ['display_name', 'email'] };
    const id = await imported('n,e\n"=cmd|\' /C calc\'!A0",wrong\nFine,fine@example.com\n', mapping);
    let csv = '';
    for await (const line of imports.failedRows(caller, id)) csv += line;
    expect(csv).toBe("\uFEFFn,e,import_problem\r\n'=cmd|' /C calc'!A0,wrong,email: invalid_format\r\n");
    const again = await upload(csv.replace(',wrong,', ',right@example.com,'));
    await imports.start(caller, again.id, { ...mapping, columns: [...mapping.columns, null] });
    await run(again.id);
    expect(await contactsNamed("=cmd|' /C calc'!A0")).toHaveLength(1);
  });

  it('are removed with their import: unused uploads after a day, and others after a month', async () => {
    const [unused, old, recent] = [
      await upload('n,e\nU,u@example.com\n'),
      await imported('n,e\nO,o@example.com\n', BY_EMAIL),
      await imported('n,e\nR,r@example.com\n', BY_EMAIL),
    ];
    const age = `UPDATE contact_imports SET created_at = now() - $2::interval WHERE id = $1`;
    await database.pool.query(age, [unused.id, '25 hours']);
    await database.pool.query(age, [old, '32 days']);
    await database.pool.query(age, [recent, '30 days']);
    await store.sweep();
    expect(
      await values(database.pool, 'SELECT id FROM contact_imports WHERE id = ANY ($1)', [
        [unused.id, old, recent],
      ]),
    ).toEqual([recent]);
    expect(await contactsNamed('O')).toHaveLength(1);
    await imports.delete(caller, recent);
    expect(await contactsNamed('R')).toHaveLength(1);
    await expect(imports.get(caller, recent)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of a file that cannot be read leave nothing behind', async () => {
    const before = await values(database.pool, 'SELECT id FROM contact_imports ORDER BY id');
    const many = Array.from({ length: 600 }, (_, n) => `N ${n},n${n}@example.com`).join('\n');
    for (const [csv, problem] of [
      [Buffer.from('n,e\nJörg,j@example.com\n', 'latin1'), /UTF-8/],
      [Buffer.from('\uFEFFn,e\nA,a@example.com\n', 'utf16le'), /UTF-8/],
      ['n,e\n', /at least one row/],
      ['', /first line/],
      [`n,e\n${many}\n"unclosed,x\n`, /Line \d+/],
      [`n,e\n${'x'.repeat(4_097)},a@example.com\n`, /Line 2.*4096/],
      [`${Array.from({ length: 101 }, (_, n) => `c${n}`).join(',')}\n`, /100 columns/],
      [`n\n${'x\n'.repeat(50_001)}`, /50000 rows/],
    ] as const)
      await expect(upload(csv)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(problem),
      });
    expect(await values(database.pool, 'SELECT id FROM contact_imports ORDER BY id')).toEqual(before);
  });
});
