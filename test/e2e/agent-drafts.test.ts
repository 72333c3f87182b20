import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AgentClients, type Called, callTool } from '../support/agent-client.js';
import type { Json } from '../support/api-client.js';
import { addMember, asPerson, type OAuthStage, type Person, shareOAuthStage } from '../support/oauth.js';

const DRAFTING = 'messages:draft,messages:read,conversations:read';

let stage: OAuthStage;
let key: string;
const clients = new AgentClients();

beforeAll(async () => {
  stage = await shareOAuthStage();
});
// A key may draft 30 times an hour.
beforeEach(async () => {
  key = await stage.service.createKey({ scopes: DRAFTING });
});
afterEach(() => clients.close());
afterAll(() => stage?.stop());

function send(method: string, path: string, body?: Json, person: Person = stage.owner) {
  const options = { headers: asPerson(person), ...(body && { body }) };
  return stage.anonymous.send(method, `/dashboard/api${path}`, options);
}

async function conversation(): Promise<Json> {
  const { id } = await stage.api.must(201, 'POST', '/openapi/users', { display_name: 'Ada' });
  const made = await stage.api.must(201, 'POST', '/openapi/conversations', {
    type: 'direct',
    participant_ids: [id],
  });
  return { ...made, contact: id };
}

async function draft(about: Json, text = 'It is on its way.', credential = key): Promise<Called> {
  const client = await clients.overHttp(stage.service.url, credential);
  return callTool(client, 'draft_message', { conversation: String(about.id), text });
}

async function proposed(about: Json, text?: string): Promise<string> {
  const { data, isError } = await draft(about, text);
  expect([isError, data.status]).toEqual([false, 'pending']);
  return String(data.id);
}

const pending = async (about: Json) =>
  (await send('GET', `/conversations/${about.id}/proposals`)).body.data as Json[];

const messages = async (about: Json) =>
  (await stage.api.must(200, 'GET', `/openapi/messages?conversation_id=${about.id}`)).data as Json[];

const approve = (id: string, body: Json = {}, person?: Person) =>
  send('POST', `/proposals/${id}/approve`, body, person);

describe('A message that an agent drafts', () => {
  it('is shown to members, and is sent in the name of the member who approves it', async () => {
    const about = await conversation();
    const id = await proposed(about);
    expect(await messages(about)).toEqual([]);
    expect(await pending(about)).toMatchObject([{ id, text: 'It is on its way.', status: 'pending' }]);
    const member = await addMember(stage, 'member');
    const approved = await approve(id, {}, member);
    expect(approved.status).toBe(201);
    const sent = { text: 'It is on its way.', sender_id: member.userId, metadata: { proposal_id: id } };
    expect(approved.body).toMatchObject(sent);
    expect(await messages(about)).toMatchObject([{ id: approved.body.id, ...sent }]);
    expect(await pending(about)).toEqual([]);
  });

  it('is sent with the text as the member edited it', async () => {
    const about = await conversation();
    const id = await proposed(about);
    expect((await approve(id, { text: ' ' })).status).toBe(400);
    expect((await approve(id, { text: 'It arrives today.' })).status).toBe(201);
    expect(await messages(about)).toMatchObject([{ text: 'It arrives today.' }]);
  });

  it('is sent once when several people approve it at the same time', async () => {
    const about = await conversation();
    const id = await proposed(about);
    const answers = await Promise.all(Array.from({ length: 6 }, () => approve(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await messages(about)).toHaveLength(1);
    const late = await approve(id);
    expect(late).toMatchObject({ status: 409, body: { details: { current: 'approved' } } });
  });

  it('is not sent after it was refused or has expired', async () => {
    const about = await conversation();
    const refused = await proposed(about);
    expect((await send('POST', `/proposals/${refused}/refuse`)).body).toMatchObject({ status: 'refused' });
    expect(await approve(refused)).toMatchObject({ status: 409, body: { details: { current: 'refused' } } });
    const expired = await proposed(about);
    const past = `UPDATE proposals SET expires_at = now() - interval '1 second' WHERE id = $1`;
    await stage.database.pool.query(past, [expired]);
    expect(await approve(expired)).toMatchObject({ status: 409, body: { details: { current: 'expired' } } });
    expect(await pending(about)).toEqual([]);
    expect(await messages(about)).toEqual([]);
  });

  it('cannot be approved by a viewer or with a key', async () => {
    const about = await conversation();
    const id = await proposed(about);
    const viewer = await addMember(stage, 'viewer');
    expect((await approve(id, {}, viewer)).status).toBe(403);
    const path = `/dashboard/api/proposals/${id}/approve`;
    const withKey = await stage.anonymous.send('POST', path, { headers: { 'x-api-key': key }, body: {} });
    expect(withKey.status).toBe(401);
    expect(await messages(about)).toEqual([]);
  });

  it('requires its scope, an existing conversation, a text, and fewer than 20 pending drafts', async () => {
    const about = await conversation();
    const reading = await stage.service.createKey({ scopes: 'messages:read,messages:write' });
    expect((await draft(about, 'x', reading)).isError).toBe(true);
    expect(await draft({ id: stage.workspaceId })).toMatchObject({ data: { error: 'not_found' } });
    expect(await draft({ id: '-'.repeat(36) })).toMatchObject({ data: { error: 'not_found' } });
    for (const text of ['', ' \n', 'x'.repeat(10_001)]) expect((await draft(about, text)).isError).toBe(true);
    for (let n = 0; n < 20; n += 1) await proposed(about, `Draft ${n}`);
    expect(await draft(about)).toMatchObject({ isError: true, data: { error: 'conflict' } });
    expect(await pending(about)).toHaveLength(20);
  });

  it('is in the audit log with its decision', async () => {
    const about = await conversation();
    const id = await proposed(about);
    await approve(id);
    const { rows } = await stage.database.pool.query(
      'SELECT action, actor_type FROM audit_log WHERE object_id = $1 ORDER BY id',
      [id],
    );
    expect(rows).toEqual([
      { action: 'proposal.made', actor_type: 'api_key' },
      { action: 'proposal.approved', actor_type: 'member' },
    ]);
  });

  it('is deleted with its conversation, with its contact, and after 30 days', async () => {
    const ofWorkspace = (command: string) =>
      stage.database.pool.query(`${command} WHERE workspace_id = $1`, [stage.workspaceId]);
    await ofWorkspace('DELETE FROM proposals');
    const count = async () => Number((await ofWorkspace('SELECT count(*) FROM proposals')).rows[0].count);
    const [deleted, erased, aged] = await Promise.all([conversation(), conversation(), conversation()]);
    for (const about of [deleted, erased, aged]) await proposed(about);
    await stage.api.must(204, 'DELETE', `/openapi/conversations/${deleted.id}`);
    expect(await count()).toBe(2);
    await stage.api.must(204, 'DELETE', `/openapi/users/${erased.contact}`);
    expect(await count()).toBe(1);
    await ofWorkspace(`UPDATE proposals SET created_at = now() - interval '31 days'`);
    await stage.database.pool.query('SELECT purge_expired()');
    expect(await count()).toBe(0);
  });
});
