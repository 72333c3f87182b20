import { Client, Events, GatewayIntentBits, type Message, Partials, REST, Routes } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../../adapters/discord/simulator/index.js';

const { Guilds, GuildMessages, DirectMessages, MessageContent } = GatewayIntentBits;
let simulator: DiscordSimulator;
let client: Client;

/** discord.js in its default setup, with its caches, queues and reconnects. */
async function login(intents: GatewayIntentBits[]): Promise<Client> {
  simulator = new DiscordSimulator({ limits: 'none' });
  const { apiBaseUrl } = await simulator.start();
  client = new Client({ intents, partials: [Partials.Channel], rest: { api: apiBaseUrl } });
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(String(simulator.account().credentials.bot_token));
  await ready;
  return client;
}
const next = (event: 'messageCreate') =>
  new Promise<Message>((resolve) => client.once(event, (message) => resolve(message)));

afterEach(async () => {
  await client.destroy();
  await simulator.stop();
});

describe('the simulated Discord', () => {
  it('serves the discord.js client: messages, replies, edits and deletions', async () => {
    await login([Guilds, GuildMessages, DirectMessages, MessageContent]);
    const chatId = simulator.chats()[0]?.id ?? '';
    const received = next('messageCreate');
    await simulator.post({ chatId, sender: 'Ada', text: 'hello' });
    const message = await received;
    expect([message.content, message.author.displayName, message.channelId]).toEqual([
      'hello',
      'Ada',
      chatId,
    ]);
    const reply = await message.reply('hi');
    await reply.edit('hi!');
    expect(simulator.messages(chatId)[1]).toMatchObject({
      text: 'hi!',
      own: true,
      replyToId: message.id,
      edited: true,
    });
    await reply.delete();
    expect(simulator.messages(chatId)[1]).toMatchObject({ deleted: true });
  });

  it('opens direct messages and returns errors in Discord’s format', async () => {
    await login([Guilds, DirectMessages]);
    const direct = await client.users.createDM(simulator.address(0));
    expect((await direct.send('hello')).content).toBe('hello');
    expect((await direct.messages.fetch({ limit: 10 })).size).toBe(1);
    expect(simulator.messages(simulator.address(0))).toEqual(simulator.messages(direct.id));
    simulator.closeDirect(simulator.address(0));
    await expect(direct.send('again')).rejects.toMatchObject({ code: 50007, status: 403 });
    await expect(client.channels.fetch('123456789012345678')).rejects.toMatchObject({
      code: 10003,
      status: 404,
    });
  });

  it('hides the content of other people’s messages from clients without the intent', async () => {
    await login([Guilds, GuildMessages]);
    const received = next('messageCreate');
    await simulator.post({ chatId: simulator.chats()[0]?.id ?? '', sender: 'Ada', text: 'secret' });
    expect((await received).content).toBe('');
  });

  it('limits rates with headers that the client respects', async () => {
    simulator = new DiscordSimulator();
    const { apiBaseUrl } = await simulator.start();
    client = new Client({ intents: [] });
    const rest = new REST({ api: apiBaseUrl, rejectOnRateLimit: () => true });
    rest.setToken(String(simulator.account().credentials.bot_token));
    const route = Routes.channelMessages(simulator.chats()[0]?.id ?? '');
    for (let count = 0; count < 5; count += 1) await rest.post(route, { body: { content: `${count}` } });
    await expect(rest.post(route, { body: { content: 'x' } })).rejects.toMatchObject({
      limit: 5,
      global: false,
    });
  });
});
