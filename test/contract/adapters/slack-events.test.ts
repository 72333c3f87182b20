import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordingHost } from '../../support/adapter-host.js';
import { createFrom, problemOf, SlackBench } from '../../support/slack-bench.js';

const CHANNEL = 'C0SIMGENERAL';

let bench: SlackBench;

beforeEach(async () => {
  bench = new SlackBench();
  await bench.startWebhook();
});
afterEach(() => bench.stop());

describe('the Slack Events API', () => {
  it('stores a message with the names of its sender, its channel and the people it mentions', async () => {
    const ann = bench.simulator.workspace.person('Ann');
    const id = await bench.simulator.post({ chatId: CHANNEL, sender: 'Bob', text: 'Hi' });
    const mention = {
      channel: CHANNEL,
      author: bench.simulator.workspace.person('Bob'),
      text: `*Hi* <@${ann.id}>`,
    };
    const message = bench.simulator.workspace.add(mention);
    bench.simulator.deliver(CHANNEL, bench.simulator.events.posted(message));
    expect(await bench.event('message', (event) => event.messageId === id)).toMatchObject({
      chat: { id: CHANNEL, kind: 'channel', title: 'general' },
      sender: { displayName: 'Bob', handle: 'bob' },
      content: { text: 'Hi', spans: [], attachments: [] },
    });
    expect((await bench.event('message', (event) => event.messageId === message.ts)).content).toMatchObject({
      text: 'Hi @Ann',
      spans: [
        { mark: 'bold', start: 0, end: 2 },
        { mark: 'mention', start: 3, end: 7, value: ann.id },
      ],
    });
  });

  it('looks a person up once, and works without the name when Slack does not return it', async () => {
    bench.simulator.refuseNext('users.info', 'user_not_found');
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: '1' });
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: '2' });
    const second = await bench.event('message', (event) => event.content.text === '2');
    expect(second.sender).toEqual({ id: expect.stringMatching(/^U/) });
    expect(bench.simulator.ledger.counts()['users.info']).toBe(1);
  });

  it('reports edits and deletions under the id of the message', async () => {
    const id = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'before' });
    await bench.simulator.edit(CHANNEL, id, 'after');
    await bench.simulator.remove(CHANNEL, id);
    expect(await bench.event('message_edited')).toMatchObject({ messageId: id, content: { text: 'after' } });
    expect(await bench.event('message_deleted')).toMatchObject({ messageId: id, chat: { id: CHANNEL } });
  });

  describe('of an app that is installed in several workspaces', () => {
    const other = { team_id: 'T0OTHER' };
    const authorization = {
      enterprise_id: null,
      user_id: 'U0OTHER',
      is_bot: true,
      is_enterprise_install: false,
    };
    const theirs = { ...other, authorizations: [{ ...authorization, ...other }] };
    const ours = { authorizations: [{ ...authorization, team_id: 'T0SIMTEAM' }] };
    const said = (text: string, more: object) => {
      const author = bench.simulator.workspace.person('Bob');
      const message = bench.simulator.workspace.add({ channel: CHANNEL, author, text });
      bench.simulator.deliver(CHANNEL, { ...bench.simulator.events.posted(message), ...more } as never);
    };

    it('leaves the events of the others alone', async () => {
      said('theirs', theirs);
      bench.simulator.deliver(CHANNEL, {
        ...bench.simulator.events.uninstalled(),
        ...other,
        authorizations: [],
      });
      said('ours', {});
      await bench.event('message', ({ content }) => content.text === 'ours');
      expect(bench.events()).toHaveLength(1);
      expect(bench.host.reports.map(({ code }) => code)).not.toContain('bad_credentials');
    });

    it.each([
      ['of a channel that is shared with the workspace', { ...theirs, is_ext_shared_channel: true }],
      ['that its own installation sees', { ...other, ...ours }],
      [
        'of an installation in the whole organisation',
        { ...other, authorizations: [{ ...authorization, ...other, is_enterprise_install: true }] },
      ],
    ])('takes an event %s', async (_, more) => {
      said('ours, too', more);
      expect(await bench.event('message')).toMatchObject({ content: { text: 'ours, too' } });
    });
  });

  it('recognises the kinds of chats', async () => {
    await bench.simulator.post({ chatId: 'G0SIMPRIVATE', sender: 'Ann', text: 'secret' });
    await bench.simulator.post({ chatId: 'D1P000001', sender: 'Dana', text: 'direct' });
    expect((await bench.event('message', (event) => event.content.text === 'secret')).chat.kind).toBe(
      'group',
    );
    expect((await bench.event('message', (event) => event.content.text === 'direct')).chat.kind).toBe(
      'direct',
    );
  });

  it('marks its own posts, edits and deletions as echoes', async () => {
    const receipts = await bench.send(CHANNEL, 'mine');
    await bench.edit(CHANNEL, receipts, 'mine, changed');
    await bench.delete(CHANNEL, receipts);
    expect((await bench.event('message')).echo).toBe(true);
    expect((await bench.event('message_edited')).echo).toBe(true);
    expect((await bench.event('message_deleted')).echo).toBe(true);
  });

  it('recognises its own posts even without knowing its identity', async () => {
    bench.adapter = await createFrom(bench.simulator.account(), bench.host);
    await bench.send(CHANNEL, 'mine');
    expect((await bench.event('message')).echo).toBe(true);
  });

  it('does not treat an unfurled link as an edit', async () => {
    const id = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'https://example.com' });
    bench.simulator.people.unfurl(CHANNEL, id);
    await bench.event('unsupported', (event) => event.what === 'message.message_changed');
    expect(bench.events().filter((event) => event.type === 'message_edited')).toEqual([]);
  });

  it('acknowledges an event only after it is stored, and receives it again until then', async () => {
    bench.host.failNext(2);
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'keep me' });
    expect((await bench.event('message')).content.text).toBe('keep me');
    expect(bench.host.received).toBe(3);
  });

  it('responds with 503 when it can’t store', async () => {
    bench.host.failure = new Error('database away');
    const body = JSON.stringify(bench.simulator.events.uninstalled());
    expect(await bench.simulator.webhook.post(body)).toBe(503);
  });

  it('has the same key for redeliveries of one event', async () => {
    const message = bench.simulator.workspace.add({
      channel: CHANNEL,
      author: bench.simulator.workspace.person('Ann'),
      text: 'thrice',
    });
    const body = JSON.stringify(bench.simulator.events.posted(message));
    const tries = [0, 1, 2].map((retry) =>
      bench.simulator.webhook.post(body, {
        'x-slack-retry-num': String(retry),
        'x-slack-retry-reason': 'http_timeout',
      }),
    );
    expect(await Promise.all(tries)).toEqual([200, 200, 200]);
    expect(bench.host.received).toBe(3);
    expect(bench.events()).toHaveLength(1);
  });

  it('answers the challenge with which Slack verifies a URL', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c-1' });
    const answer = await bench.simulator.webhook.answer(body);
    expect(await answer?.json()).toEqual({ challenge: 'c-1' });
    expect(bench.host.received).toBe(0);
  });

  it.each([
    ['an event nobody knows', { type: 'event_callback', event_id: 'Ev1', event: { type: 'brand_new' } }],
    ['an event without content', { type: 'event_callback', event_id: 'Ev2', event: { type: 'message' } }],
    ['something that is no event', { hello: 'world' }],
  ])('stores %s as unsupported and responds with 200', async (_, payload) => {
    expect(await bench.simulator.webhook.post(JSON.stringify(payload))).toBe(200);
    expect(bench.events()).toMatchObject([{ type: 'unsupported' }]);
  });

  it('stores a signed body that is not JSON, a command and an interaction without their secrets', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await bench.simulator.webhook.post('{"broken')).toBe(200);
    expect(
      await bench.simulator.webhook.post('command=%2Fx&token=t0k&response_url=https%3A%2F%2Fhooks', form),
    ).toBe(200);
    const payload = encodeURIComponent(JSON.stringify({ type: 'block_actions', token: 't0k', actions: [] }));
    expect(await bench.simulator.webhook.post(`payload=${payload}`, form)).toBe(200);
    expect(bench.events().map((event) => event.type)).toEqual(['unsupported', 'unsupported', 'unsupported']);
    expect(JSON.stringify(bench.host.envelopes)).not.toMatch(/t0k|hooks/);
  });

  it('refuses a body without Slack’s signature and stores nothing', async () => {
    const url = bench.simulator.webhook.url ?? '';
    const now = String(Math.floor(Date.now() / 1000));
    const headers = { 'x-slack-request-timestamp': now, 'x-slack-signature': 'v0=00' };
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await fetch(url, { method: 'POST', body: '{}', headers })).status).toBe(401);
    expect((await fetch(url)).status).toBe(405);
    expect(bench.host.received).toBe(0);
  });

  it('answers the unsigned request with which Slack checks the certificate, and stores nothing', async () => {
    const url = bench.simulator.webhook.url ?? '';
    const body = new URLSearchParams({ ssl_check: '1', token: 't0k' });
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    expect(bench.host.received).toBe(0);
  });

  it('forgets a cached name when the person changes it', async () => {
    const { id } = bench.simulator.workspace.person('Ann');
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: '1' });
    await bench.event('message');
    const event = { type: 'user_change', user: { id }, event_ts: '1.000001' };
    bench.simulator.deliver(CHANNEL, { type: 'event_callback', event_id: 'EvChange', event });
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: '2' });
    await bench.event('message', (message) => message.content.text === '2');
    const asked = bench.simulator.ledger
      .entries('users.info')
      .filter((entry) => JSON.stringify(entry.request).includes(id));
    expect(asked).toHaveLength(2);
  });

  it('reports the loss of the app or of its token once the event is stored', async () => {
    bench.simulator.deliver('workspace', bench.simulator.events.revoked());
    await bench.host.until(() => bench.host.reports.some((report) => report.code === 'bad_credentials'));
    expect(bench.host.envelopes).toHaveLength(1);
  });
});

describe('the life cycle of the Slack adapter', () => {
  it('allows any number of starts and stops', async () => {
    await bench.adapter.start();
    await bench.adapter.stop();
    await bench.adapter.stop();
    await bench.adapter.start();
    expect(bench.simulator.ledger.counts()['auth.test']).toBe(2);
  });

  it('refuses to start with an invalid token', async () => {
    const account = bench.simulator.account();
    const dead = { ...account, credentials: { ...account.credentials, bot_token: 'xoxb-dead' } };
    const adapter = await createFrom(dead, new RecordingHost());
    expect(await problemOf(adapter.start())).toMatchObject({
      problem: { kind: 'unauthorized' },
      code: 'invalid_auth',
    });
  });

  it('keeps two connections separate', async () => {
    const other = new SlackBench();
    await other.startWebhook();
    try {
      await bench.send(CHANNEL, 'here');
      await other.send(CHANNEL, 'there');
      expect(bench.texts(CHANNEL)).toEqual(['here']);
      expect(other.texts(CHANNEL)).toEqual(['there']);
    } finally {
      await other.stop();
    }
  });
});
