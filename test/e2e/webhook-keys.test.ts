import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Json } from '../support/api-client.js';
import { type Browser, invite, ownerBrowser } from '../support/browser.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOWHERE = 'https://receiver.example/hook';

let service: SharedService;
let owner: Browser;

beforeAll(async () => {
  service = await shareService();
  owner = await ownerBrowser(service);
});

/** A key, and a webhook for every event; the key registered the webhook. */
async function keyWithWebhook(more: Json = {}) {
  const key = await owner.must(201, 'POST', '/keys', {
    name: 'Reporting',
    scopes: ['messages:read'],
    ...more,
  });
  const body = { url: NOWHERE, events: ['*'] };
  const { status, body: webhook } = await service.client(String(key.key)).post('/api/webhooks', body);
  expect([status, webhook]).toMatchObject([
    201,
    { status: 'enabled', created_by_key: key.id, disabled_reason: null, scopes: ['messages:read'] },
  ]);
  return { key, webhook };
}

const read = async ({ id }: Json) => (await service.client().get<Json>(`/api/webhooks/${id}`)).body;

describe('a webhook that an API key registered', () => {
  it('is disabled when the key is revoked in the dashboard', async () => {
    const { key, webhook } = await keyWithWebhook();
    const { data } = await owner.must<{ data: Json[] }>(200, 'GET', '/api/webhooks?limit=100');
    const made = data.filter(({ created_by_key: by }) => by === key.id);
    expect(made.map(({ id }) => id)).toEqual([webhook.id]);
    await owner.must(204, 'DELETE', `/keys/${key.id}`);
    expect(await read(webhook)).toMatchObject({ status: 'auto_disabled', disabled_reason: 'key_revoked' });
  });

  it('stays enabled when the request that revokes the key keeps it', async () => {
    const { key, webhook } = await keyWithWebhook();
    await owner.must(204, 'DELETE', `/keys/${key.id}?keep_webhooks=true`);
    expect(await read(webhook)).toMatchObject({ status: 'enabled', disabled_reason: null });
    const wrong = await owner.send('DELETE', `/keys/${key.id}?keep_webhooks=maybe`);
    expect(wrong.status).toBe(400);
  });

  it('is listed and disabled by keys revoke, unless it is kept', async () => {
    const ended = await keyWithWebhook();
    expect(await service.run('keys', 'revoke', String(ended.key.id))).toContain(
      `webhook disabled: ${ended.webhook.id} ${NOWHERE}`,
    );
    expect(await read(ended.webhook)).toMatchObject({ disabled_reason: 'key_revoked' });
    const kept = await keyWithWebhook();
    expect(await service.run('keys', 'revoke', '--keep-webhooks', String(kept.key.id))).toContain(
      `webhook kept: ${kept.webhook.id} ${NOWHERE}`,
    );
    expect(await read(kept.webhook)).toMatchObject({ status: 'enabled' });
  });

  it('is disabled when the key expires, and stays enabled when it is enabled again', async () => {
    const expiresAt = new Date(Date.now() + 4_000).toISOString();
    const { webhook } = await keyWithWebhook({ expires_at: expiresAt });
    const ended = await eventually(
      () => read(webhook),
      ({ status }) => status === 'auto_disabled',
    );
    expect(ended).toMatchObject({ disabled_reason: 'key_expired' });
    const { body } = await service.client().patch<Json>(`/api/webhooks/${webhook.id}`, { status: 'enabled' });
    expect(body).toMatchObject({ status: 'enabled', disabled_reason: null });
    // Another key that expires later proves that expiry was checked again.
    const later = await keyWithWebhook({ expires_at: new Date(Date.now() + 3_000).toISOString() });
    await eventually(
      () => read(later.webhook),
      ({ status }) => status === 'auto_disabled',
    );
    expect(await read(webhook)).toMatchObject({ status: 'enabled', disabled_reason: null });
  });

  it('is disabled when the user of the key is suspended', async () => {
    const { id: userId } = await invite(service, owner, 'ben', 'admin');
    const { webhook } = await keyWithWebhook({ user_id: userId });
    await owner.must(200, 'PATCH', `/members/${userId}`, { status: 'suspended' });
    expect(await read(webhook)).toMatchObject({ status: 'auto_disabled', disabled_reason: 'key_revoked' });
  });
});

it('a webhook shows who registered it and why it is disabled', async () => {
  const made = await owner.must(201, 'POST', '/api/webhooks', { url: NOWHERE, events: ['messages'] });
  expect(made).toMatchObject({ created_by_key: null, disabled_reason: null });
  const change = (body: Json) => owner.must(200, 'PATCH', `/api/webhooks/${made.id}`, body);
  expect(await change({ status: 'disabled' })).toMatchObject({ disabled_reason: 'requested' });
  expect(await change({ description: 'x' })).toMatchObject({ disabled_reason: 'requested' });
  expect(await change({ status: 'enabled' })).toMatchObject({ disabled_reason: null });
  const off = { url: NOWHERE, events: ['messages'], status: 'disabled' };
  expect(await owner.must(201, 'POST', '/api/webhooks', off)).toMatchObject({ disabled_reason: 'requested' });
});
