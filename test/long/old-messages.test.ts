import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { SimulatedMessage, SynchronousSimulator } from '../../src/contract/simulation/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type Service, startService } from '../support/service.js';

const telegram = new TelegramSimulator({ limits: 'none' });
const discord = new DiscordSimulator({ limits: 'none' });
const both: readonly SynchronousSimulator[] = [telegram, discord];
const chatOf = (simulator: SynchronousSimulator) =>
  simulator.chats().find(({ kind }) => kind === 'group')?.id ?? '';
/** More than one part on Discord, and one on Telegram. */
const LONG = 'word '.repeat(600).trimEnd();

let dataDir: string;
let service: Service;
let api: ApiClient;
let conversation: Json;
let old: Json;

const seen = (simulator: SynchronousSimulator, enough: (messages: readonly SimulatedMessage[]) => boolean) =>
  eventually(async () => simulator.messages(chatOf(simulator)).filter(({ deleted }) => !deleted), enough);
/** The words of the old message: its parts in a row, without a reply between them. */
const inText = (messages: readonly SimulatedMessage[]) =>
  messages
    .map(({ text }) => text)
    .filter((text) => !text.endsWith('I read it'))
    .join(' ')
    .replace(/\s+/g, ' ');
const isConnected = ({ status, health }: Json) =>
  status === 'connected' && !String((health as Json).message).startsWith('Connecting');

async function connect(simulator: SynchronousSimulator): Promise<Json> {
  await simulator.start();
  const connection = await api.must(201, 'POST', `/openapi/platforms/${simulator.platform}/connections`, {
    name: simulator.platform,
    ...simulator.account(),
  });
  await eventually(
    () => api.must(200, 'GET', `/openapi/platforms/connections/${connection.id}`),
    isConnected,
  );
  return { connection_id: connection.id, external_id: chatOf(simulator) };
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trunkline-old-'));
  service = await startService({ dataDir });
  api = service.client();
  const links = [await connect(telegram), await connect(discord)];
  conversation = await api.must(201, 'POST', '/openapi/conversations', { links });
  old = await api.must(201, 'POST', '/openapi/messages', { conversation_id: conversation.id, text: LONG });
  await eventually(
    () => api.must(200, 'GET', `/openapi/messages/${old.id}`),
    ({ status }) => status === 'sent',
  );
  await service.kill();
  service = await startService({ dataDir, key: service.key });
  api = service.client();
});
afterAll(async () => {
  await service?.stop();
  for (const simulator of both) await simulator.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a message from before a kill and restart of the service', () => {
  it('can be replied to and reacted to by people', async () => {
    const [copy] = await seen(discord, (all) => all.length === 2);
    discord.people.react(chatOf(discord), copy?.id ?? '', 'Grace', '👍');
    const reacted = await eventually(
      () => api.must(200, 'GET', `/openapi/messages/${old.id}`),
      ({ reactions }) => (reactions as Json[]).length > 0,
    );
    expect(reacted.reactions).toMatchObject([{ emoji: '👍', count: 1 }]);
    const [shown] = await seen(telegram, (all) => all.length === 1);
    await telegram.post({
      chatId: chatOf(telegram),
      sender: 'Ada',
      text: 'I read it',
      replyToId: shown?.id ?? '',
    });
    const relayed = await seen(discord, (all) => all.length === 3);
    expect(relayed.at(-1)).toMatchObject({ text: 'Ada: I read it', replyToId: copy?.id });
  });

  it('is edited in all its parts on each platform, and deleted there', async () => {
    await api.must(200, 'PATCH', `/openapi/messages/${old.id}`, { text: 'short' });
    for (const simulator of both) {
      const left = await seen(simulator, (all) => all.length === 2 && all[0]?.text === 'short');
      expect(left[0]).toMatchObject({ own: true, edited: true });
    }
    await api.must(200, 'PATCH', `/openapi/messages/${old.id}`, { text: LONG });
    for (const simulator of both) await seen(simulator, (all) => inText(all) === LONG);
    await api.must(204, 'DELETE', `/openapi/messages/${old.id}`);
    for (const simulator of both) {
      const left = await seen(simulator, (all) => all.length === 1);
      expect(left[0]?.text).toMatch(/I read it$/);
    }
  });
});
