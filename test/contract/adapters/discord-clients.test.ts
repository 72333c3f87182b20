import { Agent } from 'node:http';
import { connect } from 'node:net';
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client as DiscordJs,
  EmbedBuilder,
  Events,
  GatewayIntentBits,
  type TextChannel,
} from 'discord.js';
import { Client as Eris, type TextChannel as ErisChannel, type Message as ErisMessage } from 'eris';
import { Client as Oceanic, type Message as OceanicMessage } from 'oceanic.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../../adapters/discord/simulator/index.js';

let simulator: DiscordSimulator;
let api = '';
let end: () => unknown = () => undefined;

const token = () => String(simulator.account().credentials.bot_token);
const general = () => simulator.chats()[0]?.id ?? '';
const guild = () => simulator.guildId;

beforeEach(async () => {
  simulator = new DiscordSimulator({ limits: 'none' });
  api = (await simulator.start()).apiBaseUrl;
});
afterEach(async () => {
  await end();
  await simulator.stop();
});

async function discordJs(): Promise<DiscordJs> {
  const { Guilds, GuildMessages, MessageContent, GuildMembers } = GatewayIntentBits;
  const client = new DiscordJs({
    intents: [Guilds, GuildMessages, MessageContent, GuildMembers],
    rest: { api },
  });
  end = () => client.destroy();
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(token());
  await ready;
  return client;
}
const channelOf = async (client: DiscordJs) => (await client.channels.fetch(general())) as TextChannel;

describe('discord.js with the simulated Discord', () => {
  it('sends and keeps embeds, components and polls without any text', async () => {
    const channel = await channelOf(await discordJs());
    const embed = new EmbedBuilder().setTitle('Build 7').setDescription('passed');
    const button = new ButtonBuilder().setCustomId('ok').setLabel('Good').setStyle(ButtonStyle.Primary);
    const row = new ActionRowBuilder<ButtonBuilder>().addComponents(button);
    const sent = await channel.send({ embeds: [embed], components: [row] });
    const poll = await channel.send({
      poll: { question: { text: 'Tea?' }, answers: [{ text: 'Yes' }], duration: 1, allowMultiselect: false },
    });
    const read = await channel.messages.fetch({ message: sent.id, force: true });
    expect(read.embeds[0]?.title).toBe('Build 7');
    expect(read.components).toHaveLength(1);
    expect((await channel.messages.fetch({ message: poll.id, force: true })).poll?.question.text).toBe(
      'Tea?',
    );
    await sent.edit({ components: [] });
    const edited = await channel.messages.fetch({ message: sent.id, force: true });
    expect([edited.embeds.length, edited.components.length]).toEqual([1, 0]);
    await expect(channel.send({ content: '' })).rejects.toMatchObject({ code: 50006 });
  });

  it('pins, deletes in bulk, starts threads and closes them', async () => {
    const channel = await channelOf(await discordJs());
    const [one, two, three] = [await channel.send('1'), await channel.send('2'), await channel.send('3')];
    await one?.pin();
    expect((await channel.messages.fetchPins()).items.map(({ message }) => message.id)).toEqual([one?.id]);
    await one?.unpin();
    await channel.bulkDelete([two?.id ?? '', three?.id ?? '']);
    expect(simulator.messages(general()).map(({ deleted }) => deleted)).toEqual([false, true, true]);
    const thread = await one?.startThread({ name: 'about this' });
    expect([thread?.id, thread?.parentId, thread?.archived]).toEqual([one?.id, general(), false]);
    await thread?.send('inside');
    await thread?.setArchived(true);
    expect(simulator.messages(thread?.id ?? '')).toMatchObject([{ text: 'inside' }]);
  });

  it('reads the application, the server and its members, and sets commands', async () => {
    const client = await discordJs();
    await simulator.post({ chatId: general(), sender: 'Ada', text: 'hello' });
    const application = await client.application?.fetch();
    expect(application?.description).toBe('');
    const commands = [{ name: 'ask', description: 'Asks' }];
    expect((await client.application?.commands.set(commands))?.map(({ name }) => name)).toEqual(['ask']);
    expect((await client.application?.commands.set(commands, guild()))?.first()?.guildId).toBe(guild());
    const server = await client.guilds.fetch({ guild: guild(), force: true });
    const members = await server.members.fetch();
    expect(members.map(({ displayName }) => displayName)).toContain('Ada');
    expect((await server.members.fetch({ query: 'ad', limit: 1 })).size).toBe(1);
    expect((await client.guilds.fetch()).has(guild())).toBe(true);
    expect((await server.roles.fetch()).has(guild())).toBe(true);
  });
});

/** eris calls only https addresses, so its sockets are led to the simulator. */
class PlainAgent extends Agent {
  readonly protocol = 'https:';
  override createConnection() {
    const { hostname, port } = new URL(api);
    return connect(Number(port), hostname);
  }
}

describe('eris with the simulated Discord', () => {
  it('connects, receives, replies, edits, pins and requests members', async () => {
    const client = new Eris(`Bot ${token()}`, {
      intents: ['guilds', 'guildMessages', 'guildMembers', 'messageContent'] as never,
      rest: { agent: new PlainAgent() as never, baseURL: '/api/v10' },
    });
    end = () => client.disconnect({ reconnect: false });
    const failures: unknown[] = [];
    client.on('error', (error) => failures.push(error));
    const ready = new Promise((resolve) => client.once('ready', () => resolve(undefined)));
    const heard = new Promise<ErisMessage>((resolve) => client.once('messageCreate', resolve));
    await client.connect();
    await ready;
    await simulator.post({ chatId: general(), sender: 'Ada', text: 'hello' });
    const message = await heard;
    expect([message.content, message.author.username]).toEqual(['hello', 'ada']);
    const answer = await client.createMessage(general(), {
      content: 'hi',
      messageReference: { messageID: message.id },
    });
    await client.editMessage(general(), answer.id, 'hi!');
    await client.pinMessage(general(), answer.id);
    expect((await client.getPins(general())).map(({ id }) => id)).toEqual([answer.id]);
    expect(simulator.messages(general())[1]).toMatchObject({ text: 'hi!', replyToId: message.id });
    const server = client.guilds.get(guild());
    expect((await server?.fetchMembers({ query: 'ada' }))?.map(({ username }) => username)).toEqual(['ada']);
    expect((client.getChannel(general()) as ErisChannel).name).toBe('general');
    expect((await client.getOAuthApplication()).description).toBe('');
    expect(await client.bulkEditCommands([{ name: 'ask', description: 'Asks', type: 1 }])).toMatchObject([
      { name: 'ask' },
    ]);
    expect(failures).toEqual([]);
  });
});

describe('oceanic.js with the simulated Discord', () => {
  it('connects, receives, replies, edits, deletes and starts a thread', async () => {
    const client = new Oceanic({
      auth: `Bot ${token()}`,
      gateway: { intents: ['GUILDS', 'GUILD_MESSAGES', 'GUILD_MEMBERS', 'MESSAGE_CONTENT'] },
      rest: { baseURL: `${api}/v10` },
    });
    end = () => client.disconnect(false);
    const failures: unknown[] = [];
    client.on('error', (error) => failures.push(error));
    const ready = new Promise((resolve) => client.once('ready', () => resolve(undefined)));
    const heard = new Promise<OceanicMessage>((resolve) => client.once('messageCreate', resolve));
    await client.connect();
    await ready;
    await simulator.post({ chatId: general(), sender: 'Ada', text: 'hello' });
    const message = await heard;
    expect([message.content, message.author.username]).toEqual(['hello', 'ada']);
    const { channels } = client.rest;
    const answer = await channels.createMessage(general(), {
      content: 'hi',
      messageReference: { messageID: message.id },
    });
    await answer.edit({ content: 'hi!' });
    expect(simulator.messages(general())[1]).toMatchObject({ text: 'hi!', replyToId: message.id });
    const embed = await channels.createMessage(general(), { embeds: [{ title: 'Build 7' }] });
    expect((await channels.getMessage(general(), embed.id)).embeds[0]?.title).toBe('Build 7');
    await embed.delete();
    const thread = await answer.startThread({ name: 'more' });
    expect([thread.id, thread.threadMetadata.archived]).toEqual([answer.id, false]);
    const members = await client.guilds.get(guild())?.fetchMembers({ query: 'ada' });
    expect(members?.map(({ username }) => username)).toEqual(['ada']);
    expect((await client.rest.applications.getCurrent()).description).toBe('');
    expect(failures).toEqual([]);
  });
});
