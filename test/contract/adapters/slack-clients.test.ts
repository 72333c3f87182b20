import { App } from '@slack/bolt';
import { type ConversationsListResponse, type View, WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SlackSimulator } from '../../../adapters/slack/simulator/index.js';

const CHANNEL = 'C0SIMGENERAL';
const simulator = new SlackSimulator({ limits: 'none' });
let web: WebClient;

/** The error code of the response to a call. */
async function codeOf(call: Promise<unknown>): Promise<string> {
  const { data } = await call.then(
    () => ({ data: { error: 'none' } }),
    (error: { data: { error: string } }) => error,
  );
  return data.error;
}
const post = async (text: string, more: object = {}) =>
  String((await web.chat.postMessage({ channel: CHANNEL, text, ...more })).ts);

beforeAll(async () => {
  const { apiBaseUrl } = await simulator.start();
  const { credentials } = simulator.account();
  web = new WebClient(credentials.bot_token ?? '', {
    slackApiUrl: `${apiBaseUrl}/`,
    retryConfig: { retries: 0 },
  });
});
afterAll(() => simulator.stop());

describe('@slack/web-api at the simulated Slack', () => {
  it("uploads files in the SDK's own way, as a form and as raw bytes", async () => {
    await web.filesUploadV2({ channel_id: CHANNEL, file: Buffer.from('by the SDK'), filename: 'a.txt' });
    const { upload_url, file_id } = await web.files.getUploadURLExternal({ filename: 'b.txt', length: 4 });
    const form = new FormData();
    form.set('filename', new Blob(['form']), 'b.txt');
    expect((await fetch(upload_url ?? '', { method: 'POST', body: form })).status).toBe(200);
    await web.files.completeUploadExternal({ files: [{ id: file_id ?? '' }], channel_id: CHANNEL });
    const files = simulator.messages(CHANNEL).flatMap((message) => message.files ?? []);
    expect(files.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
      ['a.txt', 'by the SDK'],
      ['b.txt', 'form'],
    ]);
  });

  it('lists people, channels and members page by page, with cursors that stay valid while the lists grow', async () => {
    for (const name of ['Ann', 'Bob', 'Cid']) simulator.workspace.person(name);
    const { members: firstPage = [], response_metadata } = await web.users.list({ limit: 2 });
    simulator.workspace.person('Zoe');
    const cursor = response_metadata?.next_cursor ?? '';
    const { members: others = [], response_metadata: last } = await web.users.list({ limit: 100, cursor });
    expect([...firstPage, ...others].map((user) => user.profile?.display_name)).toEqual([
      'Bridge',
      'Dana',
      'Ann',
      'Bob',
      'Cid',
      'Zoe',
    ]);
    expect(last?.next_cursor).toBe('');
    const pages = web.paginate('conversations.list', {
      limit: 1,
      types: 'public_channel,private_channel,im',
    });
    const names: unknown[] = [];
    for await (const page of pages)
      names.push(
        ...((page as ConversationsListResponse).channels ?? []).map(({ name, user }) => name ?? user),
      );
    expect(names).toEqual(['general', 'support', 'private', simulator.workspace.person('Dana').id]);
    const { members = [] } = await web.conversations.members({ channel: CHANNEL });
    expect(members).toContain(simulator.workspace.person('Ann').id);
    expect((await web.conversations.list()).channels?.map(({ name }) => name)).toEqual([
      'general',
      'support',
    ]);
    expect(await codeOf(web.users.list({ cursor: 'nonsense' }))).toBe('invalid_cursor');
    expect(await codeOf(web.conversations.list({ types: 'nonsense' }))).toBe('invalid_types');
    expect(await codeOf(web.conversations.members({ channel: 'C0NONE' }))).toBe('channel_not_found');
  });

  it('treats two names of one emoji as one reaction', async () => {
    const timestamp = await post('react');
    const react = (name: string) => web.reactions.add({ channel: CHANNEL, timestamp, name });
    await react('thumbsup');
    expect(await codeOf(react('+1'))).toBe('already_reacted');
    expect(await codeOf(react('thumbsup'))).toBe('already_reacted');
    await react('+1::skin-tone-3');
    await web.reactions.remove({ channel: CHANNEL, timestamp, name: '+1' });
    const { message } = await web.reactions.get({ channel: CHANNEL, timestamp });
    expect(message?.reactions?.map(({ name, count }) => [name, count])).toEqual([['+1::skin-tone-3', 1]]);
    expect(await codeOf(web.reactions.remove({ channel: CHANNEL, timestamp, name: 'thumbsup' }))).toBe(
      'no_reaction',
    );
  });

  it('returns the link of a message, also in a thread', async () => {
    const root = await post('root');
    const reply = await post('reply', { thread_ts: root });
    const link = async (message_ts: string) =>
      (await web.chat.getPermalink({ channel: CHANNEL, message_ts })).permalink;
    const place = `https://simulated.slack.com/archives/${CHANNEL}`;
    expect(await link(root)).toBe(`${place}/p${root.replace('.', '')}`);
    expect(await link(reply)).toBe(`${place}/p${reply.replace('.', '')}?thread_ts=${root}&cid=${CHANNEL}`);
    expect(await codeOf(link('1.1'))).toBe('message_not_found');
  });

  it('writes to one person without the others seeing it', async () => {
    const before = simulator.messages(CHANNEL).length;
    const user = simulator.workspace.person('Ann').id;
    const { message_ts } = await web.chat.postEphemeral({ channel: CHANNEL, user, text: 'psst' });
    expect(message_ts).toMatch(/^\d+\.\d{6}$/);
    expect(simulator.messages(CHANNEL)).toHaveLength(before);
    expect(await codeOf(web.chat.postEphemeral({ channel: CHANNEL, user: 'U0NONE', text: 'x' }))).toBe(
      'user_not_in_channel',
    );
  });

  it('pins messages once', async () => {
    const item = { channel: CHANNEL, timestamp: await post('pin') };
    await web.pins.add(item);
    expect(await codeOf(web.pins.add(item))).toBe('already_pinned');
    const { items = [] } = await web.pins.list({ channel: CHANNEL });
    expect(items).toMatchObject([{ type: 'message', message: { text: 'pin' } }]);
    await web.pins.remove(item);
    expect(await codeOf(web.pins.remove(item))).toBe('no_pin');
  });

  it('describes the workspace, the app’s bot and user groups', async () => {
    const { bot_id = '', team_id } = await web.auth.test();
    expect((await web.team.info()).team).toMatchObject({
      id: team_id,
      name: 'Simulated',
      domain: 'simulated',
    });
    expect((await web.bots.info({ bot: bot_id })).bot).toMatchObject({ id: bot_id, name: 'Bridge' });
    expect(await codeOf(web.bots.info({ bot: 'B0NONE' }))).toBe('bot_not_found');
    expect((await web.usergroups.list()).usergroups).toMatchObject([{ id: 'S0SIMOPS', handle: 'ops' }]);
  });

  it('posts cards without a text', async () => {
    const ts = await post('', { attachments: [{ text: 'card' }] });
    const { messages = [] } = await web.conversations.history({ channel: CHANNEL });
    expect(messages.find((message) => message.ts === ts)?.attachments).toMatchObject([{ text: 'card' }]);
  });
});

describe('Bolt at the simulated Slack', () => {
  it('receives messages by Socket Mode, answers, opens a modal and receives its input', async () => {
    const { credentials, settings } = simulator.account();
    const app = new App({
      token: credentials.bot_token ?? '',
      appToken: credentials.app_token ?? '',
      socketMode: true,
      clientOptions: { slackApiUrl: `${settings.api_base_url}/` },
    });
    const submitted = new Promise<unknown>((resolve) => {
      app.view('order', async ({ ack, view }) => {
        await ack();
        resolve(view.state.values);
      });
    });
    const opened = new Promise<string>((resolve, reject) => {
      app.command('/order', async ({ ack, client, body }) => {
        await ack();
        const view: View = {
          type: 'modal',
          callback_id: 'order',
          title: { type: 'plain_text', text: 'Order' },
          blocks: [],
        };
        const answer = await client.views.open({ trigger_id: body.trigger_id, view });
        resolve(String(answer.view?.id));
        await client.views.open({ trigger_id: body.trigger_id, view }).then(
          () => reject(new Error('opened twice')),
          () => undefined,
        );
      });
    });
    app.message('hello', async ({ say }) => void (await say('hi there')));
    await app.start();
    try {
      await simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'hello' });
      await expect.poll(() => simulator.messages(CHANNEL).at(-1)?.text, { timeout: 10_000 }).toBe('hi there');
      simulator.people.command(CHANNEL, 'Ann', '/order');
      const values = { b1: { a1: { type: 'plain_text_input', value: 'tea' } } };
      simulator.people.submit(await opened, 'Ann', values);
      expect(await submitted).toEqual(values);
    } finally {
      await app.stop();
    }
  });
});
