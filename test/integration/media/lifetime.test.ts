import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OutgoingError } from '../../../src/core/common/outgoing.js';
import type { StoredAttachment } from '../../../src/core/media/attachment.js';
import { FetchMedia } from '../../../src/core/media/fetch-media.js';
import type { RemoteFile } from '../../../src/core/media/ports.js';
import { RemoveUnusedMedia } from '../../../src/core/media/remove-unused.js';
import { mediaKey, readMediaToken } from '../../../src/core/media/token.js';
import { DiskFiles } from '../../../src/media/disk-files.js';
import { Housekeeping } from '../../../src/store/maintenance/housekeeping.js';
import { PostgresMedia } from '../../../src/store/media/media.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { duringUncommitted } from '../../support/lock-waiters.js';
import { silentLog } from '../../support/log.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitFor } from '../../support/wait-for.js';

const key = mediaKey(Buffer.alloc(32, 7));
const running = new AbortController().signal;

let database: TestDatabase;
let folder: string;
let stage: BridgeStage;
let conversation: string;
let store: PostgresMedia;
let files: DiskFiles;
let removal: RemoveUnusedMedia;
let answer: () => Promise<RemoteFile> = async () => ({ body: bytes('x') });

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'trunkline-media-'));
  await new Housekeeping(database.pool).publish('https://bridge.example', key);
});
beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  conversation = await stage.conversation();
  store = new PostgresMedia(database.pool);
  files = new DiskFiles(folder);
  removal = new RemoveUnusedMedia(store, files);
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function* bytes(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}
const attachment = (more: Partial<StoredAttachment> = {}): StoredAttachment => ({
  id: uuidv7(),
  type: null,
  metadata: {},
  name: null,
  mime_type: null,
  alt_text: null,
  latitude: null,
  longitude: null,
  ...more,
});
const upload = async (): Promise<string> => {
  const id = uuidv7();
  const staged = await files.stage(bytes('hello'), 100);
  await files.keep(staged, id);
  const fields = {
    type: 'file',
    name: 'a.txt',
    mime_type: 'text/plain',
    alt_text: null,
    width: null,
    height: null,
  } as const;
  await store.storeUpload({
    id,
    workspace_id: stage.workspaceId,
    size: 5,
    sha256: staged.sha256,
    uploaded_by: uuidv7(),
    ...fields,
  });
  return id;
};
const age = (id: string) =>
  database.pool.query(
    `UPDATE media SET created_at = now() - interval '25 hours',
       expires_at = CASE WHEN expires_at IS NOT NULL THEN now() - interval '1 ms' END WHERE id = $1`,
    [id],
  );
const exists = async (id: string) => (await files.find(id)) !== undefined;
const send = (attachments: StoredAttachment[]) => stage.send(conversation, 'x', { attachments });
const fetching = (connections: () => Promise<RemoteFile> | undefined = () => undefined) =>
  new FetchMedia(store, files, { open: () => answer() }, { open: connections }, silentLog);
const row = async (id: string) =>
  (
    await database.pool.query(
      'SELECT state, tries, error, due_at > now() AS later FROM media WHERE id = $1',
      [id],
    )
  ).rows[0];
const due = (id: string) =>
  database.pool.query(
    `UPDATE media SET due_at = now() - interval '1 ms', leased_until = NULL WHERE id = $1`,
    [id],
  );
describe('an upload', () => {
  it('is not the file of another workspace, or of another kind, with the same id', async () => {
    const other = await bridgeStage(database.pool);
    const id = await upload();
    const facts = { type: 'file', name: 'b.txt', mime_type: 'text/plain', alt_text: null } as const;
    const size = { size: 5, width: null, height: null, sha256: '00', uploaded_by: uuidv7() };
    const again = (workspaceId: string) =>
      store.storeUpload({ id, workspace_id: workspaceId, ...facts, ...size });
    await expect(again(other.workspaceId)).rejects.toMatchObject({ details: { reason: 'already_exists' } });
    expect(await again(stage.workspaceId)).toMatchObject({ id, name: 'a.txt' });
    await database.pool.query(`UPDATE media SET source = 'url' WHERE id = $1`, [id]);
    await expect(again(stage.workspaceId)).rejects.toMatchObject({ details: { reason: 'already_exists' } });
  });

  it('is deleted with its file after a day without use', async () => {
    const [old, young] = [await upload(), await upload()];
    await age(old);
    expect(await store.usableUploads(stage.workspaceId, [old, young])).toEqual(new Set([young]));
    await removal.execute();
    expect([await exists(old), await exists(young), await row(old)]).toEqual([false, true, undefined]);
  });

  it('is deleted when the last two messages that show it are deleted at the same time', async () => {
    const id = await upload();
    const [first, second] = [
      await send([attachment({ id, upload: true })]),
      await send([attachment({ id, upload: true })]),
    ];
    await age(id);
    await duringUncommitted(
      database.pool,
      {
        text: 'SELECT delete_message($1, $2, $3, NULL, false)',
        values: [stage.workspaceId, first.id, stage.memberId],
      },
      () => stage.messages.delete(stage.scope, second.id, stage.memberId),
    );
    await removal.execute();
    expect(await exists(id)).toBe(false);
  });

  it('stays when it is sent again while the message that showed it is deleted', async () => {
    const id = await upload();
    const first = await send([attachment({ id, upload: true })]);
    await age(id);
    const message = {
      id: uuidv7(),
      workspace_id: stage.workspaceId,
      conversation_id: conversation,
      sender_id: stage.memberId,
      text: 'again',
      attachments: [attachment({ id, upload: true })],
    };
    await duringUncommitted(
      database.pool,
      { text: 'SELECT accept_message($1)', values: [JSON.stringify(message)] },
      () => stage.messages.delete(stage.scope, first.id, stage.memberId),
    );
    await removal.execute();
    expect(await exists(id)).toBe(true);
  });

  it('lives as long as a message that shows it', async () => {
    const id = await upload();
    const [first, second] = [
      await send([attachment({ id, upload: true })]),
      await send([attachment({ id, upload: true })]),
    ];
    await age(id);
    await removal.execute();
    await stage.messages.delete(stage.scope, first.id, stage.memberId);
    await removal.execute();
    expect(await exists(id)).toBe(true);
    await stage.messages.delete(stage.scope, second.id, stage.memberId);
    await removal.execute();
    expect(await exists(id)).toBe(false);
  });

  it('that is being deleted can’t be used any more', async () => {
    const id = await upload();
    await age(id);
    await store.expire(10);
    await expect(send([attachment({ id, upload: true })])).rejects.toMatchObject({ code: 'not_found' });
    // Simulates a crash between row and file, which a later round completes. The refused message may hold its lock a moment after
    // its response, and the removal skips locked rows.
    await waitFor(async () => {
      await removal.execute();
      expect([await exists(id), await row(id)]).toEqual([false, undefined]);
    });
  });

  it('whose process died before its row was stored leaves no permanent file', async () => {
    const stray = uuidv7();
    await files.keep(await files.stage(bytes('x'), 10), stray);
    const before = new Date(Date.now() - 90_000_000);
    await utimes((await files.find(stray))?.path ?? '', before, before);
    await writeFile(join(folder, 'staging', 'left'), 'x');
    await utimes(join(folder, 'staging', 'left'), before, before);
    for (let round = 0; round < 257; round += 1) await removal.execute();
    expect([await exists(stray), await readdir(join(folder, 'staging'))]).toEqual([false, []]);
  });

  it('is refused if it is larger than allowed, and leaves no file', async () => {
    await expect(files.stage(bytes('12345', '6'), 5)).rejects.toMatchObject({ name: 'FileTooLarge' });
    expect(await readdir(join(folder, 'staging'))).toEqual([]);
  });
});

describe('files on a full disk', () => {
  it('are fetched again once there is room', async () => {
    const root = join(folder, 'full');
    await writeFile(root, 'in the way');
    const disk = new DiskFiles(root);
    await expect(disk.stage(bytes('x'), 10)).rejects.toThrow();
    await rm(root);
    const staged = await disk.stage(bytes('hello'), 10);
    expect(staged.sizeBytes).toBe(5);
    await disk.discard(staged);
  });
});

describe('a link to a file', () => {
  it('is valid for a day after it was signed, and only if it is unchanged', async () => {
    const id = await upload();
    const [url] = await values<string>(database.pool, `SELECT media_url('${id}', now())`);
    const token = String(url).replace('https://bridge.example/media/', '');
    const now = Date.now();
    expect(readMediaToken(token, key, now)).toBe(id);
    expect(readMediaToken(token, key, now + 86_390_000)).toBe(id);
    expect(readMediaToken(token, key, now + 86_410_000)).toBeUndefined();
    expect(readMediaToken(token, mediaKey(Buffer.alloc(32, 8)), now)).toBeUndefined();
    for (const altered of [`${token}=`, token.slice(1), '', 'x', `A${token.slice(1)}`.replace(token, '')]) {
      expect(readMediaToken(altered, key, now)).toBeUndefined();
    }
  });
});

describe('a fetch of a file', () => {
  const url = () => attachment({ source_url: 'https://files.example/a.txt' });

  it('is committed with its message and its job', async () => {
    const stored = url();
    await send([stored]);
    expect(await row(stored.id)).toMatchObject({ state: 'pending', tries: 0 });
    const reminders = await values<string>(
      database.pool,
      `SELECT payload->>'media_id' FROM outbox WHERE topic = 'media' AND payload->>'media_id' = '${stored.id}'`,
    );
    expect(reminders).toEqual([stored.id]);
  });

  it('is performed by one worker, however many start it', async () => {
    const stored = url();
    await send([stored]);
    let asked = 0;
    answer = async () => {
      asked += 1;
      return { body: bytes('he', 'llo'), name: 'a.txt' };
    };
    await Promise.all([1, 2, 3].map(() => fetching().run(stored.id, running)));
    expect([asked, await row(stored.id)]).toMatchObject([1, { state: 'ready', tries: 1 }]);
    expect(await store.find(stored.id)).toMatchObject({
      name: 'a.txt',
      mimeType: 'text/plain',
      sizeBytes: 5,
    });
  });

  it('is attempted four times, at growing intervals, and given up', async () => {
    const stored = url();
    await send([stored]);
    answer = () => Promise.reject(new OutgoingError('connection', 'no'));
    for (let tries = 1; tries <= 3; tries += 1) {
      await fetching().run(stored.id, running);
      expect(await row(stored.id)).toMatchObject({ state: 'pending', tries, later: true });
      await due(stored.id);
    }
    await fetching().run(stored.id, running);
    expect(await row(stored.id)).toMatchObject({ state: 'failed', error: 'connection' });
  });

  it('whose worker died is taken over, and its late result changes nothing', async () => {
    const stored = url();
    await send([stored]);
    const dead = await store.claim(stored.id, 90);
    await due(stored.id);
    await store.wakeStalled();
    answer = async () => ({ body: bytes('new') });
    await fetching().run(stored.id, running);
    expect(dead && (await store.finish(dead, { state: 'failed', error: 'late' }))).toBe(false);
    expect(await row(stored.id)).toMatchObject({ state: 'ready', tries: 2 });
  });

  it('ends with the process without counting as an attempt', async () => {
    const stored = url();
    await send([stored]);
    const stopping = new AbortController();
    answer = async () => {
      stopping.abort();
      return { body: bytes('x') };
    };
    await fetching().run(stored.id, stopping.signal);
    expect(await row(stored.id)).toMatchObject({ state: 'pending', tries: 0 });
  });

  it('from a platform waits for its connection', async () => {
    const connection = await stage.connection('alpha');
    const stored = attachment({ remote_ref: 'f1' });
    const remote = { external_id: '1', external_sender_id: '2' };
    const origin = { connection_id: connection, link_id: uuidv7(), ...remote };
    await stage.messages.accept({
      id: uuidv7(),
      workspace_id: stage.workspaceId,
      conversation_id: conversation,
      sender_id: stage.memberId,
      text: 'x',
      attachments: [stored],
      ...({ origin } as object),
    });
    await fetching().run(stored.id, running);
    expect(await row(stored.id)).toMatchObject({ state: 'pending', tries: 0, later: true });
    await due(stored.id);
    await fetching(async () => ({ body: bytes('hello') })).run(stored.id, running);
    expect(await row(stored.id)).toMatchObject({ state: 'ready' });
  });
});

describe('a message with files', () => {
  it('waits for its files, and is due once the last one is fetched', async () => {
    const connection = await stage.connection('alpha');
    await stage.link(conversation, connection, 'chat-1');
    const [first, second] = [
      attachment({ source_url: 'https://a.example/1' }),
      attachment({ source_url: 'https://a.example/2' }),
    ];
    await send([first, second]);
    answer = async () => ({ body: bytes('x') });
    await fetching().run(first.id, running);
    expect(await stage.deliveries.claim(connection, 10)).toEqual([]);
    await fetching().run(second.id, running);
    const [task] = await stage.deliveries.claim(connection, 10);
    expect(task?.message.attachments).toMatchObject([{ state: 'ready' }, { state: 'ready' }]);
  });
});
