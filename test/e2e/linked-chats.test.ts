import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { SynchronousSimulator } from '../../src/contract/simulation/index.js';
import { type ApiClient, fieldsOf, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

/** For each platform, valid ids that belong to no chat, and one invalid id. */
const platforms = {
  telegram: { simulator: new TelegramSimulator(), unknown: ['-1009999999999', '@nobody_here', 'nonsense'] },
  discord: { simulator: new DiscordSimulator(), unknown: ['999999999999999999', 'nonsense'] },
  slack: { simulator: new SlackSimulator(), unknown: ['C0NOBODYHERE', 'nonsense'] },
} as const satisfies Record<string, { simulator: SynchronousSimulator; unknown: readonly string[] }>;

let service: SharedService;
let api: ApiClient;

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  for (const { simulator } of Object.values(platforms)) await simulator.start();
});
afterAll(async () => {
  for (const { simulator } of Object.values(platforms)) await simulator.stop();
});

async function connect(simulator: SynchronousSimulator, more: Json = {}): Promise<unknown> {
  const body = { name: simulator.platform, ...simulator.account(), ...more };
  const path = `/openapi/platforms/${simulator.platform}/connections`;
  return (await api.must(201, 'POST', path, body)).id;
}

const conversation = async () =>
  (await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [], title: 'Links' })).id;

describe.each(Object.entries(platforms))('a link to a chat of %s', (platform, { simulator, unknown }) => {
  it('is refused with its field when the platform does not know the chat', async () => {
    const id = await conversation();
    const connection_id = await connect(simulator);
    for (const external_id of unknown) {
      const answer = await api.post(`/openapi/conversations/${id}/links`, { connection_id, external_id });
      expect([external_id, answer.status, fieldsOf(answer)]).toEqual([
        external_id,
        400,
        [['external_id', 'invalid_value']],
      ]);
      expect(answer.text).toContain(`is not a chat of this account on ${platform}`);
      const opened = await api.post('/openapi/conversations', { links: [{ connection_id, external_id }] });
      expect([opened.status, fieldsOf(opened)]).toEqual([400, [['links.0.external_id', 'invalid_value']]]);
    }
    expect((await api.must<{ data: Json[] }>(200, 'GET', `/openapi/conversations/${id}/links`)).data).toEqual(
      [],
    );
  });

  it('has the title from the platform, unless the client sets one', async () => {
    const connection_id = await connect(simulator);
    const chat = simulator.chats().find(({ kind }) => kind === 'group');
    const path = `/openapi/conversations/${await conversation()}/links`;
    const link = { connection_id, external_id: chat?.id };
    const made = await api.must(201, 'POST', path, link);
    expect(made.title).toBe(chat?.title);
    await api.must(204, 'DELETE', `${path}/${made.id}`);
    expect((await api.must(201, 'POST', path, { ...link, title: 'Ours' })).title).toBe('Ours');
  });

  it('is created without a check when the connection is disabled or the platform does not respond', async () => {
    const path = `/openapi/conversations/${await conversation()}/links`;
    const [external_id] = unknown;
    const off = await connect(simulator, { enabled: false });
    await api.must(201, 'POST', path, { connection_id: off, external_id });
    const connection_id = await connect(simulator);
    simulator.faults.set({ fault: { kind: 'drop_before' }, times: 1_000 });
    await api.must(201, 'POST', path, { connection_id, external_id });
    simulator.faults.clear();
  });
});

it('a link to a chat of telegram is refused when Telegram reads another id than it was given', async () => {
  const { simulator } = platforms.telegram;
  const connection_id = await connect(simulator);
  const chat = simulator.chats().find(({ kind }) => kind === 'group')?.id ?? '';
  for (const external_id of [` ${chat}`, `${chat} `, chat.replace('-', '-0'), `${chat}.0`]) {
    const answer = await api.post('/openapi/conversations', { links: [{ connection_id, external_id }] });
    expect([external_id, answer.status, fieldsOf(answer)]).toEqual([
      external_id,
      400,
      [['links.0.external_id', 'invalid_value']],
    ]);
    expect(answer.text).toContain(`Use its id ${chat}.`);
  }
});
