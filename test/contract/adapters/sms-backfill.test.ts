import twilio from 'twilio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardedClient } from '../../../adapters/sms/client/transport.js';
import { Backfill } from '../../../adapters/sms/ingress/backfill.js';
import { type Envelope, UNKNOWN_TIME } from '../../../src/contract/index.js';
import { SmsBench, smsConfig } from '../../support/sms-bench.js';

/** Nothing listens here, so every webhook fails. */
const NOWHERE = 'http://127.0.0.1:9/';
let bench: SmsBench;

beforeEach(async () => {
  bench = await SmsBench.start({ limits: 'none' });
});
afterEach(() => bench.stop());

const texts = () => bench.events().flatMap((event) => (event.type === 'message' ? event.content.text : []));
const post = (text: string) => bench.simulator.post({ chatId: bench.person, sender: 'Ada', text });
const heard = (count: number) => bench.host.until(() => texts().length >= count);

/** Starts and stores the time from which messages count. */
async function begin(account = bench.simulator.account()): Promise<void> {
  await bench.connect(account);
  await bench.adapter.start();
  await noted();
}

async function noted(): Promise<void> {
  await expect.poll(() => bench.host.state.load('messages-checked')).toBeDefined();
}

async function restart(account = bench.simulator.account()): Promise<void> {
  await bench.adapter.stop();
  await bench.connect(account);
  await bench.adapter.start();
}

/** The fields that the list and a webhook share. */
function fields(envelope: Envelope | undefined) {
  const { MessageSid, AccountSid, ApiVersion, From, To, Body, NumMedia, MessagingServiceSid } =
    (envelope?.payload ?? {}) as Record<string, string>;
  return { MessageSid, AccountSid, ApiVersion, From, To, Body, NumMedia, MessagingServiceSid };
}

/** Requests for lists of inbound messages. Lists of outbound messages name the sender. */
const listed = () =>
  bench.simulator.ledger
    .entries('messages.list')
    .filter(({ request }) => !('From' in (request as Record<string, unknown>)));

describe('SMS messages whose webhooks failed', () => {
  it('are fetched at the next start, oldest first, each as its webhook would have delivered it', async () => {
    await begin();
    await post('told');
    await heard(1);
    const [told] = bench.host.envelopes;
    bench.simulator.setWebhook(NOWHERE);
    const ids = [await post('missed 1'), await post('missed 2')];
    await restart();
    await heard(3);
    expect(texts()).toEqual(['told', 'missed 1', 'missed 2']);
    expect(bench.host.envelopes.slice(1).map(({ dedupeKey }) => dedupeKey)).toEqual(ids);
    const fetched = bench.host.envelopes[1];
    expect(fetched?.lane).toBe(told?.lane);
    expect(fields(fetched)).toEqual({ ...fields(told), MessageSid: ids[0], Body: 'missed 1' });
  });

  it('are not fetched from the time before the connection was first started', async () => {
    bench.simulator.setWebhook(NOWHERE);
    await post('long ago');
    await bench.host.state.save(
      'messages-checked',
      JSON.stringify({ sender: bench.simulator.account().settings.from, ...at(2_000) }),
    );
    await restart();
    await expect.poll(() => listed().length).toBe(1);
    await bench.adapter.stop();
    expect(texts()).toEqual([]);
  });

  it('are fetched with their files', async () => {
    await begin();
    bench.simulator.setWebhook(NOWHERE);
    const bytes = Buffer.from('a picture');
    await bench.simulator.post({
      chatId: bench.person,
      sender: 'Ada',
      text: '',
      files: [{ name: 'a.png', mimeType: 'image/png', bytes }],
    });
    await restart();
    await bench.host.until(() => bench.host.envelopes.length === 1);
    const [event] = bench.events();
    if (event?.type !== 'message') throw new Error('There is no message.');
    expect(event.content.attachments).toMatchObject([{ type: 'image', mimeType: 'image/png' }]);
    const ref = event.content.attachments[0]?.remoteRef ?? '';
    const file = await bench.adapter.openMedia?.(ref, new AbortController().signal);
    const chunks: Uint8Array[] = [];
    for await (const chunk of file?.body ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('a picture');
  });

  it('are fetched for a messaging service, and not those of other services', async () => {
    await begin(bench.simulator.messagingServiceAccount());
    bench.simulator.setWebhook(NOWHERE);
    await post('to the service');
    const other = `MG${'6'.repeat(32)}`;
    const account = bench.simulator.messagingServiceAccount();
    await restart(account);
    await heard(1);
    await bench.adapter.stop();
    await bench.host.state.save('messages-checked', JSON.stringify({ sender: other, ...at(-60_000) }));
    bench.simulator.ledger.clear();
    await restart({ ...account, settings: { ...account.settings, messaging_service_sid: other } });
    // A service names no number, so there is one list of inbound messages and one of statuses of outbound messages.
    await expect.poll(() => listed().length).toBe(2);
    await bench.adapter.stop();
    expect(bench.host.received).toBe(1);
  });

  it('are fetched over many pages', async () => {
    await begin();
    bench.simulator.faults.set({ fault: { kind: 'lose' }, times: Number.POSITIVE_INFINITY });
    for (let number = 1; number <= 1_001; number += 1) await post(`${number}`);
    await restart();
    await bench.host.until(() => bench.host.envelopes.length === 1_001);
    expect(texts()).toEqual(Array.from({ length: 1_001 }, (_, index) => `${index + 1}`));
    expect(listed()).toHaveLength(2);
  });

  it('are fetched in order for each person when many people wrote', async () => {
    await begin();
    bench.simulator.faults.set({ fault: { kind: 'lose' }, times: Number.POSITIVE_INFINITY });
    const people = Array.from({ length: 40 }, (_, at) => bench.simulator.address(at));
    for (const round of [1, 2, 3])
      for (const chatId of people) await bench.simulator.post({ chatId, sender: 'Ada', text: `${round}` });
    await restart();
    await heard(120);
    for (const person of people) {
      const own = bench.events().filter((event) => event.type === 'message' && event.chat.id === person);
      expect(own.map((event) => event.type === 'message' && event.content.text)).toEqual(['1', '2', '3']);
    }
  });

  it.each(['no JSON', '{"sender":7}'])(
    'are fetched if the record of the last check is damaged, which is reported as a gap: %s',
    async (damaged) => {
      await begin();
      bench.simulator.setWebhook(NOWHERE);
      await post('missed');
      await bench.adapter.stop();
      await bench.host.state.save('messages-checked', damaged);
      await restart();
      await heard(1);
      expect(texts()).toEqual(['missed']);
      expect(bench.events().filter(({ type }) => type === 'gap')).toEqual([
        { type: 'gap', since: UNKNOWN_TIME, reason: expect.stringContaining('is damaged') },
      ]);
      await expect.poll(() => bench.host.saved('messages-checked')).toContain('"since"');
    },
  );

  it('are not fetched for a sender that can’t be answered, nor for a new one', async () => {
    const account = bench.simulator.account();
    await bench.host.state.save('messages-checked', JSON.stringify({ sender: 'SHOP', ...at(-60_000) }));
    await restart({ ...account, settings: { ...account.settings, from: 'SHOP' } });
    await restart();
    await expect
      .poll(async () => (await bench.host.state.load('messages-checked')) ?? '')
      .toContain(account.settings.from);
    expect(listed()).toHaveLength(0);
  });
});

/** First connected and last checked at this offset from now. */
function at(ms: number) {
  const time = new Date(Date.now() + ms).toISOString();
  return { since: time, at: time };
}

describe('statuses whose callbacks failed', () => {
  const statuses = () =>
    bench
      .events()
      .flatMap((event) => (event.type === 'receipt' ? [`${event.messageId} ${event.status}`] : []));

  it('are fetched at the next start, and do not replace the callback that names its delivery', async () => {
    await begin();
    const first = (await bench.send('told')).remoteId ?? '';
    await bench.host.until(() => statuses().includes(`${first} delivered`));
    bench.simulator.faults.set({ fault: { kind: 'lose' }, times: Number.POSITIVE_INFINITY });
    const second = (await bench.send('missed')).remoteId ?? '';
    await bench.host.until(() => bench.simulator.status(second) === 'delivered');
    await restart();
    await bench.host.until(() => statuses().includes(`${second} delivered`));
    expect(bench.host.envelopes.at(-1)?.dedupeKey).toBe(`${second}:delivered:listed`);
  });
});

describe('the periodic checks of a running SMS connection', () => {
  let missed: Backfill;
  afterEach(() => missed.stop());

  function check(limits: { pageSize?: number; maxPages?: number } = {}): Backfill {
    const config = smsConfig(bench.simulator.account());
    const { account_sid, auth_token } = config.credentials;
    missed = new Backfill({
      host: bench.host,
      settings: config.settings,
      client: (signal) => {
        const httpClient = guardedClient(bench.host, config.settings.api_base_url, signal);
        return twilio(account_sid, auth_token, { httpClient, autoRetry: false });
      },
      everyMs: 20,
      retryMs: 20,
      ...limits,
    });
    missed.start();
    return missed;
  }

  it('report a gap once if Twilio lists more messages than are fetched', async () => {
    bench.simulator.setWebhook(NOWHERE);
    check();
    await noted();
    await missed.stop();
    for (const number of [1, 2, 3, 4, 5]) await post(`missed ${number}`);
    check({ pageSize: 2, maxPages: 2 });
    await heard(4);
    const gaps = () => bench.events().filter(({ type }) => type === 'gap');
    await bench.host.until(() => gaps().length > 0);
    const { since } = JSON.parse(bench.host.saved('messages-checked') ?? '');
    expect(texts()).toEqual(['missed 2', 'missed 3', 'missed 4', 'missed 5']);
    const start = new Date(Math.floor(Date.parse(since) / 1_000) * 1_000).toISOString();
    expect(gaps()).toEqual([
      { type: 'gap', since: start, reason: 'Twilio lists more messages than are fetched.' },
    ]);
  });

  it('fetch missed messages, and leave stored ones unchanged', async () => {
    bench.simulator.setWebhook(NOWHERE);
    check();
    await noted();
    await post('missed');
    await heard(1);
    bench.simulator.ledger.clear();
    await expect.poll(() => listed().length).toBeGreaterThan(2);
    expect(bench.host.received).toBe(1);
  });

  it('continue after a storage failure', async () => {
    bench.simulator.setWebhook(NOWHERE);
    check();
    await noted();
    bench.host.failure = new Error('no database');
    await post('missed');
    await bench.host.until(() => bench.host.received > 0);
    bench.host.failure = undefined;
    await heard(1);
    expect(texts()).toEqual(['missed']);
  });

  it('continue after a rate limit of Twilio', async () => {
    bench.simulator.setWebhook(NOWHERE);
    check();
    await noted();
    bench.simulator.faults.set({ fault: { kind: 'rate_limited', retryAfterMs: 1 }, call: 'messages.list' });
    await post('missed');
    await heard(1);
    expect(bench.host.reports).toEqual([]);
  });

  it('report invalid credentials', async () => {
    check();
    await noted();
    bench.simulator.revokeToken();
    await bench.host.until(() => bench.host.reports.some(({ code }) => code === 'bad_credentials'));
  });

  it('end with the connection', async () => {
    check();
    await noted();
    await Promise.all([missed.stop(), missed.stop()]);
    bench.simulator.ledger.clear();
    missed.start();
    expect(listed()).toHaveLength(0);
  });
});
