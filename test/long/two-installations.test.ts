import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type Service, startService } from '../support/service.js';
import { SharedRoom } from '../support/shared-room.js';

/** One of two services that bridge the same two rooms, with its own bot in each. */
interface Installation {
  readonly discord: DiscordSimulator;
  readonly slack: SlackSimulator;
  readonly service: Service;
  readonly api: ApiClient;
  readonly conversation: string;
}

/** The service looks a refused name up again after a second at the earliest. */
const ASK_AGAIN_MS = 1_000;
const NAMES = ['Northern bridge', 'Southern bridge'];
const installations: Installation[] = [];
let onDiscord: SharedRoom;
let onSlack: SharedRoom;

async function connect(api: ApiClient, platform: string, account: object, says: string): Promise<string> {
  const made = await api.must<{ id: string }>(201, 'POST', `/openapi/platforms/${platform}/connections`, {
    name: 'bot',
    ...account,
  });
  await eventually(
    () => api.must(200, 'GET', `/openapi/platforms/connections/${made.id}`),
    ({ status, health }) => status === 'connected' && String((health as Json).message).includes(says),
  );
  return made.id;
}

async function install(): Promise<Installation> {
  const discord = new DiscordSimulator({ limits: 'none' });
  const slack = new SlackSimulator({ limits: 'none' });
  const [service] = await Promise.all([startService(), discord.start(), slack.start()]);
  const api = service.client();
  const [here, there] = await Promise.all([
    // A bot receives no messages from before its socket is open.
    connect(api, 'discord', discord.account(), 'gateway'),
    connect(api, 'slack', slack.accountForGateway(), ''),
  ]);
  await eventually(
    async () => slack.connections,
    (count) => count > 0,
  );
  const { id } = await api.must<{ id: string }>(201, 'POST', '/openapi/conversations', {
    links: [
      { connection_id: here, external_id: discord.chats()[0]?.id },
      { connection_id: there, external_id: slack.chats()[0]?.id },
    ],
  });
  return { discord, slack, service, api, conversation: id };
}

beforeAll(async () => {
  installations.push(...(await Promise.all(NAMES.map(install))));
  const views = (of: (each: Installation) => DiscordSimulator | SlackSimulator) =>
    installations.map((each, index) => ({ simulator: of(each), bot: NAMES[index] ?? '' }));
  onDiscord = new SharedRoom(views(({ discord }) => discord));
  onSlack = new SharedRoom(views(({ slack }) => slack));
});
afterAll(async () => {
  for (const { service, discord, slack } of installations) {
    await service.stop();
    await discord.stop();
    await slack.stop();
  }
});

/** Everything that a service has received, oldest first. */
const stored = async ({ api, conversation }: Installation): Promise<string[]> =>
  (
    await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/messages?filter=conversation_id:${conversation}&sort=created_at&limit=100`,
    )
  ).data.map(({ text }) => String(text));

/** Waits until the rooms have no new messages and both services have received this many. */
async function quiet(messages: number): Promise<string[][]> {
  await eventually(
    async () => {
      const changed = [onDiscord.show(), onSlack.show()].some(Boolean);
      const heard = await Promise.all(installations.map(stored));
      return { changed, heard };
    },
    ({ changed, heard }) => !changed && heard.every((texts) => texts.length >= messages),
  );
  return Promise.all(installations.map(stored));
}

const copiesNamed = (room: SharedRoom, name: string, text: string) =>
  room.texts().filter((each) => each === `${name}: ${text}`).length;
/** The texts of the test itself. */
const greetings = (texts: readonly string[]) => texts.filter((text) => text.includes('hello')).sort();

/**
 * Resolves when both services know the name of Grace, with the number of messages that each has stored. A busy platform may
 * take too long to answer for the first copies.
 */
async function introduceGrace(): Promise<number> {
  for (let number = 1; ; number += 1) {
    const text = `Testing ${number}`;
    onSlack.post('Grace', text);
    await quiet(2 * number);
    if (copiesNamed(onDiscord, 'Grace', text) === NAMES.length) return 2 * number;
    await sleep(ASK_AGAIN_MS);
  }
}

describe('two installations with bots in the same chats', () => {
  it('copy a message of a person once each, and never a copy of the other one', async () => {
    const before = await introduceGrace();
    onDiscord.post('Ada', 'hello from Discord');
    onSlack.post('Grace', 'hello from Slack');
    // Each service receives two messages of people and two copies of the other service.
    const heard = await quiet(before + 4);

    expect(greetings(onDiscord.texts())).toEqual([
      'Grace: hello from Slack',
      'Grace: hello from Slack',
      'hello from Discord',
    ]);
    expect(greetings(onSlack.texts())).toEqual([
      'Ada: hello from Discord',
      'Ada: hello from Discord',
      'hello from Slack',
    ]);
    for (const texts of heard) expect(greetings(texts)).toHaveLength(4);
  });

  it('store messages of bots in the conversation, and send them to no other chat', async () => {
    for (const { api, conversation } of installations) {
      const { data } = await api.must<{ data: Json[] }>(
        200,
        'GET',
        `/openapi/messages?filter=conversation_id:${conversation}&limit=100`,
      );
      const copies = data.filter(({ text }) => String(text).includes(': hello'));
      expect(copies).toHaveLength(2);
      for (const copy of copies)
        expect(copy).toMatchObject({ direction: 'inbound', status: 'received', deliveries: [] });
    }
  });
});
