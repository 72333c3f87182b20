import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AgentClients, callTool } from '../support/agent-client.js';
import type { Json } from '../support/api-client.js';
import { asPerson, type OAuthStage, shareOAuthStage } from '../support/oauth.js';

const SCOPES = 'messages:read,messages:write,messages:draft,conversations:read,profile:read';
const REFUSED = { isError: true, data: { error: 'access_denied', details: { reason: 'read_others' } } };

let stage: OAuthStage;
const clients = new AgentClients();

beforeAll(async () => {
  stage = await shareOAuthStage();
});
afterEach(() => clients.close());
afterAll(() => stage?.stop());

async function conversation(): Promise<string> {
  const made = await stage.api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
  return String(made.id);
}

/** An agent with its own key. */
async function agent() {
  const key = await stage.service.createKey({ scopes: SCOPES });
  const client = await clients.overHttp(stage.service.url, key);
  return {
    key,
    read: (id: string) => callTool(client, 'read_conversation', { conversation: id }),
    send: (id: string, more: Json = {}) =>
      callTool(client, 'send_message', { conversation: id, text: 'Hello', ...more }),
    draft: (id: string) => callTool(client, 'draft_message', { conversation: id, text: 'Hello' }),
    call: (name: string, args: Json = {}) => callTool(client, name, args),
  };
}

const ask = (method: string, path: string) =>
  stage.anonymous.send(method, `/dashboard/api${path}`, {
    headers: asPerson(stage.owner),
    ...(method === 'POST' && { body: {} }),
  });

/** The session that was used last. */
async function lastSession(): Promise<Json> {
  return ((await ask('GET', '/agent-sessions')).body.data as Json[])[0] as Json;
}

const query = (text: string, values: unknown[]) => stage.database.pool.query(text, values);

describe('The session of an agent', () => {
  it('allows writing anywhere before a conversation is read, and then only to that conversation', async () => {
    const [own, other] = [await conversation(), await conversation()];
    const { read, send, draft } = await agent();
    for (const id of [own, other]) expect((await send(id)).isError).toBe(false);
    await read(own);
    expect((await send(own)).isError).toBe(false);
    expect((await draft(own)).isError).toBe(false);
    expect(await send(other)).toMatchObject(REFUSED);
    expect(await draft(other)).toMatchObject(REFUSED);
  });

  it('allows drafts but no sending after two conversations are read, and marks the draft', async () => {
    const [own, other] = [await conversation(), await conversation()];
    const { read, send, draft } = await agent();
    await read(own);
    await read(other);
    for (const id of [own, other]) expect(await send(id)).toMatchObject(REFUSED);
    expect((await draft(own)).data).toMatchObject({ status: 'pending', read_others: 1 });
  });

  it('is also restricted after listing conversations or finding contacts', async () => {
    const own = await conversation();
    await stage.api.must(201, 'POST', '/openapi/users', { display_name: 'Grace Hopper' });
    const lists = await agent();
    await lists.call('search_conversations');
    expect(await lists.send(own)).toMatchObject(REFUSED);
    const contacts = await agent();
    await contacts.call('find_contacts', { name: 'Grace' });
    expect(await contacts.send(own)).toMatchObject(REFUSED);
    const nobody = await agent();
    await nobody.call('find_contacts', { name: 'nobody at all' });
    expect((await nobody.send(own)).isError).toBe(false);
  });

  it('lifts its restriction when a person releases it, and 24 hours after the conversation was read', async () => {
    const [own, other] = [await conversation(), await conversation()];
    const { read, send } = await agent();
    await read(own);
    expect(await send(other)).toMatchObject(REFUSED);
    const session = await lastSession();
    expect(session).toMatchObject({ conversations_read: 1, read_widely: false, calls: 2, writes: 1 });
    const released = await ask('POST', `/agent-sessions/${session.id}/release`);
    expect(released).toMatchObject({ status: 200, body: { conversations_read: 0 } });
    expect((await send(other)).isError).toBe(false);
    await read(own);
    expect(await send(other)).toMatchObject(REFUSED);
    await query(`UPDATE agent_reads SET read_at = now() - interval '25 hours' WHERE session_id = $1`, [
      session.id,
    ]);
    expect((await send(other)).isError).toBe(false);
    await query('SELECT purge_expired()', []);
    expect((await query('SELECT FROM agent_reads WHERE session_id = $1', [session.id])).rowCount).toBe(0);
  });

  it('sends once for one idempotency key', async () => {
    const own = await conversation();
    const { send } = await agent();
    const [first, second] = [
      await send(own, { idempotency_key: 'a' }),
      await send(own, { idempotency_key: 'a' }),
    ];
    expect(second.data.id).toBe(first.data.id);
  });

  it('has a budget of calls and of writes for each hour', async () => {
    const own = await conversation();
    const { send, read } = await agent();
    await send(own);
    const { id } = await lastSession();
    await query('UPDATE agent_sessions SET writes = 30 WHERE id = $1', [id]);
    const spent = { isError: true, data: { error: 'rate_limit_exceeded' } };
    expect(await send(own)).toMatchObject(spent);
    expect((await read(own)).isError).toBe(false);
    await query('UPDATE agent_sessions SET calls = 600 WHERE id = $1', [id]);
    expect(await read(own)).toMatchObject(spent);
    await query(`UPDATE agent_sessions SET hour_began_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    expect((await send(own)).isError).toBe(false);
  });

  it('has a row in the audit log for each call, also for a refused one', async () => {
    const [own, other] = [await conversation(), await conversation()];
    const { read, send, call } = await agent();
    const { workspaceId } = stage;
    const last = 'SELECT id FROM audit_log WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1';
    const before = (await query(last, [workspaceId])).rows[0].id;
    await read(own);
    await call('platform_health').catch(() => undefined);
    await send(own);
    await send(other);
    const { rows } = await query(
      `SELECT action, object_type, object_id, actor_type FROM audit_log
       WHERE workspace_id = $1 AND id > $2 ORDER BY id`,
      [workspaceId, before],
    );
    const by = { actor_type: 'api_key' };
    expect(rows).toEqual([
      { action: 'agent.called', object_type: 'read_conversation', object_id: null, ...by },
      { action: 'agent.called', object_type: 'send_message', object_id: own, ...by },
      { action: 'agent.refused', object_type: 'send_message', object_id: other, ...by },
    ]);
  });
});
