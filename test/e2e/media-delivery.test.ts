import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { SimulatedFile, SynchronousSimulator } from '../../src/contract/simulation/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { fileServer, formOf, png } from '../support/files.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;
let server: Awaited<ReturnType<typeof fileServer>>;
let release: () => void = () => undefined;
const held = new Promise<void>((resolve) => {
  release = resolve;
});
const picture = png(12, 7);
const text = Buffer.from('Notes of the day');
const telegram = new TelegramSimulator({ limits: 'none' });
const discord = new DiscordSimulator({ limits: 'none' });
const slack = new SlackSimulator({ limits: 'none' });
const sms = new TwilioSimulator({ limits: 'none' });

/** A conversation with one chat of each simulated platform. */
interface Room {
  readonly id: unknown;
  readonly chats: readonly string[];
}
const connections: Json[] = [];
const platforms: readonly SynchronousSimulator[] = [telegram, discord, slack, sms];

const room = async (taken: readonly number[]): Promise<Room> => {
  const chats = taken.map((index) => roomOf(platforms[index] as SynchronousSimulator));
  const links = taken.map((index, at) => ({ connection_id: connections[index]?.id, external_id: chats[at] }));
  const { id } = await api.must(201, 'POST', '/openapi/conversations', { links });
  return { id, chats };
};
/** Chats that tests have used. */
let used = 0;
let rooms = 0;
let slackRooms = 0;
const roomOf = (platform: SynchronousSimulator) => {
  used += 1;
  if (platform === discord) return discord.chats()[rooms++]?.id ?? '';
  return platform === slack ? (slack.chats()[slackRooms++]?.id ?? '') : platform.address(used);
};
const upload = async (value: Buffer, fileName: string, type: string): Promise<Json> => {
  const form = formOf([{ name: 'file', value, fileName, type }]);
  const answer = await api.post('/openapi/attachments', form.body, { headers: form.headers });
  expect(answer.status).toBe(201);
  return answer.body;
};
const send = (conversation: unknown, body: Json) =>
  api.must(201, 'POST', '/openapi/messages', { conversation_id: conversation, text: '', ...body });
const until = (message: Json, status: string) =>
  eventually(
    () => api.must(200, 'GET', `/openapi/messages/${message.id}`),
    (shown) => shown.status === status,
  );
const seen = (platform: SynchronousSimulator, chat: string) =>
  platform.messages(chat).filter(({ own }) => own);
const told = (files: readonly SimulatedFile[] | undefined) =>
  files?.map(({ name, mimeType, bytes }) => [name, mimeType, bytes.length]);

beforeAll(async () => {
  await Promise.all(platforms.map((platform) => platform.start()));
  server = await fileServer({
    '/slow.png': { type: 'image/png', body: picture, until: held },
    '/b.png': { type: 'image/png', body: picture },
  });
  service = await shareService();
  api = service.client();
  for (const platform of platforms) {
    const path = `/openapi/platforms/${platform.platform}/connections`;
    const connection = await api.must(201, 'POST', path, { name: platform.platform, ...platform.account() });
    platform.setWebhook?.(String(connection.webhook_url));
    connections.push(connection);
  }
  await eventually(
    async () => (await api.must<{ data: Json[] }>(200, 'GET', '/openapi/platforms/connections')).data,
    (list) => list.every(({ status }) => status === 'connected'),
  );
});
afterAll(async () => {
  await Promise.all(platforms.map((platform) => platform.stop()));
  await server.close();
});

describe('a file is sent to the platform as a file', () => {
  it('to Telegram, with the text as the caption of the first', async () => {
    const { id, chats } = await room([0]);
    const image = await upload(picture, 'plan.png', 'image/png');
    const notes = await upload(text, 'a.txt', 'text/plain');
    const attachments = [{ upload_id: image.id }, { upload_id: notes.id }];
    const message = await send(id, { text: 'Look', attachments });
    const sent = await until(message, 'sent');
    expect((sent.deliveries as Json[])[0]).toMatchObject({
      degradations: [],
      parts: [{ kind: 'media' }, { kind: 'media' }],
    });
    const shown = seen(telegram, chats[0] ?? '');
    expect(shown.map(({ text: said, files }) => [said, told(files)])).toEqual([
      ['Look', [['plan.png', expect.any(String), picture.length]]],
      ['', [['a.txt', expect.any(String), text.length]]],
    ]);
    expect(shown[0]?.files?.[0]?.bytes.equals(picture)).toBe(true);
    await api.must(200, 'PATCH', `/openapi/messages/${message.id}`, { text: 'Look again' });
    await eventually(
      async () => seen(telegram, chats[0] ?? ''),
      ([first]) => first?.text === 'Look again',
    );
    expect(seen(telegram, chats[0] ?? '')).toHaveLength(2);
  });

  it('to Telegram, several as one album with a location and a contact card, which can be reacted to and deleted', async () => {
    const { id, chats } = await room([0]);
    const images = [await upload(picture, '1.png', 'image/png'), await upload(picture, '2.png', 'image/png')];
    const message = await send(id, {
      text: 'Trip',
      attachments: [
        ...images.map((image) => ({ upload_id: image.id })),
        { type: 'location', latitude: 48.2, longitude: 16.4 },
        { type: 'contact', metadata: { name: 'Bo', phone: '+431' } },
      ],
    });
    const [delivery] = (await until(message, 'sent')).deliveries as Json[];
    const parts = delivery?.parts as Json[];
    const shown = seen(telegram, chats[0] ?? '');
    const kinds = ['media', 'media', 'location', 'contact'];
    expect(parts).toMatchObject(kinds.map((kind, index) => ({ index, kind, external_id: shown[index]?.id })));
    expect(telegram.ledger.entries('sendMediaGroup')).toHaveLength(1);
    await api.must(200, 'PUT', `/openapi/messages/${message.id}/reactions/${encodeURIComponent('❤️')}`);
    await eventually(
      async () => telegram.reactionOn(chats[0] ?? '', shown[0]?.id ?? ''),
      (reaction) => reaction === '❤',
    );
    await api.must(204, 'DELETE', `/openapi/messages/${message.id}`);
    await eventually(
      async () => seen(telegram, chats[0] ?? '').filter(({ deleted }) => !deleted),
      (left) => left.length === 0,
    );
  });

  it('to Discord, all in the message with the text', async () => {
    const { id, chats } = await room([1]);
    const image = await upload(picture, 'plan.png', 'image/png');
    const attachments = [{ upload_id: image.id, alt_text: 'The plan' }, { url: `${server.url}b.png` }];
    const message = await send(id, { text: 'Look', attachments });
    await until(message, 'sent');
    const shown = seen(discord, chats[0] ?? '').at(-1);
    expect([shown?.text, told(shown?.files)]).toEqual([
      'Look',
      [
        ['plan.png', 'image/png', picture.length],
        ['b.png', 'image/png', picture.length],
      ],
    ]);
    expect(JSON.stringify(discord.ledger.entries('POST /channels/:id/messages').at(-1)?.request)).toContain(
      'The plan',
    );
    await api.must(200, 'PATCH', `/openapi/messages/${message.id}`, { text: 'Look again' });
    const edited = await eventually(
      async () => seen(discord, chats[0] ?? '').at(-1),
      (last) => last?.text === 'Look again',
    );
    expect(told(edited?.files)).toHaveLength(2);
  });

  it('to Slack, all in one message with the text, which can be edited, reacted to and deleted', async () => {
    const { id, chats } = await room([2]);
    const [image, notes] = [
      await upload(picture, 'plan.png', 'image/png'),
      await upload(text, 'a.txt', 'text/plain'),
    ];
    const message = await send(id, {
      text: 'Look',
      attachments: [{ upload_id: image.id }, { upload_id: notes.id }],
    });
    const sent = await until(message, 'sent');
    expect((sent.deliveries as Json[])[0]).toMatchObject({
      degradations: [],
      parts: [{ kind: 'media', external_id: expect.stringMatching(/^\d+\.\d+$/) }],
    });
    const [shown] = seen(slack, chats[0] ?? '');
    expect([shown?.text, told(shown?.files)]).toEqual([
      'Look',
      [
        ['plan.png', expect.any(String), picture.length],
        ['a.txt', expect.any(String), text.length],
      ],
    ]);
    await api.must(200, 'PUT', `/openapi/messages/${message.id}/reactions/${encodeURIComponent('👍')}`);
    await eventually(
      async () => slack.workspace.find(chats[0] ?? '', shown?.id ?? '')?.reactions,
      (reactions) => reactions?.get('+1')?.size === 1,
    );
    await api.must(200, 'PATCH', `/openapi/messages/${message.id}`, { text: 'Look *again*' });
    await eventually(
      async () => seen(slack, chats[0] ?? '')[0],
      (last) => last?.text === 'Look *again*' && last.files?.length === 2,
    );
    await api.must(204, 'DELETE', `/openapi/messages/${message.id}`);
    await eventually(
      async () => seen(slack, chats[0] ?? ''),
      (list) => list.every(({ deleted }) => deleted),
    );
  });

  it('and as a signed link if Twilio can’t fetch it', async () => {
    const { id, chats } = await room([3]);
    const image = await upload(picture, 'plan.png', 'image/png');
    const sent = await until(
      await send(id, { text: 'Look', attachments: [{ upload_id: image.id }] }),
      'delivered',
    );
    expect((sent.deliveries as Json[])[0]?.degradations).toEqual(['media.image']);
    expect(seen(sms, chats[0] ?? '')[0]?.text).toMatch(/^Look\nhttp:\/\/localhost:\d+\/media\//);
  });

  it('and as a signed link in the text if it is larger than the platform accepts', async () => {
    const { id, chats } = await room([1]);
    const large = await upload(Buffer.alloc(11 * 1_048_576, 'a'), 'large.txt', 'text/plain');
    const sent = await until(await send(id, { text: 'Big', attachments: [{ upload_id: large.id }] }), 'sent');
    expect((sent.deliveries as Json[])[0]?.degradations).toEqual(['media.file']);
    const shown = seen(discord, chats[0] ?? '').at(-1);
    const [said, link = ''] = shown?.text.split('\n') ?? [];
    expect([said, shown?.files]).toEqual(['Big', undefined]);
    expect((await fetch(link, { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(11 * 1_048_576),
    );
  });
});

describe('a file that is still being fetched', () => {
  it('delays its own chat and no other', async () => {
    const [slow, quick] = [await room([0]), await room([0])];
    const waiting = await send(slow.id, { text: 'first', attachments: [`${server.url}slow.png`] });
    const behind = await send(slow.id, { text: 'second' });
    await until(await send(quick.id, { text: 'other' }), 'sent');
    expect((await api.must(200, 'GET', `/openapi/messages/${waiting.id}`)).status).toBe('queued');
    release();
    await until(waiting, 'sent');
    await until(behind, 'sent');
    expect(seen(telegram, slow.chats[0] ?? '').map(({ text: said }) => said)).toEqual(['first', 'second']);
    expect((await api.must(200, 'GET', `/openapi/messages/${waiting.id}`)).deliveries).toMatchObject([
      { attempt_count: 1, status: 'sent' },
    ]);
  });

  it('fails its message when it can’t be fetched', async () => {
    const { id, chats } = await room([0]);
    const failed = await until(await send(id, { text: 'x', attachments: [`${server.url}none`] }), 'failed');
    expect(failed.error).toMatchObject({ code: 'media_unavailable', permanent: true });
    expect(seen(telegram, chats[0] ?? '')).toEqual([]);
  });
});

describe('a file that a person sends', () => {
  const fromPerson = (name: string, mimeType: string, bytes: Buffer): SimulatedFile => ({
    name,
    mimeType,
    bytes,
  });

  it.each([
    ['Telegram', 0, 1],
    ['Discord', 1, 0],
    ['Slack', 2, 0],
    ['SMS', 3, 2],
  ])('on %s is stored and goes to the other platform', async (_name, from, to) => {
    const { id, chats } = await room([from, to]);
    const [source, target] = [platforms[from] as SynchronousSimulator, platforms[to] as SynchronousSimulator];
    const file = fromPerson('holiday.png', 'image/png', picture);
    await source.post({ chatId: chats[0] ?? '', sender: 'Ann', text: 'My holiday', files: [file] });
    const path = `/openapi/messages?conversation_id=${id}&filter=direction:inbound`;
    const [message] = await eventually(
      async () => (await api.must<{ data: Json[] }>(200, 'GET', path)).data,
      ([first]) => (first?.attachments as Json[] | undefined)?.[0]?.state === 'ready',
    );
    const [shown] = (message?.attachments ?? []) as Json[];
    expect(shown).toMatchObject({
      type: 'image',
      source_url: null,
      mime_type: 'image/png',
      width: 12,
      height: 7,
    });
    const copy = await fetch(String(shown?.url));
    expect(Buffer.from(await copy.arrayBuffer()).equals(picture)).toBe(true);
    const relayed = await eventually(
      async () => seen(target, chats[1] ?? '').filter(({ files }) => files !== undefined),
      (list) => list.length > 0,
    );
    expect(relayed.at(-1)?.files?.[0]?.bytes.equals(picture)).toBe(true);
    for (const secret of Object.values(source.account().credentials)) {
      expect(JSON.stringify(service.log)).not.toContain(secret);
    }
  });
});
