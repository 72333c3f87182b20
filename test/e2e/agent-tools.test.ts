import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AgentClients, callTool, toolNames } from '../support/agent-client.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const CALLING = 'calls:write,conversations:read,messages:read';

let service: SharedService;
let api: ApiClient;
const clients = new AgentClients();

beforeAll(async () => {
  service = await shareService();
  api = service.client();
});
afterEach(() => clients.close());

/** An agent with its own key. */
async function agent(scopes: string, options: { readonly test?: boolean } = {}) {
  return clients.overHttp(service.url, await service.createKey({ scopes, ...options }));
}

const contact = (name: string) => api.must(201, 'POST', '/openapi/users', { display_name: name });

const count = async (path: string) => ((await api.must(200, 'GET', path)).data as Json[]).length;

describe('A broadcast that an agent plans', () => {
  it('is previewed, and neither stored nor sent', async () => {
    const { id } = await contact('Ada');
    const client = await agent('broadcasts:write');
    const plan = await callTool(client, 'plan_broadcast', { text: 'We are closed.', user_ids: [id] });
    // The contact has no address.
    expect(plan).toMatchObject({ isError: false, data: { recipients: 0 } });
    expect(Object.values(plan.data.skips as Json)).toEqual([1]);
    const filtered = await callTool(client, 'plan_broadcast', {
      text: 'We are closed.',
      filter: 'display_name:"Ada"',
      category: 'transactional',
    });
    expect(filtered.isError).toBe(false);
    expect(Object.values(filtered.data.skips as Json)).toEqual([1]);
    expect(await count('/openapi/broadcasts')).toBe(0);
  });

  it('requires a text, recipients and the scope', async () => {
    const client = await agent('broadcasts:write');
    for (const wrong of [{ text: 'Hello' }, { filter: 'display_name:"Ada"' }]) {
      const refused = await callTool(client, 'plan_broadcast', wrong);
      expect(refused).toMatchObject({ isError: true, data: { error: 'invalid_request' } });
    }
    expect(await toolNames(await agent('broadcasts:read'))).not.toContain('plan_broadcast');
  });

  it('counts as reading contacts', async () => {
    const { id } = await contact('Grace');
    const client = await agent('broadcasts:write,messages:write');
    await callTool(client, 'plan_broadcast', { text: 'Hello {{display_name}}', user_ids: [id] });
    const made = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
    const refused = await callTool(client, 'send_message', { conversation: String(made.id), text: 'Hello' });
    expect(refused).toMatchObject({ isError: true, data: { details: { reason: 'read_others' } } });
  });
});

describe('The link of a call', () => {
  it('leads to a call in the conversation, which is started once for one idempotency key', async () => {
    const made = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
    const client = await agent(CALLING);
    const args = { conversation: String(made.id), type: 'video', idempotency_key: 'once' };
    const { data, isError } = await callTool(client, 'call_link', args);
    expect([isError, data]).toMatchObject([false, { conversation_id: made.id, type: 'video' }]);
    expect(new URL(String(data.join_url)).pathname).toMatch(/^\/join\/\w+$/);
    expect((await callTool(client, 'call_link', args)).data.id).toBe(data.id);
    expect(await count(`/openapi/calls?filter=conversation_id:${made.id}`)).toBe(1);
  });

  it('is refused after another conversation was read', async () => {
    const [own, other] = await Promise.all(
      [1, 2].map(() => api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] })),
    );
    const client = await agent(CALLING);
    await callTool(client, 'read_conversation', { conversation: String(other?.id) });
    const refused = await callTool(client, 'call_link', { conversation: String(own?.id) });
    expect(refused).toMatchObject({ isError: true, data: { details: { reason: 'read_others' } } });
    expect(await count(`/openapi/calls?filter=conversation_id:${own?.id}`)).toBe(0);
  });
});

describe('A simulated customer', () => {
  it('writes in the sandbox of a test workspace, where the agent finds the message', async () => {
    const scopes = 'platforms:write,messages:read,conversations:read';
    const client = await agent(scopes, { test: true });
    const said = await callTool(client, 'simulate_customer', { address: 'ada', text: 'Where is my parcel?' });
    expect(said).toMatchObject({ isError: false, data: { text: 'Where is my parcel?' } });
    const conversation = String(said.data.conversation_id);
    const { data } = await callTool(client, 'read_conversation', { conversation });
    expect((data.messages as Json[]).map(({ id }) => id)).toEqual([said.data.id]);
  });

  it('is not available to keys outside of a test workspace', async () => {
    const client = await agent('platforms:write,messages:read');
    expect(await toolNames(client)).not.toContain('simulate_customer');
    const refused = await callTool(client, 'simulate_customer', { address: 'ada', text: 'Hello' });
    expect(refused.isError).toBe(true);
  });
});
