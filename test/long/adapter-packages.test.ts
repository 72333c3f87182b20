import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTRACT_VERSION } from '../../src/contract/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { plainPlatform } from '../support/packaged-platform.js';
import { type Service, startService } from '../support/service.js';

let folder: string;
let service: Service;
let api: ApiClient;

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trunkline-adapters-'));
  await mkdir(folder, { recursive: true });
  const adapters = [
    await write(
      'pager.mjs',
      plainPlatform({
        platform: 'pager',
        displayName: 'Pager',
        hooks: 'capabilities: () => ({ ...capabilities, text: { ...capabilities.text, max: 40 } }),',
        definition:
          'settings: z.object({ rooms: z.record(z.string(), z.object({ title: z.string() })).optional() }),',
      }),
    ),
    await write('second.mjs', plainPlatform({ platform: 'pager', displayName: 'Second' })),
    await write('old.mjs', plainPlatform({ platform: 'fax', displayName: 'Fax', contractVersion: 99 })),
    await write('broken.mjs', "throw new Error('no');"),
  ];
  service = await startService({ env: { TRUNKLINE_ADAPTERS: adapters.join(',') } });
  api = service.client();
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('an adapter from a package', () => {
  it('is listed as a protocol and a platform, like the bundled ones', async () => {
    const protocol = await api.must<Json>(200, 'GET', '/openapi/protocols/pager');
    expect(protocol).toMatchObject({
      name: 'Pager',
      contract_version: CONTRACT_VERSION,
      config_schema: { credentials: [{ name: 'token', type: 'secret', required: true }] },
    });
    expect(await api.must(200, 'GET', '/openapi/platforms/pager')).toMatchObject({
      status: 'available',
      connections: [],
    });
  });

  it('refuses unknown names in settings and credentials, and suggests the nearest known one', async () => {
    const { status, body } = await api.post('/openapi/platforms/pager/connections', {
      name: 'Mistyped',
      credentials: { token: 'secret-token', tokn: 'x' },
      settings: { rooms: { lobby: { titel: 'Lobby' } } },
    });
    expect(status).toBe(400);
    expect(body.details).toMatchObject({
      fields: [
        { field: 'credentials.tokn', message: 'Unknown name. The nearest known field is credentials.token.' },
        {
          field: 'settings.rooms.lobby.titel',
          message: 'Unknown name. The nearest known field is settings.rooms.lobby.title.',
        },
      ],
    });
  });

  it('connects, is linked to a conversation and sends a message', async () => {
    const connection = await api.must<Json>(201, 'POST', '/openapi/platforms/pager/connections', {
      name: 'Mine',
      credentials: { token: 'secret-token' },
    });
    await eventually(
      () => api.must<Json>(200, 'GET', `/openapi/platforms/connections/${connection.id}`),
      ({ status }) => status === 'connected',
    );
    const conversation = await api.must<Json>(201, 'POST', '/openapi/conversations', {
      links: [{ connection_id: connection.id, external_id: 'room' }],
    });
    // This connection supports less than the definition states.
    const path = `/openapi/conversations/${conversation.id}/capabilities`;
    expect(await api.must<Json>(200, 'GET', path)).toMatchObject({ combined: { text: { max: 40 } } });
    expect(await api.must<Json>(200, 'GET', '/openapi/protocols/pager')).toMatchObject({
      capabilities: { text: { max: null } },
    });
    const message = await api.must<Json>(201, 'POST', '/openapi/messages', {
      conversation_id: conversation.id,
      text: 'Hello',
    });
    await eventually(
      () => api.must<Json>(200, 'GET', `/openapi/messages/${message.id}`),
      ({ status }) => status === 'sent',
    );
  });

  it('that is incompatible is refused with a reason in the log and an error in the status, and the service remains ready', async () => {
    const reasons = service.log.filter(({ msg }) => msg === 'adapter.refused');
    expect(reasons).toEqual([
      expect.objectContaining({ adapter: expect.stringContaining('broken.mjs') }),
      expect.objectContaining({ platform: 'pager', reason: expect.stringContaining('Another adapter') }),
      expect.objectContaining({ platform: 'fax', reason: expect.stringContaining('adapter contract 99') }),
    ]);
    const { components } = await api.must<{ components: Json[] }>(200, 'GET', '/openapi/status');
    const refused = components.filter(({ name }) => String(name).startsWith('adapter:'));
    expect(refused.map(({ status }) => status)).toEqual(['outage', 'outage', 'outage']);
    expect(await api.must(200, 'GET', '/openapi/platforms/fax')).toMatchObject({
      name: 'Fax',
      status: 'error',
      connections: [],
    });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await api.must(404, 'POST', '/openapi/platforms/fax/connections', { name: 'x', credentials: {} });
    await api.must(404, 'GET', '/openapi/protocols/fax');
  });
});
