import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { addMember, asPerson, type OAuthStage, type Person, shareOAuthStage } from '../support/oauth.js';

const PHONE = '00000000-0000-4000-8000-000000000001';
const DESK = '00000000-0000-4000-8000-000000000002';

let stage: OAuthStage;

beforeAll(async () => {
  stage = await shareOAuthStage();
});
afterAll(() => stage?.stop());

function send(method: string, path: string, body?: Json, person: Person = stage.owner) {
  const options = { headers: asPerson(person), ...(body && { body }) };
  return stage.anonymous.send(method, `/dashboard/api${path}`, options);
}

const draft = (more: Json = {}): Json => ({
  text: 'Hello',
  is_note: false,
  reply_to_id: null,
  device: PHONE,
  base: null,
  ...more,
});

async function save(conversation: Json, more: Json = {}, person?: Person): Promise<Json> {
  const { status, body } = await send('PUT', `/conversations/${conversation.id}/draft`, draft(more), person);
  expect(status).toBe(200);
  return body;
}

async function read(conversation: Json, person?: Person): Promise<Json | null> {
  const { status, body } = await send('GET', `/conversations/${conversation.id}/draft`, undefined, person);
  expect(status).toBe(200);
  return body.draft as Json | null;
}

async function conversation(): Promise<Json & { contact: unknown }> {
  const { id } = await stage.api.must(201, 'POST', '/openapi/users', { display_name: 'Ada' });
  const made = await stage.api.must(201, 'POST', '/openapi/conversations', {
    type: 'direct',
    participant_ids: [id],
  });
  return { ...made, contact: id };
}

const ofWorkspace = (command: string) =>
  stage.database.pool.query(`${command} WHERE workspace_id = $1`, [stage.workspaceId]);
const count = async () => Number((await ofWorkspace('SELECT count(*) FROM message_drafts')).rows[0].count);

describe('A draft of a member', () => {
  it('has text, kind and reply, is visible to that member only, and is deleted when it is empty', async () => {
    const [about, other] = [await conversation(), await addMember(stage, 'member')];
    expect(await read(about)).toBeNull();
    const saved = await save(about, { text: 'Half a', is_note: true, reply_to_id: DESK });
    expect(saved).toMatchObject({
      is_saved: true,
      draft: { text: 'Half a', is_note: true, reply_to_id: DESK },
    });
    expect(await read(about)).toEqual(saved.draft);
    expect(await read(about, other)).toBeNull();
    expect(await save(about, { text: '' })).toEqual({ is_saved: true, draft: null });
    expect(await read(about)).toBeNull();
  });

  it('replaces an earlier one of the same browser, and one of another browser only if it is based on it', async () => {
    const about = await conversation();
    await save(about, { text: 'a' });
    const own = await save(about, { text: 'ab' });
    expect(await save(about, { text: 'Other', device: DESK })).toEqual({ ...own, is_saved: false });
    expect(await save(about, { text: '', device: DESK })).toEqual({ ...own, is_saved: false });
    expect((await save(about, { text: 'ab', device: DESK })).is_saved).toBe(true);
    const { draft: known } = await save(about, { text: 'abc', device: DESK });
    expect(await save(about, { text: 'x' })).toMatchObject({ is_saved: false, draft: { text: 'abc' } });
    const base = (known as Json).version;
    expect(await save(about, { text: 'x', base })).toMatchObject({ is_saved: true, draft: { text: 'x' } });
  });

  it('of two browsers that save concurrently is stored once', async () => {
    const about = await conversation();
    const answers = await Promise.all([
      save(about, { text: 'one' }),
      save(about, { text: 'two', device: DESK }),
    ]);
    expect(answers.map((answer) => answer.is_saved).sort()).toEqual([false, true]);
    expect(answers[0]?.draft).toEqual(answers[1]?.draft);
  });

  it('is refused if it is too long or invalid, or if its conversation does not exist', async () => {
    const about = await conversation();
    const path = `/conversations/${about.id}/draft`;
    expect((await send('PUT', path, draft({ text: 'x'.repeat(10_001) }))).status).toBe(400);
    expect((await send('PUT', path, draft({ device: 'x' }))).status).toBe(400);
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? draft() : undefined;
      expect((await send(method, `/conversations/${PHONE}/draft`, body)).status).toBe(404);
    }
  });

  it('is deleted with its conversation, its contact or its member, and after 30 days', async () => {
    await ofWorkspace('DELETE FROM message_drafts');
    const [deleted, erased, left, aged] = await Promise.all([
      conversation(),
      conversation(),
      conversation(),
      conversation(),
    ]);
    const member = await addMember(stage, 'member');
    await save(deleted);
    await save(erased);
    await save(left, {}, member);
    await save(aged);
    expect(await count()).toBe(4);
    await stage.api.must(204, 'DELETE', `/openapi/conversations/${deleted.id}`);
    expect(await count()).toBe(3);
    await stage.api.must(204, 'DELETE', `/openapi/users/${erased.contact}`);
    expect(await count()).toBe(2);
    expect((await send('DELETE', `/members/${member.userId}`)).status).toBe(204);
    expect(await count()).toBe(1);
    await stage.database.pool.query('SELECT purge_expired()');
    expect(await count()).toBe(1);
    await ofWorkspace(`UPDATE message_drafts SET written_at = now() - interval '31 days'`);
    await stage.database.pool.query('SELECT purge_expired()');
    expect(await count()).toBe(0);
  });
});
