import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { SlackSimulatorOptions } from '../../../adapters/slack/simulator/index.js';
import type { Adapter, InboundEvent } from '../../../src/contract/index.js';
import { createFrom, SlackBench } from '../../support/slack-bench.js';

const CHANNEL = 'C0SIMGENERAL';
const PRIVATE = 'G0SIMPRIVATE';

let bench: SlackBench;
const extra: Adapter[] = [];
afterEach(async () => {
  for (const adapter of extra.splice(0)) await adapter.stop();
  await bench.stop();
});

/** Slack that does not retry: an event that is not received is found only in the history. */
async function open(options: SlackSimulatorOptions = {}, ingress: 'webhook' | 'gateway' = 'webhook') {
  bench = new SlackBench({ retriesMs: [], ...options });
  if (ingress === 'webhook') await bench.startWebhook();
  else await bench.startGateway();
  return bench;
}

const say = (text: string, chatId = CHANNEL, replyToId?: string) =>
  bench.simulator.post({ chatId, sender: 'Ann', text, ...(replyToId === undefined ? {} : { replyToId }) });

/** The first event of a process is recorded as the end of the time before it. */
async function heard(text: string) {
  await say(text);
  await bench.event('message', (event) => event.content.text === text);
  await bench.host.until(() => bench.host.saved('history-seen') !== undefined);
}

/** The process stops. Messages that are written now are not received. */
async function away<T>(work: () => Promise<T>): Promise<T> {
  await bench.adapter.stop();
  const { url } = bench.simulator.webhook;
  bench.simulator.webhook.url = undefined;
  const result = await work();
  // Events without an address are dropped in the next turn of the event loop.
  await setImmediate();
  if (url !== undefined) bench.simulator.setWebhook(url);
  return result;
}

async function back() {
  const account =
    bench.simulator.webhook.url === undefined
      ? bench.simulator.accountForGateway()
      : bench.simulator.account();
  bench.adapter = await createFrom(account, bench.host);
  await bench.adapter.start();
}

/** Messages as the core keeps them: one for each id of the platform, in the order of storage. */
function stored(chatId: string = CHANNEL): string[] {
  const seen = new Map<string, string>();
  for (const event of bench.events())
    if (event.type === 'message' && event.chat.id === chatId && !seen.has(event.messageId))
      seen.set(event.messageId, event.content.text);
  return [...seen.values()];
}
const of = <T extends InboundEvent['type']>(type: T) =>
  bench.events().filter((event): event is Extract<InboundEvent, { type: T }> => event.type === type);

describe.each(['webhook', 'gateway'] as const)(
  'messages that were posted to Slack during a disconnect, by %s',
  (ingress) => {
    it('are fetched at the next start, oldest first, from every kind of channel', async () => {
      await open({}, ingress);
      await heard('before');
      const dana = bench.simulator.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
      await away(async () => {
        for (const text of ['one', 'two', 'three']) await say(text);
        await say('private', PRIVATE);
        await say('direct', dana);
        await say('several', 'G0SIMSEVERAL');
      });
      await back();
      await bench.host.until(() =>
        [CHANNEL, PRIVATE, dana, 'G0SIMSEVERAL'].every((id) => stored(id).length > 0),
      );
      await bench.host.until(() => stored().length === 4);
      expect(stored()).toEqual(['before', 'one', 'two', 'three']);
      expect([stored(PRIVATE), stored(dana), stored('G0SIMSEVERAL')]).toEqual([
        ['private'],
        ['direct'],
        ['several'],
      ]);
      const kinds = new Map(of('message').map(({ chat }) => [chat.id as string, chat.kind]));
      expect([kinds.get(CHANNEL), kinds.get(dana), kinds.get(PRIVATE)]).toEqual([
        'channel',
        'direct',
        'group',
      ]);
      const marked = bench.host.envelopes.filter(({ context }) => context?.backfilled === 'yes');
      expect(marked.length).toBeGreaterThanOrEqual(6);
    });
  },
);

describe('the backfill from Slack', () => {
  it('is empty at the first start: a new connection has missed nothing', async () => {
    bench = new SlackBench({ retriesMs: [] });
    await say('long ago');
    await bench.startWebhook();
    await heard('first');
    expect(stored()).toEqual(['first']);
    expect(bench.simulator.ledger.counts()['conversations.history']).toBeUndefined();
  });

  it('includes replies in threads, also in threads from before the gap', async () => {
    await open();
    const root = await say('root');
    await bench.event('message', (event) => event.content.text === 'root');
    await heard('after the root');
    await away(async () => {
      await say('late answer', CHANNEL, root);
      const next = await say('new root');
      await say('quick answer', CHANNEL, next);
    });
    await back();
    await bench.host.until(() => stored().length === 5);
    expect(stored()).toEqual(['root', 'after the root', 'late answer', 'new root', 'quick answer']);
    const answer = of('message').find(({ content }) => content.text === 'late answer');
    expect(answer).toMatchObject({ replyToId: root, chat: { threadId: root } });
  });

  it('contains edits and deletions in their final state', async () => {
    await open();
    const kept = await say('first words');
    const gone = await say('root to delete');
    await say('an answer', CHANNEL, gone);
    await heard('seen');
    await away(async () => {
      await bench.simulator.edit(CHANNEL, kept, 'last words');
      await bench.simulator.remove(CHANNEL, gone);
      const draft = await say('draft');
      await bench.simulator.edit(CHANNEL, draft, 'final');
      const regretted = await say('regretted');
      await bench.simulator.remove(CHANNEL, regretted);
    });
    await back();
    await bench.host.until(() => stored().includes('final') && of('message_deleted').length > 0);
    await bench.host.until(() => of('message_edited').some(({ messageId }) => messageId === kept));
    expect(of('message_edited').find(({ messageId }) => messageId === kept)?.content.text).toBe('last words');
    expect(of('message_deleted').map(({ messageId }) => messageId as string)).toEqual([gone]);
    expect(stored()).not.toContain('draft');
    expect(stored()).not.toContain('regretted');
  });

  it('is read page by page, even with fifteen messages per request', async () => {
    await open({ history: { perMinute: 50, objects: 15 } });
    await heard('before');
    const texts = Array.from({ length: 40 }, (_, number) => `message ${number}`);
    await away(async () => {
      for (const text of texts) await say(text);
    });
    await back();
    await bench.host.until(() => stored().length === 41);
    expect(stored()).toEqual(['before', ...texts]);
  });

  it('waits as long as Slack asks for', async () => {
    await open();
    await heard('before');
    await away(() => say('missed'));
    const fault = { kind: 'rate_limited', retryAfterMs: 1_000 } as const;
    bench.simulator.faults.set({ call: 'conversations.history', fault });
    await back();
    await bench.host.until(() => stored().includes('missed'));
    const [refused, next] = bench.simulator.ledger.entries('conversations.history');
    expect(refused?.status).toBe(429);
    expect((next?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('includes known direct chats, which the app may not list', async () => {
    await open();
    const dana = bench.simulator.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
    await say('hello', dana);
    await heard('before');
    await away(() => say('missed', dana));
    for (const scope of ['im:read', 'mpim:read']) bench.simulator.scopes.delete(scope);
    await back();
    await bench.host.until(() => stored(dana).includes('missed'));
    await bench.host.until(() => of('gap').length > 0);
    expect(of('gap')[0]?.reason).toContain('Not all channels');
  });

  it('continues where a process died', async () => {
    await open();
    await heard('before');
    await away(async () => {
      for (const chatId of [CHANNEL, PRIVATE])
        for (const text of ['a', 'b']) await say(`${text} ${chatId}`, chatId);
    });
    const receive = bench.host.receive.bind(bench.host);
    let left = 3;
    bench.host.receive = async (envelope) => {
      left -= 1;
      if (left < 0) throw new Error('The process dies.');
      await receive(envelope);
    };
    await back();
    await bench.host.until(() => left < 0);
    await bench.adapter.stop();
    bench.host.receive = receive;
    await back();
    await bench.host.until(() => stored(CHANNEL).length === 3 && stored(PRIVATE).length === 2);
    expect(stored()).toEqual(['before', `a ${CHANNEL}`, `b ${CHANNEL}`]);
    expect(stored(PRIVATE)).toEqual([`a ${PRIVATE}`, `b ${PRIVATE}`]);
  });

  it('is stored before messages that arrive in the same channel after the start', async () => {
    await open();
    await heard('before');
    await away(() => say('missed'));
    const account = bench.simulator.account();
    bench.adapter = await createFrom(account, bench.host);
    await bench.adapter.start();
    await say('live');
    await bench.host.until(() => stored().length === 3);
    expect(stored()).toEqual(['before', 'missed', 'live']);
  });

  it('includes messages that could not be stored during a database outage and that Slack no longer redelivers', async () => {
    await open();
    await heard('before');
    bench.host.failure = new Error('The database is away.');
    await say('lost');
    await bench.host.until(() => bench.host.received > 1);
    bench.host.failure = undefined;
    await say('after');
    await bench.host.until(() => stored().includes('lost'));
    expect(stored().sort()).toEqual(['after', 'before', 'lost']);
  });

  it('reports a gap after a long outage, because reactions and deletions were not kept', async () => {
    await open();
    await heard('before');
    await away(() => say('missed'));
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    for (const name of ['history-seen', 'history-alive']) await bench.host.state.save(name, hourAgo);
    await back();
    await bench.host.until(() => of('gap').length > 0);
    expect(of('gap')).toEqual([
      { type: 'gap', since: hourAgo, reason: expect.stringContaining('deletions') },
    ]);
  });

  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const gapSince = (since: string) => JSON.stringify({ since });

  /** A message is lost, and no record but that of a gap shows it. */
  async function lose(text: string, gap: string) {
    await open();
    await heard('before');
    await away(() => say(text));
    for (const name of ['history-seen', 'history-alive']) await bench.host.state.save(name, inAnHour());
    await bench.host.state.save('history-gap', gap);
  }

  it('includes a longer gap that another process records while this one reads a shorter one', async () => {
    await lose('missed', gapSince(inAnHour()));
    const { load } = bench.host.state;
    let isRead = false;
    bench.host.state.load = async (name) => {
      const value = await load(name);
      if (name !== 'history-gap' || isRead) return value;
      isRead = true;
      await bench.host.state.save('history-gap', gapSince(new Date().toISOString()));
      return value;
    };
    await back();
    await bench.host.until(() => stored().includes('missed'));
    expect(isRead).toBe(true);
    await bench.host.until(() => bench.host.saved('history-gap') === undefined);
  });

  it('reads a channel again that was read before another process recorded the same gap', async () => {
    await lose('missed', gapSince(new Date().toISOString()));
    const { load, save, replace } = bench.host.state;
    let isCleared = false;
    const meanwhile = async (name: string, value: string | null) => {
      if (name !== 'history-gap' || value !== null || isCleared) return;
      isCleared = true;
      // The event makes this process read its channel ahead of its turn. The next message is lost again.
      await say('live');
      await bench.host.until(() => stored().includes('live'));
      const { url } = bench.simulator.webhook;
      bench.simulator.webhook.url = undefined;
      await say('lost again');
      await setImmediate();
      if (url !== undefined) bench.simulator.setWebhook(url);
    };
    Object.assign(bench.host.state, {
      load,
      save: async (name: string, value: string | null) => {
        await meanwhile(name, value);
        await save(name, value);
      },
      replace: async (name: string, expected: string | null, value: string | null) => {
        await meanwhile(name, value);
        return replace(name, expected, value);
      },
    });
    await back();
    await bench.host.until(() => stored().includes('lost again'));
    expect(isCleared).toBe(true);
  });

  it('keeps the plan of the process that took over the connection meanwhile', async () => {
    await open();
    await heard('before');
    await away(() => say('missed'));
    const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const { receive } = bench.host;
    const { save } = bench.host.state;
    let isTaken = false;
    let signs = 0;
    bench.host.receive = async (envelope) => {
      if (!isTaken) {
        const plan = JSON.parse(bench.host.saved('history-plan') ?? '');
        const stretches = [{ upTo: null, since: weekAgo }];
        await save('history-plan', JSON.stringify({ ...plan, stretches }));
        isTaken = true;
      }
      await receive.call(bench.host, envelope);
    };
    // This process gives a sign of life after the first channel, and after the last one.
    bench.host.state.save = async (name, value) => {
      await save(name, value);
      if (isTaken && name === 'history-alive') signs += 1;
    };
    await back();
    await bench.host.until(() => signs === 2);
    expect(stored()).toEqual(['before', 'missed']);
    expect(bench.host.saved('history-plan')).toContain(weekAgo);
  });

  it.each(['no JSON', '{"since":7}'])('includes the gap when its record is damaged: %s', async (damaged) => {
    await lose('missed', damaged);
    await back();
    await bench.host.until(() => stored().includes('missed'));
    await bench.host.until(() => bench.host.saved('history-gap') === undefined);
  });

  it.each([
    ['history-seen', 'no time'],
    ['history-alive', 'no time'],
    ['history-plan', 'no JSON'],
    ['history-plan', '{}'],
    ['history-direct', 'no JSON'],
  ])('starts and includes the gap when its state %s is damaged: %s', async (name, damaged) => {
    await open();
    await heard('before');
    await away(() => say('missed'));
    await bench.host.state.save(name, damaged);
    await back();
    await bench.host.until(() => stored().includes('missed'));
    const dana = bench.simulator.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
    await say('direct', dana);
    await bench.host.until(() => stored(dana).includes('direct'));
  });
});
