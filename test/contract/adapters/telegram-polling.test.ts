import { describe, expect, it, vi } from 'vitest';
import { BASIC_GROUP } from '../../../adapters/telegram/simulator/state.js';
import { clock, type Envelope, UNKNOWN_TIME } from '../../../src/contract/index.js';
import { RecordingHost } from '../../support/adapter-host.js';
import { group, refusal, send, useTelegram } from './telegram-bench.js';

const telegram = useTelegram();

describe('Telegram polling', () => {
  it('reports the identity of the bot', async () => {
    const adapter = await telegram().connect();
    expect(await adapter.identify()).toEqual({
      externalId: telegram().simulator.account().credentials.bot_token?.split(':')[0],
      handle: 'simulated_trunkline_bot',
      name: 'Simulated bot',
    });
  });

  it('receives messages, replies and edits, also those from before the start', async () => {
    const first = await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Before the start' });
    const adapter = await telegram().connect();
    await adapter.start();
    await telegram().simulator.post({ chatId: group, sender: 'Bob', text: 'After it', replyToId: first });
    await telegram().simulator.edit(group, first, 'Changed');
    await telegram().host.until(() => telegram().host.envelopes.length === 3);
    expect(telegram().events(adapter)).toMatchObject([
      { type: 'message', messageId: first, content: { text: 'Before the start' } },
      { type: 'message', sender: { displayName: 'Bob' }, replyToId: first },
      { type: 'message_edited', messageId: first, content: { text: 'Changed' } },
    ]);
    expect(telegram().healthCodes()).toEqual(['connecting', 'ok']);
  });

  const HOUR_MS = 60 * 60_000;
  const ago = (hours: number) => new Date(clock.now() - hours * HOUR_MS).toISOString();
  const botId = () => String(telegram().simulator.account().credentials.bot_token).split(':')[0];

  it.each([
    ['of 25 hours', () => ({ bot: botId(), at: ago(25) }), true],
    ['of 23 hours', () => ({ bot: botId(), at: ago(23) }), false],
    ['of another bot', () => ({ bot: '1', at: ago(25) }), false],
    ['whose record is damaged', () => 'damaged', true],
  ])('after an outage %s reports a gap if Telegram deleted updates', async (_, stored, isGap) => {
    const { host, simulator } = telegram();
    const seen = stored();
    await host.state.save('updates-seen', JSON.stringify(seen));
    const adapter = await telegram().connect();
    await adapter.start();
    await simulator.post({ chatId: group, sender: 'Ada', text: 'Kept' });
    await host.until(() => host.envelopes.length === (isGap ? 2 : 1));
    const [first] = telegram().events(adapter);
    const since = typeof seen === 'string' ? UNKNOWN_TIME : seen.at;
    expect(first).toMatchObject(isGap ? { type: 'gap', since } : { type: 'message' });
    expect(JSON.parse(host.saved('updates-seen') ?? '')).toMatchObject({ bot: botId() });
  });

  it('reports the gap of an outage once, although the bridge could not store it at first', async () => {
    const { host } = telegram();
    await host.state.save('updates-seen', JSON.stringify({ bot: botId(), at: ago(48) }));
    host.failNext(2);
    const adapter = await telegram().connect();
    await adapter.start();
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Kept' });
    await host.until(() => host.envelopes.length === 2);
    expect(
      telegram()
        .events(adapter)
        .map(({ type }) => type),
    ).toEqual(['gap', 'message']);
  });

  it('confirms a batch only when every update of it is stored', async () => {
    const adapter = await telegram().connect();
    telegram().host.failure = new Error('the database is away');
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'One' });
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Two' });
    await adapter.start();
    await telegram().host.until(() => telegram().host.received >= 2);
    const offsets = () =>
      telegram()
        .simulator.ledger.entries('getUpdates')
        .map(({ request }) => (request as { offset?: number }).offset);
    expect(offsets().every((offset) => offset === undefined)).toBe(true);
    telegram().host.failure = undefined;
    await telegram().host.until(() => telegram().host.envelopes.length === 2);
    await telegram().host.until(() => telegram().healthCodes().at(-1) === 'ok');
    expect(telegram().healthCodes()).toContain('transient');
    const last = Number(telegram().host.envelopes.at(-1)?.dedupeKey);
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Three' });
    await telegram().host.until(() => telegram().host.envelopes.length === 3 && offsets().includes(last + 1));
  });

  it('stores the chats of a batch in parallel, and the updates of each chat in order', async () => {
    const other = telegram().simulator.address(3);
    const order: string[] = [];
    class SlowHost extends RecordingHost {
      #first: (() => void) | undefined;
      override async receive(envelope: Envelope): Promise<void> {
        order.push(`${envelope.lane} begins`);
        // The first waits for one of another chat.
        if (order.length === 1) await new Promise<void>((resolve) => (this.#first = resolve));
        if (envelope.lane === other) this.#first?.();
        await super.receive(envelope);
        order.push(`${envelope.lane} ends`);
      }
    }
    const host = new SlowHost();
    const adapter = await telegram().connect('poll', host);
    for (const chatId of [group, group, other])
      await telegram().simulator.post({ chatId, sender: 'Ada', text: 'x' });
    await adapter.start();
    await host.until(() => host.envelopes.length === 3);
    expect(order.slice(0, 2)).toEqual([`${group} begins`, `${other} begins`]);
    expect(order.filter((each) => each.startsWith(`${group} `))).toEqual([
      ...[`${group} begins`, `${group} ends`],
      ...[`${group} begins`, `${group} ends`],
    ]);
    const [first, second] = host.envelopes
      .filter(({ lane }) => lane === group)
      .map(({ dedupeKey }) => Number(dedupeKey));
    expect(first).toBeLessThan(second ?? 0);
  });

  it('stores the migration of a group to a supergroup separately, after earlier updates', async () => {
    const { simulator } = telegram();
    const order: string[] = [];
    class SlowHost extends RecordingHost {
      override async receive(envelope: Envelope): Promise<void> {
        const said = JSON.stringify(envelope.payload).replace(/.*"(text|migrate_[a-z_]+)".*/, '$1');
        order.push(`${said} begins`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        await super.receive(envelope);
        order.push(`${said} ends`);
      }
    }
    const host = new SlowHost();
    const adapter = await telegram().connect('poll', host);
    const old = String(BASIC_GROUP);
    await simulator.post({ chatId: old, sender: 'Ada', text: 'Before' });
    const moved = simulator.migrate(old);
    await simulator.post({ chatId: moved, sender: 'Ada', text: 'After' });
    await adapter.start();
    await host.until(() => order.length === 8);
    expect(order.slice(0, 4)).toEqual([
      ...['text begins', 'text ends'],
      ...['migrate_to_chat_id begins', 'migrate_to_chat_id ends'],
    ]);
  });

  it.each([
    ['empty results', []],
    ['the same update', [{ update_id: 7 }]],
    ['updates without a number', [{ message: {} }, null]],
  ])('does not flood a server that immediately returns %s', async (_, result) => {
    const polledAt: number[] = [];
    class EmptyHost extends RecordingHost {
      override async fetch(...request: Parameters<RecordingHost['fetch']>): Promise<Response> {
        if (!String(request[0]).endsWith('/getUpdates')) return super.fetch(...request);
        polledAt.push(performance.now());
        return Response.json({ ok: true, result });
      }
    }
    const adapter = await telegram().connect('poll', new EmptyHost());
    await adapter.start();
    await expect.poll(() => polledAt.length).toBeGreaterThanOrEqual(4);
    const [first = 0, , , fourth = 0] = polledAt;
    // The first result may be new, so that the next poll follows at once.
    expect(fourth - first).toBeGreaterThan(2 * 240);
  });

  it('gets unconfirmed updates again after a restart', async () => {
    const first = await telegram().connect();
    await first.start();
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Once' });
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    await first.stop();
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'In between' });
    const second = await telegram().connect();
    await second.start();
    await telegram().host.until(() => telegram().host.envelopes.length === 2);
    expect(telegram().events(second)).toMatchObject([
      { content: { text: 'Once' } },
      { content: { text: 'In between' } },
    ]);
  });

  it('never asks Telegram to drop pending updates', async () => {
    const adapter = await telegram().connect();
    await adapter.start();
    await adapter.stop();
    expect(
      telegram()
        .simulator.ledger.entries('deleteWebhook')
        .map(({ request }) => request),
    ).toEqual([{}]);
  });

  it('recovers when the connection is lost, and reports both', async () => {
    telegram().simulator.faults.set({ fault: { kind: 'drop_before' }, call: 'getUpdates', times: 2 });
    const adapter = await telegram().connect();
    await adapter.start();
    await telegram().host.until(() => telegram().healthCodes().includes('transient'));
    await telegram().host.until(() => telegram().healthCodes().at(-1) === 'ok');
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Still here?' });
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
  });

  it('waits as long as Telegram asks', async () => {
    telegram().simulator.faults.set({
      fault: { kind: 'rate_limited', retryAfterMs: 1000 },
      call: 'getUpdates',
    });
    const adapter = await telegram().connect();
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Later' });
    await adapter.start();
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    expect(telegram().healthCodes()).toContain('rate_limited');
    const [refused, next] = telegram().simulator.ledger.entries('getUpdates');
    expect((next?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('reports another program that fetches the updates as a setup error, with a fix, if it persists', async () => {
    const adapter = await telegram().connect();
    await adapter.start();
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'x' });
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    const conflicts = () =>
      telegram()
        .simulator.ledger.entries('getUpdates')
        .filter(({ status }) => status === 409).length;
    const now = clock.now.bind(clock);
    const later = vi.spyOn(clock, 'now').mockImplementation(() => now() + 30_000 * conflicts());
    const other = await telegram().connect('webhook', new RecordingHost());
    await other.start();
    await expect.poll(conflicts).toBe(1);
    expect(telegram().healthCodes()).toEqual(['connecting', 'ok']);
    await telegram().host.until(() => telegram().healthCodes().includes('misconfigured'));
    expect(conflicts()).toBe(2);
    later.mockRestore();
    expect(telegram().host.reports.at(-1)?.fix).toMatch(/Stop the other program/);
  });

  it('stops polling when the token is revoked, and reports it once', async () => {
    const adapter = await telegram().connect();
    await adapter.start();
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Last' });
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    telegram().simulator.revokeToken();
    await telegram().host.until(() => telegram().healthCodes().includes('bad_credentials'));
    const polls = telegram().simulator.ledger.entries('getUpdates').length;
    // Longer than the pause before a second try.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(telegram().simulator.ledger.entries('getUpdates')).toHaveLength(polls);
    expect(telegram().healthCodes().at(-1)).toBe('bad_credentials');
  });

  it('refuses to start with an invalid token', async () => {
    const adapter = await telegram().connect('poll', telegram().host, {
      bot_token: '7000000001:not-the-token-of-this-bot',
    });
    expect(await refusal(adapter.start())).toMatchObject({ problem: { kind: 'unauthorized' } });
    expect(await refusal(adapter.identify())).toMatchObject({ problem: { kind: 'unauthorized' } });
    expect(telegram().healthCodes()).toEqual(['connecting', 'bad_credentials']);
  });

  it('stops at once in the middle of a long poll, and can be stopped twice', async () => {
    const adapter = await telegram().connect();
    await Promise.all([adapter.start(), adapter.start()]);
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'x' });
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    const before = Date.now();
    await Promise.all([adapter.stop(), adapter.stop()]);
    await adapter.stop();
    expect(Date.now() - before).toBeLessThan(1000);
    expect(telegram().simulator.ledger.entries('deleteWebhook')).toHaveLength(1);
  });

  it('receives each update once after a hundred starts and stops', async () => {
    const adapter = await telegram().connect();
    for (let cycle = 0; cycle < 100; cycle += 1) {
      await adapter.start();
      await adapter.stop();
    }
    await adapter.start();
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Once' });
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    expect(telegram().host.received).toBe(1);
  });

  it('does not poll when it is stopped during the start', async () => {
    telegram().simulator.faults.set({ fault: { kind: 'delay', ms: 200 }, call: 'deleteWebhook' });
    const adapter = await telegram().connect();
    const starting = adapter.start();
    await adapter.stop();
    await starting;
    expect(telegram().healthCodes()).toEqual(['connecting']);
    expect(telegram().simulator.ledger.entries('getUpdates')).toHaveLength(0);
  });

  it('sends every request through the host', async () => {
    const seen: string[] = [];
    class WatchedHost extends RecordingHost {
      override fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
        seen.push(String(input).split('/').at(-1) ?? '');
        return super.fetch(input, init);
      }
    }
    const adapter = await telegram().connect('poll', new WatchedHost());
    await adapter.start();
    await send(adapter, group, 'x');
    await adapter.stop();
    expect(seen).toEqual(expect.arrayContaining(['deleteWebhook', 'getUpdates', 'sendMessage']));
  });
});
