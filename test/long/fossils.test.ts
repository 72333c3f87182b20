import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { installFossil } from '../support/fossils.js';
import { loopbackReceiver } from '../support/loopback-receiver.js';
import { type Service, startService } from '../support/service.js';

const TOKEN = 'fossil-token';
const folder = mkdtempSync(join(tmpdir(), 'trunkline-fossil-'));

let platform: Awaited<ReturnType<typeof loopbackReceiver>>;
let service: Service;
let api: ApiClient;
let webhook: string;
let conversation: Json;

beforeAll(async () => {
  platform = await loopbackReceiver(({ path }, response) => {
    const answer = path.endsWith('/me')
      ? { id: 'bridge', name: 'Bridge' }
      : { id: `ours-${platform.received.length}` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  const name = installFossil(folder, 1);
  symlinkSync(resolve('.'), join(folder, 'node_modules/trunkline'));
  service = await startService({
    env: { TRUNKLINE_ADAPTERS: join(folder, 'node_modules', name, 'index.js') },
  });
  api = service.client();
  const connection = await api.must<Json>(201, 'POST', '/openapi/platforms/fossil/connections', {
    name: 'Old',
    credentials: { token: TOKEN },
    settings: { api_base_url: platform.url },
  });
  await eventually(
    () => api.must<Json>(200, 'GET', `/openapi/platforms/connections/${connection.id}`),
    ({ status }) => status === 'connected',
  );
  webhook = String(connection.webhook_url);
  conversation = await api.must<Json>(201, 'POST', '/openapi/conversations', {
    links: [{ connection_id: connection.id, external_id: 'room' }],
  });
});
afterAll(async () => {
  await service?.stop();
  await platform?.close();
  rmSync(folder, { recursive: true, force: true });
});

let number = 0;
async function tell(event: object): Promise<void> {
  number += 1;
  const at = new Date(Date.UTC(2026, 2, 1, 10, 0, number)).toISOString();
  const answer = await fetch(webhook, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ number, chat: 'room', at, ...event }),
  });
  expect(answer.status).toBe(204);
}

const messages = async () => {
  const { data } = await api.must<{ data: Json[] }>(
    200,
    'GET',
    `/openapi/messages?conversation_id=${conversation.id}`,
  );
  return data;
};

describe('an adapter of contract version 1 in the service', () => {
  it('shows its version in its protocol', async () => {
    expect(await api.must(200, 'GET', '/openapi/protocols/fossil')).toMatchObject({
      name: 'Fossil',
      contract_version: 1,
    });
  });

  it('sends a message', async () => {
    const message = await api.must<Json>(201, 'POST', '/openapi/messages', {
      conversation_id: conversation.id,
      text: 'Hello, past',
    });
    await eventually(
      () => api.must<Json>(200, 'GET', `/openapi/messages/${message.id}`),
      ({ status }) => status === 'sent',
    );
    const written = platform.received
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => JSON.parse(body));
    expect(written).toMatchObject([{ chat: 'room', text: 'Hello, past' }]);
  });

  it('receives a message and the edit of its author, and ignores an edit by another person', async () => {
    await tell({ kind: 'message', id: 'm1', sender: 'Ada', text: 'Pay Bob' });
    await tell({ kind: 'edit', id: 'm1', sender: 'Ada', text: 'Pay Bob 5' });
    await tell({ kind: 'edit', id: 'm1', sender: 'Eve', text: 'Pay Eve 5' });
    await tell({ kind: 'message', id: 'm2', sender: 'Ada', text: 'Thanks' });
    const found = await eventually(messages, (all) => all.some(({ text }) => text === 'Thanks'));
    expect(found.map(({ text }) => text)).toContain('Pay Bob 5');
    expect(found.map(({ text }) => text)).not.toContain('Pay Eve 5');
    expect(service.log.filter(({ msg }) => msg === 'change.refused')).toHaveLength(1);
  });

  it('receives a deletion without an actor', async () => {
    await tell({ kind: 'deletion', id: 'm1' });
    await eventually(messages, (all) => all.every(({ text }) => text !== 'Pay Bob 5'));
  });
});
