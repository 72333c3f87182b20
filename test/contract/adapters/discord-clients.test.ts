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
  type Interaction,
  InteractionContextType,
  type TextChannel,
} from 'discord.js';
import { Client as Eris, type TextChannel as ErisChannel, type Message as ErisMessage } from 'eris';
import { Client as Oceanic, type Message as OceanicMessage } from 'oceanic.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
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
    // Its own undici would send through the dispatcher of another version, which does not support Node's FormData.
    rest: { api, makeRequest: (url, init) => fetch(url, init as RequestInit) as never },
  });
  end = () => client.destroy();
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(token());
  await ready;
  return client;
}
const channelOf = async (client: DiscordJs) => (await client.channels.fetch(general())) as TextChannel;

/** Sends a request as libraries for other languages do. */
async function call(method: string, path: string, body?: string) {
  const response = await fetch(`${api}/v10${path}`, {
    method,
    headers: { authorization: `Bot ${token()}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: The answers of the routes differ.
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as any };
}

describe('requests that discord.py sends', () => {
  const messages = () => `/channels/${general()}/messages`;

  it('may have null fields, which count as absent', async () => {
    const card =
      '{"content":null,"tts":false,"embeds":[{"title":"Build 7"}],"nonce":null,"allowed_mentions":null}';
    expect(await call('POST', messages(), card)).toMatchObject({
      status: 200,
      body: { content: '', embeds: [{ title: 'Build 7' }] },
    });
    expect(await call('POST', messages(), '{"content":null}')).toMatchObject({
      status: 400,
      body: { code: 50006 },
    });
    expect(await call('POST', messages(), '{"content":5}')).toMatchObject({
      status: 400,
      body: { code: 50035 },
    });
    const hook = await call('POST', `/channels/${general()}/webhooks`, '{"name":"Build","avatar":null}');
    const path = `/webhooks/${hook.body.id}/${hook.body.token}?wait=1`;
    expect(
      await call('POST', path, '{"content":null,"embeds":[{"title":"T"}],"username":null}'),
    ).toMatchObject({
      status: 200,
      body: { author: { username: 'Build' } },
    });
  });

  it('may contain ids as numbers that JavaScript cannot represent', async () => {
    const { body: members } = await call('GET', `/guilds/${guild()}/members?limit=10`);
    for (const { user } of members.filter((each: { user: { bot?: true } }) => !each.user.bot)) {
      const opened = await call('POST', '/users/@me/channels', `{"recipient_id": ${user.id}}`);
      expect(opened).toMatchObject({ status: 200, body: { recipients: [{ id: user.id }] } });
    }
    const sent = await call(
      'POST',
      messages(),
      '{"content":"say: 12345678901234567890, 1234567890123456789"}',
    );
    expect(sent.body.content).toBe('say: 12345678901234567890, 1234567890123456789');
    const reference = `{"message_id":${sent.body.id},"channel_id":${general()},"fail_if_not_exists":true}`;
    expect(await call('POST', messages(), `{"content":"re","message_reference":${reference}}`)).toMatchObject(
      {
        body: { message_reference: { message_id: sent.body.id } },
      },
    );
  });

  it('return open threads with their creators, and no closed threads', async () => {
    const client = await discordJs();
    const thread = await (await channelOf(client)).threads.create({ name: 'Old' });
    await thread.setArchived(true);
    await call('POST', `/channels/${general()}/threads`, '{"name":"New","type":11}');
    const { body: active } = await call('GET', `/guilds/${guild()}/threads/active`);
    expect(active.threads.map(({ name }: { name: string }) => name)).toContain('New');
    expect(active.threads.map(({ name }: { name: string }) => name)).not.toContain('Old');
    for (const each of active.threads)
      expect(each).toMatchObject({ owner_id: expect.stringMatching(/^\d+$/) });
  });

  it('read, list and clear the reactions of a message, and read messages around one', async () => {
    const sent = [];
    for (const content of ['1', '2', '3', '4', '5']) {
      sent.push((await call('POST', messages(), JSON.stringify({ content }))).body.id);
    }
    const around = await call('GET', `${messages()}?limit=3&around=${sent[2]}`);
    expect(around.body.map(({ id }: { id: string }) => id)).toEqual([sent[3], sent[2], sent[1]]);
    const one = `${messages()}/${sent[0]}`;
    const reactions = async () => (await call('GET', one)).body.reactions;
    for (const emoji of ['👍', '🎉']) await call('PUT', `${one}/reactions/${encodeURIComponent(emoji)}/@me`);
    expect(await reactions()).toMatchObject([
      { emoji: { id: null, name: '👍' }, count: 1, me: true },
      { emoji: { id: null, name: '🎉' }, count: 1, me: true },
    ]);
    const who = await call('GET', `${one}/reactions/${encodeURIComponent('👍')}`);
    expect(who.body).toMatchObject([{ bot: true }]);
    await call('DELETE', `${one}/reactions/${encodeURIComponent('👍')}`);
    expect(await reactions()).toMatchObject([{ emoji: { name: '🎉' } }]);
    await call('DELETE', `${one}/reactions`);
    expect(await reactions()).toBeUndefined();
  });
});

it('the simulated Discord sends the Via header of its proxy with a 429, as discord.py expects', async () => {
  simulator.faults.set({ fault: { kind: 'rate_limited', retryAfterMs: 10 } });
  const refused = await fetch(`${api}/v10/users/@me`, { headers: { authorization: `Bot ${token()}` } });
  expect([refused.status, refused.headers.get('via')]).toEqual([429, '1.1 google']);
});

it('the simulated Discord refuses broken requests and continues', async () => {
  expect(await call('POST', `/channels/${general()}/messages`, '{"content":')).toMatchObject({
    status: 400,
    body: { code: 50109 },
  });
  expect(await call('GET', `/channels/${general()}/messages?after=x`)).toMatchObject({ status: 500 });
  expect(await call('PUT', `/channels/${general()}/messages/1/reactions/%E0%A4/@me`)).toMatchObject({
    status: 500,
  });
  const socket = new WebSocket(api.replace(/^http(.*)\/api$/, 'ws$1/gateway'));
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code);
  });
  socket.onopen = () => socket.send('{');
  expect(await closed).toBe(4002);
  expect(await call('GET', '/users/@me')).toMatchObject({ status: 200 });
});

describe('discord.js with the simulated Discord', () => {
  it('changes the files of a message, and renames and removes a webhook', async () => {
    const channel = await channelOf(await discordJs());
    const file = (name: string) => ({ attachment: Buffer.from(name), name });
    const sent = await channel.send({ content: 'two', files: [file('a.txt'), file('b.txt')] });
    const names = async () =>
      (await channel.messages.fetch({ message: sent.id, force: true })).attachments.map(({ name }) => name);
    const [first] = sent.attachments.values();
    await sent.edit({ content: 'one', attachments: first === undefined ? [] : [first] });
    expect(await names()).toEqual(['a.txt']);
    await sent.edit({ attachments: [...sent.attachments.values()].slice(0, 1), files: [file('c.txt')] });
    expect(await names()).toEqual(['a.txt', 'c.txt']);
    const hook = await channel.createWebhook({ name: 'Build' });
    const posted = await hook.send({ content: 'x', username: 'CI' });
    expect((await hook.fetchMessage(posted.id)).content).toBe('x');
    expect((await hook.edit({ name: 'Deploy' })).name).toBe('Deploy');
    await hook.delete();
    expect((await channel.fetchWebhooks()).size).toBe(0);
  });

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

  it('receives the press of its own button, and answers it', async () => {
    const client = await discordJs();
    const channel = await channelOf(client);
    const button = new ButtonBuilder().setCustomId('order:7').setLabel('Good').setStyle(ButtonStyle.Primary);
    const row = new ActionRowBuilder<ButtonBuilder>().addComponents(button);
    const sent = await channel.send({ content: 'Tea?', components: [row] });
    const pressed = new Promise<Interaction>((resolve) => client.once(Events.InteractionCreate, resolve));
    simulator.press(general(), sent.id, 'Ada', 'Good');
    const press = await pressed;
    if (!press.isButton()) throw new Error('It is not a button.');
    expect([press.customId, press.message.id, press.context]).toEqual([
      'order:7',
      sent.id,
      InteractionContextType.Guild,
    ]);
    await press.reply('Thanks');
    expect(simulator.people.answerTo(press.id)).toMatchObject({ data: { content: 'Thanks' } });
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

/** eris calls only https addresses, so its sockets are redirected to the simulator. */
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
